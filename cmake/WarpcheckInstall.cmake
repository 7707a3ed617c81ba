# What a user's project finds with find_package(warpcheck).
include(CMakePackageConfigHelpers)

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/warpcheck)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/contract/include/warpcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS warpcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS warpcheck-worker-cpu warpcheck-worker-cuda
        RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/warpcheck)
get_target_property(_kernels warpcheck_kernels WARPCHECK_PLUGIN)
get_target_property(_demonstration warpcheck_demonstration WARPCHECK_PLUGIN)
install(FILES ${_kernels} ${_demonstration} DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck)

set(_exported kernel_api numeric contract record worker generators properties engine session report cli gtest_main)
foreach(_name IN LISTS _exported)
  set_target_properties(warpcheck_${_name} PROPERTIES EXPORT_NAME ${_name})
endforeach()
list(TRANSFORM _exported PREPEND warpcheck_)
install(TARGETS ${_exported} EXPORT warpcheckTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck)
install(EXPORT warpcheckTargets NAMESPACE warpcheck:: DESTINATION ${_package})

set(WARPCHECK_INSTALL_WORKERS ${CMAKE_INSTALL_LIBEXECDIR}/warpcheck)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/warpcheckConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/warpcheckConfig.cmake INSTALL_DESTINATION ${_package}
                              PATH_VARS WARPCHECK_INSTALL_WORKERS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpcheckConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/warpcheckConfig.cmake ${PROJECT_BINARY_DIR}/warpcheckConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/warpcheck_location.cpp.in
              ${PROJECT_SOURCE_DIR}/cmake/WarpcheckNvcc.cmake ${PROJECT_SOURCE_DIR}/cmake/WarpcheckAddKernels.cmake
        DESTINATION ${_package})
