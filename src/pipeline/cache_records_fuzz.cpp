// Any bytes as an entry of the kernel cache and as its payload: nothing or a value that survives
// writing and reading.
#include "pipeline/cache_records.h"

#include "base/ensure.h"
#include "pipeline/cache_entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace assay::pipeline;  // NOLINT(google-build-using-namespace)

template <typename Value>
void check(const std::optional<Value>& value,
           std::optional<Value> (*decode)(std::string_view payload)) {
  if (!value) return;
  const std::string payload = encode(*value);
  const std::optional<Value> again = decode(payload);
  ASSAY_ENSURE(again && encode(*again) == payload, "a written record reads differently");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  peek_title(bytes);
  // The fuzzer cannot guess checksums: payloads are tried with and without their entry.
  const EntryId id{EntryKind::kKernel, {.low = 1, .high = 2}};
  decode_entry(bytes, id);
  const std::string file = encode_entry(id, bytes.substr(0, 9), bytes);
  const auto entry = decode_entry(file, id);
  ASSAY_ENSURE(entry && entry->payload == bytes, "a written entry reads differently");
  check(decode_library(bytes), decode_library);
  check(decode_reflection(bytes), decode_reflection);
  check(decode_image(bytes), decode_image);
  return 0;
}
