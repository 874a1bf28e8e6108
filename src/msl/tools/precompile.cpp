// Build step: writes the precompiled standard library to the file named by the first argument.
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "msl/compile.h"
#include "msl/standard_library.h"

namespace assay::msl {
std::string_view precompiled_standard_library() { return {}; }
}  // namespace assay::msl

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: msl_precompile OUTPUT\n", stderr);
    return 2;
  }
  std::string error;
  std::string bytes = assay::msl::precompile_standard_library(error);
  if (bytes.empty()) {
    std::fputs(error.c_str(), stderr);
    return 1;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file.good() ? 0 : 1;
}
