// The end of a program whose own state is wrong. The only place below the command line that writes
// to standard error: nobody can be asked to handle this.
#include "base/ensure.h"

#include <cstdio>
#include <cstdlib>

namespace assay::base {

void fail_ensure(const char* file, int line, const char* condition, std::string_view message) {
  std::fprintf(stderr, "assay: internal error at %s:%d: %.*s [%s]\n", file, line,
               static_cast<int>(message.size()), message.data(), condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace assay::base
