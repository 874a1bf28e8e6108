// From the program's arguments to its exit code: 0 done, 1 failed, 2 wrong usage.
#pragma once

namespace assay::cli {

int run(int argc, const char* const* argv);

}  // namespace assay::cli
