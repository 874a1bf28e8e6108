// Any text as a launch file: an error with a message, or launches.
#include "base/ensure.h"
#include "cli/check/launch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = assay::cli::parse_launch_file(text, "launch.json");
  ASSAY_ENSURE(file ? !file->launches.empty() : !file.error().message.empty(),
               "neither launches nor an error");
  return 0;
}
