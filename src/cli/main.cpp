// The program `assay`.
#include <cstdio>
#include <exception>

#include "cli/run.h"

int main(int argc, char** argv) {
  try {
    return assay::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
