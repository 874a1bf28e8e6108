// No text may crash, hang or leak: any bytes are a source file.
#include <cstddef>
#include <cstdint>

#include "base/ensure.h"
#include "msl/compile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::msl::CompileOptions options;
  options.limits.seconds = 5;
  options.limits.tokens = 200'000;
  const assay::msl::CompileResult result = assay::msl::compile(
      {"fuzz.metal", std::string(reinterpret_cast<const char*>(data), size)}, options);
  // compile() contains crashes for its users; here one must be seen.
  for (const assay::msl::Diagnostic& diagnostic : result.diagnostics) {
    ASSAY_ENSURE(!diagnostic.message.starts_with("the compiler failed on"),
                 "the compiler crashed on this input");
  }
  return 0;
}
