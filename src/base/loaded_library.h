// What tells one build of a shared library from another while the program runs.
#pragma once

#include <string>
#include <string_view>

namespace assay::base {

// The linker's build ids of all loaded libraries whose file name starts with `prefix` ("libLLVM"),
// as hexadecimal digits; the file's name where a library has none. Empty when none is loaded.
std::string loaded_build_ids(std::string_view prefix);

}  // namespace assay::base
