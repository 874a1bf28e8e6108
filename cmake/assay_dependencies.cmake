# Libraries from the system. All of them are Debian packages that scripts/deps installs.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19)
find_package(Clang 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19)

if(ASSAY_TESTS)
  find_package(GTest REQUIRED)
endif()
if(ASSAY_BENCH)
  find_package(benchmark REQUIRED)
endif()

# Shared LLVM and clang with their headers as system headers: LLVM's own targets carry no include
# folder, and a static link would take minutes and gigabytes.
add_library(assay_llvm INTERFACE)
target_include_directories(assay_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(assay_llvm INTERFACE LLVM)

add_library(assay_clang INTERFACE)
target_include_directories(assay_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})
target_link_libraries(assay_clang INTERFACE assay_llvm clang-cpp)
