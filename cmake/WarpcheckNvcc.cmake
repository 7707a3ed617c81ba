# Finds nvcc and the CUDA headers: beside the project (where scripts/setup lays them when a machine has none), on the
# path, or where the toolkit installs itself. Sets WARPCHECK_NVCC and WARPCHECK_CUDA_INCLUDE.
find_program(WARPCHECK_NVCC nvcc
             HINTS ${PROJECT_SOURCE_DIR}/.toolkit/bin ENV CUDA_HOME ENV CUDA_PATH
             PATH_SUFFIXES bin PATHS /usr/local/cuda)
if(NOT WARPCHECK_NVCC AND WARPCHECK_NVCC_HINT AND EXISTS "${WARPCHECK_NVCC_HINT}")
  set(WARPCHECK_NVCC "${WARPCHECK_NVCC_HINT}" CACHE FILEPATH "The CUDA compiler" FORCE)
endif()
if(WARPCHECK_NVCC)
  cmake_path(GET WARPCHECK_NVCC PARENT_PATH _warpcheck_nvcc_bin)
  find_path(WARPCHECK_CUDA_INCLUDE cuda_runtime_api.h HINTS ${_warpcheck_nvcc_bin}/../include
            PATHS /usr/local/cuda/include)
endif()
