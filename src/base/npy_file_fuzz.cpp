// Any bytes as an .npy file: an error or an array, and an array survives writing and reading.
#include "base/npy_file.h"

#include "base/ensure.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace base = assay::base;
  const auto file = std::as_bytes(std::span(data, size));
  const assay::Result<base::NpyArray> array = base::parse_npy(file, "input");
  if (!array) return 0;

  const std::string header = base::npy_header(array->type, array->shape);
  std::vector<std::byte> copy(header.size() + array->data.size());
  const auto header_bytes = std::as_bytes(std::span(header));
  std::copy(header_bytes.begin(), header_bytes.end(), copy.begin());
  std::copy(array->data.begin(), array->data.end(),
            copy.begin() + static_cast<std::ptrdiff_t>(header.size()));
  const assay::Result<base::NpyArray> again = base::parse_npy(copy, "copy");
  ASSAY_ENSURE(again.ok(), "a written array cannot be read");
  ASSAY_ENSURE(
      again->type == array->type && again->shape == array->shape && again->data == array->data,
      "a written array reads differently");
  return 0;
}
