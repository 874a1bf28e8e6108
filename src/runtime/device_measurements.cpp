// See device_measurements.h. Lines of text: the device, its threads, then name, value and unit.
#include "runtime/device_measurements.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/file_bytes.h"

namespace assay::runtime {
namespace {

constexpr uint64_t kMaxFileBytes = 16384;

std::string heading(const MeasuredDevice& device) {
  return fmt::format("assay measurements 1\ndevice {}\nthreads {}\n", device.name, device.threads);
}

}  // namespace

std::string measurements_path(const base::Settings& settings) {
  return settings.cache_folder.empty() ? std::string()
                                       : settings.cache_folder + "/measurements.txt";
}

Result<void> store_measurements(const std::string& path, const MeasuredDevice& device,
                                const Measurements& measurements) {
  if (path.empty()) {
    return Error{"there is no folder to keep measurements in; set HOME or ASSAY_CACHE_DIR"};
  }
  std::string text = heading(device);
  for (const trace::MeasurementRecord& each : measurements) {
    text += fmt::format("{} {:.6g} {}\n", each.name, each.value, each.unit);
  }
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failure);
  const std::span<const std::byte> part = std::as_bytes(std::span(text));
  if (const Result<void> written = base::write_file(path, {&part, 1}); !written) {
    return Error{fmt::format("'{}' cannot be written: {}", path, written.error().message)};
  }
  return {};
}

Measurements load_measurements(const std::string& path, const MeasuredDevice& device) {
  const auto text =
      path.empty() ? std::nullopt : base::read_file(path, {.max_bytes = kMaxFileBytes});
  const std::string expected = heading(device);
  if (!text || !text->starts_with(expected)) return {};
  Measurements measurements;
  std::istringstream lines(text->substr(expected.size()));
  trace::MeasurementRecord each;
  while (lines >> each.name >> each.value >> each.unit) {
    if (!std::isfinite(each.value) || each.value <= 0) return {};
    measurements.push_back(each);
  }
  return measurements;
}

}  // namespace assay::runtime
