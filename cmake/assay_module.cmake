# assay_module(<name> …): one call per source folder. The suffix of a file decides what it is:
#   main.cpp    → program, named by EXECUTABLE
#   *_test.cpp  → assay_<name>_test, one GoogleTest program, run by ctest
#   *_fuzz.cpp  → assay_<stem>, one fuzz target per file, its corpus replayed by ctest
#   *_bench.cpp → assay_<name>_bench, one Google Benchmark program (ASSAY_BENCH)
#   testing/*.cpp → assay_<name>_test, what its tests share
#   other *.cpp → static library assay_<name>
#
#   DEPENDS …         modules (assay_kernel …); public, with their include folders
#   LIBRARIES …       other libraries. LLVM and clang-cpp also bring headers and precompiled headers
#   SOURCES_FROM …    sub-folders whose files belong to this module too (passes, commands)
#   TEST_LIBRARIES …  further libraries for tests, fuzz targets and benchmarks
#   TEST_LABELS …     ctest labels, "none" (no device) unless told
#   PRECOMPILE …      headers of other libraries that most files include, where that takes long
#   EXECUTABLE name   file name of the program built from main.cpp
#   NO_RTTI           for modules that derive from LLVM or clang classes (implied by LLVM, clang-cpp)
function(assay_module name)
  cmake_parse_arguments(arg "NO_RTTI" "EXECUTABLE"
                        "DEPENDS;LIBRARIES;SOURCES_FROM;TEST_LIBRARIES;TEST_LABELS;PRECOMPILE"
                        ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "assay_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()

  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder ${arg_SOURCES_FROM})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(main ${sources})
  list(FILTER main INCLUDE REGEX "/main\\.cpp$")
  foreach(kind test fuzz bench)
    set(${kind}_sources ${sources})
    list(FILTER ${kind}_sources INCLUDE REGEX "_${kind}\\.cpp$")
  endforeach()
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|_bench|/main)\\.cpp$")
  file(GLOB shared_test_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/testing/*.cpp)
  list(APPEND test_sources ${shared_test_sources})

  list(TRANSFORM arg_LIBRARIES REPLACE "^LLVM$" assay_llvm)
  list(TRANSFORM arg_LIBRARIES REPLACE "^clang-cpp$" assay_clang)
  set(ASSAY_MODULE_LIBRARIES ${arg_LIBRARIES})
  set(ASSAY_MODULE_NO_RTTI ${arg_NO_RTTI})

  set(library assay_${name})
  if(sources)
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
    assay_set_up_target(${library})
    if(ASSAY_PCH AND arg_PRECOMPILE)
      target_precompile_headers(${library} PRIVATE ${arg_PRECOMPILE})
    endif()
    set_property(GLOBAL APPEND PROPERTY ASSAY_MODULES ${library})
    set_property(GLOBAL APPEND PROPERTY ASSAY_LIBRARIES ${arg_LIBRARIES})
  else()
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${library} ${scope} ${PROJECT_SOURCE_DIR}/src
                             ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${library} ${scope} ${arg_DEPENDS} ${arg_LIBRARIES} Threads::Threads)

  if(main)
    add_executable(${library}_main ${main})
    set_target_properties(${library}_main PROPERTIES OUTPUT_NAME ${arg_EXECUTABLE})
    target_link_libraries(${library}_main PRIVATE ${library})
    assay_set_up_target(${library}_main)
  endif()
  if(ASSAY_TESTS)
    assay_add_module_tests(${library} "${test_sources}" "${arg_TEST_LIBRARIES}" "${arg_TEST_LABELS}")
    foreach(source ${fuzz_sources})
      assay_add_fuzz_target(${library} ${source} "${arg_TEST_LIBRARIES}")
    endforeach()
  endif()
  if(ASSAY_BENCH AND bench_sources)
    add_executable(${library}_bench ${bench_sources})
    target_link_libraries(${library}_bench PRIVATE ${library} ${arg_TEST_LIBRARIES}
                          benchmark::benchmark_main)
    assay_set_up_target(${library}_bench)
    set_property(GLOBAL APPEND PROPERTY ASSAY_BENCHES ${library}_bench)
  endif()
endfunction()

# For code that waits for others, not for its own loops: optimising it more only takes time.
function(assay_build_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# RTTI and precompiled headers of one target, from the module's arguments in the caller's scope.
function(assay_set_up_target target)
  if("assay_llvm" IN_LIST ASSAY_MODULE_LIBRARIES OR "assay_clang" IN_LIST ASSAY_MODULE_LIBRARIES)
    target_compile_options(${target} PRIVATE -fno-rtti)
    assay_use_precompiled(${target} ${ASSAY_MODULE_LIBRARIES})
  elseif(ASSAY_MODULE_NO_RTTI)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
endfunction()

function(assay_add_module_tests library sources libraries labels)
  if(NOT sources)
    return()
  endif()
  add_executable(${library}_test ${sources})
  target_link_libraries(${library}_test PRIVATE ${library} ${libraries} GTest::gtest_main)
  target_compile_definitions(${library}_test
                             PRIVATE ASSAY_SOURCE_FOLDER="${PROJECT_SOURCE_DIR}")
  assay_build_quickly(${library}_test)
  assay_set_up_target(${library}_test)
  add_test(NAME ${library}_test COMMAND ${library}_test --gtest_brief=1)
  assay_set_up_test(${library}_test "${labels}")
endfunction()

# With ASSAY_FUZZ a libFuzzer program; otherwise the replay driver over the stored corpus, as a test.
function(assay_add_fuzz_target library source libraries)
  cmake_path(GET source STEM stem)
  set(target assay_${stem})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE ${library} ${libraries})
  assay_set_up_target(${target})
  if(ASSAY_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set_property(GLOBAL APPEND PROPERTY ASSAY_FUZZ_TARGETS ${target})
  else()
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/fuzz_replay_main.cpp)
    add_test(NAME ${target}_replay COMMAND ${target} ${PROJECT_SOURCE_DIR}/tests/corpus/${stem})
    assay_set_up_test(${target}_replay "")
  endif()
endfunction()

# Labels, time limit and sanitizer settings of one ctest entry.
function(assay_set_up_test test labels)
  if(NOT labels)
    set(labels none)
  endif()
  # Wall time: instrumented suites of kernels take minutes of an idle machine, more of a busy one.
  if(ASSAY_SANITIZE)
    set(limit_s 3600)
  else()
    set(limit_s 900)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT ${limit_s})
  if(ASSAY_SANITIZE STREQUAL "thread")
    set_tests_properties(${test} PROPERTIES ENVIRONMENT
      "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan_suppressions.txt:halt_on_error=1")
  elseif(ASSAY_SANITIZE STREQUAL "address")
    # LLVM's allocators are inline functions: our copies poison memory that those in Debian's
    # libraries, which are not instrumented, hand out without telling AddressSanitizer.
    set_tests_properties(${test} PROPERTIES ENVIRONMENT
      "ASAN_OPTIONS=detect_stack_use_after_return=1:allow_user_poisoning=0;UBSAN_OPTIONS=print_stacktrace=1")
  endif()
endfunction()

# The same for an entry that starts Python with the package of this build.
function(assay_set_up_python_test test)
  assay_set_up_test(${test} cpu)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT
               PYTHONPATH=${PROJECT_BINARY_DIR}/python ASSAY_PROGRAM=$<TARGET_FILE:assay_cli_main>)
  if(ASSAY_SANITIZE)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT LD_PRELOAD=${ASSAY_SANITIZER_RUNTIME})
  endif()
  if(ASSAY_SANITIZE STREQUAL "address")
    # The interpreter, NumPy and pybind11's types live until the process ends, and stacks end inside
    # the interpreter, so that leaks of theirs cannot be told from ours. Programs in C++ look for ours.
    set_property(TEST ${test} PROPERTY ENVIRONMENT_MODIFICATION
                 ASAN_OPTIONS=string_append::detect_leaks=0)
  endif()
endfunction()
