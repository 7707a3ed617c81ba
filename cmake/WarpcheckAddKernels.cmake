# warpcheck_add_kernels(NAME SOURCES a.cu… [ARCHITECTURE 80] [OPTIONS nvcc options…])
#
# Has nvcc build a plug-in: one shared library with the kernels' PTX, their host code, and no CUDA runtime, which the
# worker that loads it supplies. The target NAME builds it; its file is the target's property WARPCHECK_PLUGIN and,
# unless OUTPUT_DIRECTORY says otherwise, NAME.so in the current binary folder.
function(warpcheck_add_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHITECTURE;OUTPUT_DIRECTORY" "SOURCES;OPTIONS")
  if(NOT WARPCHECK_NVCC)
    message(FATAL_ERROR "warpcheck_add_kernels(${name}): no nvcc. Install the CUDA toolkit (no driver is needed), "
                        "run scripts/setup, or set WARPCHECK_NVCC to the path of nvcc.")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "warpcheck_add_kernels(${name}): no SOURCES.")
  endif()
  if(NOT arg_ARCHITECTURE)
    set(arg_ARCHITECTURE 80)
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  get_target_property(_include warpcheck::kernel_api INTERFACE_INCLUDE_DIRECTORIES)
  set(_includes ${_include})
  list(TRANSFORM _includes REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1")
  list(FILTER _includes EXCLUDE REGEX "INSTALL_INTERFACE")
  list(TRANSFORM _includes PREPEND -I)
  set(_built_with "sm_${arg_ARCHITECTURE}")
  foreach(_option IN LISTS arg_OPTIONS)
    string(APPEND _built_with " ${_option}")
  endforeach()

  # One compilation a file, so that a change costs one file's time, and a link.
  set(_objects)
  foreach(_source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH _source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET _source STEM _stem)
    set(_object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${_stem}.o)
    add_custom_command(
      OUTPUT ${_object}
      COMMAND ${WARPCHECK_NVCC} -std=c++20 -arch=compute_${arg_ARCHITECTURE} -lineinfo --no-compress -O3
              -Xcompiler=-fPIC,-g1 "-DWARPCHECK_BUILT_WITH=\"${_built_with}\"" ${arg_OPTIONS} ${_includes}
              -MD -MF ${_object}.d -c ${_source} -o ${_object}
      DEPENDS ${_source}
      DEPFILE ${_object}.d
      COMMENT "nvcc ${name}: ${_stem}.cu"
      VERBATIM)
    list(APPEND _objects ${_object})
  endforeach()
  set(_plugin ${arg_OUTPUT_DIRECTORY}/${name}.so)
  add_custom_command(
    OUTPUT ${_plugin}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${arg_OUTPUT_DIRECTORY}
    COMMAND ${WARPCHECK_NVCC} -arch=compute_${arg_ARCHITECTURE} --no-compress -cudart none -shared ${_objects} -o ${_plugin}
    DEPENDS ${_objects}
    COMMENT "Linking ${name}.so"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${_plugin})
  set_target_properties(${name} PROPERTIES WARPCHECK_PLUGIN ${_plugin})
endfunction()
