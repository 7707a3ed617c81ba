# warpcheck_options(TARGET): language level, warnings and floating-point rules that
# every target of the project shares.
#
# Contraction is off everywhere: the bits that the executor and the reference compute
# must be those of the operations in the text, on every processor.
function(warpcheck_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi
    -ffp-contract=off
    # GCC 12 warns of overlapping copies in std::string where there are none (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${WARPCHECK_NATIVE}>:-march=native>
    $<$<BOOL:${WARPCHECK_WERROR}>:-Werror>)
endfunction()

# warpcheck_test(NAME SOURCES… LINK targets…): one GoogleTest program, one CTest test.
function(warpcheck_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  warpcheck_options(${name})
  # Tests are compiled more often than they run: half the time of -O3, and most of its speed.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gmock GTest::gmock_main)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
