// What a user's program sees of assay: the public header and nothing else.
#include <assay/assay.h>

#include <cstdio>

int main() {
  const std::string_view version = assay::version();
  std::printf("assay %.*s\n", static_cast<int>(version.size()), version.data());
}
