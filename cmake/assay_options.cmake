# Build options, compiler flags and output folders that hold for every target.
option(ASSAY_WERROR "Treat compiler warnings as errors" OFF)
option(ASSAY_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ASSAY_PYTHON "Build the Python package" ON)
option(ASSAY_BENCH "Build the benchmarks" OFF)
option(ASSAY_FUZZ "Build fuzz targets with libFuzzer (needs clang) instead of the replay driver" OFF)
option(ASSAY_PCH "Use precompiled headers for LLVM and clang" ON)
set(ASSAY_SANITIZE "" CACHE STRING "Sanitizer of the whole build: empty, address or thread")
set_property(CACHE ASSAY_SANITIZE PROPERTY STRINGS "" address thread)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

include(GNUInstallDirs)

# -fPIC on everything, not CMake's -fPIE for programs: precompiled headers are shared between
# libraries and tests, and compilers refuse them when these flags differ.
add_compile_options(-Wall -Wextra -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
if(ASSAY_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports these inside libstdc++ and LLVM headers once they are inlined.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
else()
  # libstdc++ 12 uses a deprecated function of its own in stable_sort, and clang tells our lines.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
endif()
add_compile_options($<$<CONFIG:Debug>:-D_GLIBCXX_ASSERTIONS>)

if(ASSAY_SANITIZE STREQUAL "address")
  # No vptr check: modules on top of LLVM are compiled without RTTI. No function check: it reads the
  # type before a function's first byte, where a loaded kernel may have no memory at all.
  set(sanitizer -fsanitize=address,undefined -fno-sanitize=vptr,function
                -fno-sanitize-recover=all)
  set(sanitizer_name asan)
elseif(ASSAY_SANITIZE STREQUAL "thread")
  set(sanitizer -fsanitize=thread)
  set(sanitizer_name tsan)
elseif(ASSAY_SANITIZE)
  message(FATAL_ERROR "ASSAY_SANITIZE is '${ASSAY_SANITIZE}'; use address, thread or nothing")
endif()
list(JOIN sanitizer " " sanitizer_flags)
if(ASSAY_SANITIZE)
  add_compile_options(${sanitizer} -fno-omit-frame-pointer -g1)
  add_link_options(${sanitizer})
endif()
if(ASSAY_SANITIZE AND NOT ASSAY_FUZZ)
  # The runtime as a shared library. Debian's Python is not instrumented: it can only load our module
  # when the runtime was preloaded, and a program that it starts, or that starts it, must then not
  # bring a second one. gcc shares it anyway.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(runtime_name libclang_rt.${sanitizer_name}-${CMAKE_SYSTEM_PROCESSOR}.so)
  else()
    set(runtime_name lib${sanitizer_name}.so)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime_name}
                  OUTPUT_VARIABLE ASSAY_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT EXISTS "${ASSAY_SANITIZER_RUNTIME}")
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} has no ${runtime_name}; install its runtimes")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    cmake_path(GET ASSAY_SANITIZER_RUNTIME PARENT_PATH runtime_folder)
    set(sanitizer_link -shared-libsan -Wl,-rpath,${runtime_folder})
    list(JOIN sanitizer_link " " sanitizer_link_flags)
    add_link_options(${sanitizer_link})
  endif()
endif()
if(ASSAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ASSAY_FUZZ needs clang: use the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache gives up on every file that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${ASSAY_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  else()
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# The version-pinned folder first: Debian may have an older ld.lld on the path.
find_program(ASSAY_LLD ld.lld HINTS /usr/lib/llvm-19/bin)
if(ASSAY_LLD)
  cmake_path(GET ASSAY_LLD PARENT_PATH lld_folder)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-B${lld_folder} -fuse-ld=lld)
  else()
    add_link_options(--ld-path=${ASSAY_LLD})
  endif()
endif()
