// No text may crash, hang or leak: any bytes are a source file.
#include <cstddef>
#include <cstdint>

#include "msl/compile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::msl::CompileOptions options;
  options.limits.seconds = 5;
  options.limits.tokens = 200'000;
  assay::msl::compile({"fuzz.metal", std::string(reinterpret_cast<const char*>(data), size)},
                      options);
  return 0;
}
