# One precompiled header for LLVM users and one for clang users, shared by all modules and tests
# with the same flags, so that a build compiles these headers twice instead of once per module.
function(assay_add_precompiled name header library)
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Carries the precompiled header; nothing else.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake)
  target_link_libraries(${name} PRIVATE ${library})
  target_compile_options(${name} PRIVATE -fno-rtti)
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
endfunction()

if(ASSAY_PCH)
  assay_add_precompiled(assay_precompiled_llvm precompiled_llvm.h assay_llvm)
  assay_add_precompiled(assay_precompiled_clang precompiled_clang.h assay_clang)
endif()

# Gives `target` the precompiled header that fits the libraries in ARGN, if any does.
function(assay_use_precompiled target)
  if(NOT ASSAY_PCH)
    return()
  endif()
  if("assay_clang" IN_LIST ARGN)
    target_precompile_headers(${target} REUSE_FROM assay_precompiled_clang)
  elseif("assay_llvm" IN_LIST ARGN)
    target_precompile_headers(${target} REUSE_FROM assay_precompiled_llvm)
  endif()
endfunction()
