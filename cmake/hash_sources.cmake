# Build step of src/pipeline: writes a source file with one hash over the files named in the list file
# FILES, so that kernels compiled by another state of the compiler are never taken from a cache.
file(STRINGS ${FILES} files)
set(hashes "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND hashes "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")

set(text "// Generated from the sources of the compiler; see cmake/hash_sources.cmake.
#include <string_view>

namespace assay::pipeline {

std::string_view source_hash();
std::string_view source_hash() { return \"${hash}\"; }

}  // namespace assay::pipeline
")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
