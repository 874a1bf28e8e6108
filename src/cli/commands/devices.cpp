// See devices.h.
#include "cli/commands/devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "cli/json_text.h"
#include "runtime/device_measurements.h"

namespace assay::cli {
namespace {

struct Options {
  bool is_measuring = false;
  bool is_json = false;
};

Json describe(const runtime::OpenedDevice& opened, const runtime::Measurements& measurements) {
  const device::DeviceLimits& limits = opened.device->limits();
  Json measured = Json::object();
  for (const trace::MeasurementRecord& each : measurements) {
    measured[each.name] = {{"value", each.value}, {"unit", each.unit}};
  }
  return {{"kind", "cpu"},
          {"name", opened.device->name()},
          {"threads", opened.threads},
          {"memory_bytes", limits.total_memory_bytes},
          {"max_buffer_bytes", limits.max_buffer_bytes},
          {"max_threads_per_threadgroup", limits.max_threads_per_threadgroup},
          {"max_threadgroup_memory_bytes", limits.max_threadgroup_memory_bytes},
          {"simdgroup_width", kernel::kSimdgroupWidth},
          {"measurements", std::move(measured)}};
}

std::string make_table(const runtime::OpenedDevice& opened) {
  using base::Align;
  const device::DeviceLimits& limits = opened.device->limits();
  base::Table table({{"device"},
                     {"name"},
                     {"threads", Align::kRight},
                     {"memory", Align::kRight},
                     {"threads/group", Align::kRight},
                     {"group memory", Align::kRight},
                     {"simdgroup", Align::kRight}});
  table.add_row({"cpu", opened.device->name(), fmt::format("{}", opened.threads),
                 base::format_bytes(limits.total_memory_bytes),
                 fmt::format("{}", limits.max_threads_per_threadgroup),
                 base::format_bytes(limits.max_threadgroup_memory_bytes),
                 fmt::format("{}", kernel::kSimdgroupWidth)});
  return table.text();
}

std::string value_text(const trace::MeasurementRecord& measured) {
  if (measured.unit == "ns") return base::format_duration(measured.value);
  if (measured.unit == "share") return fmt::format("{:.0f} %", 100 * measured.value);
  const std::string_view unit =
      measured.unit == "bytes/s" ? std::string_view("B/s") : measured.unit;
  return fmt::format("{:.1f} G{}", measured.value / 1e9, unit);
}

bool is_for_estimates(const trace::MeasurementRecord& measured) {
  return measured.unit == "ns/element" || measured.name.starts_with("copy_bandwidth_") ||
         measured.name.starts_with("in_place_bandwidth_");
}

// "peak bandwidth: 12.3 GB/s", a line each; empty where nothing was measured. Of the many that only
// estimates need, how many there are.
std::string measured_text(const runtime::Measurements& measurements) {
  std::string text;
  for (const trace::MeasurementRecord& each : measurements) {
    if (is_for_estimates(each)) continue;
    std::string name = each.name;
    std::ranges::replace(name, '_', ' ');
    text += fmt::format("{}{}: {}\n", text.empty() ? "\n" : "", name, value_text(each));
  }
  const auto others = std::ranges::count_if(measurements, is_for_estimates);
  if (others > 0) text += fmt::format("and {} costs of ops and sizes; --json has them\n", others);
  return text;
}

Result<int> run(const Options& options, const Console& console) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  const Result<runtime::OpenedDevice> opened = runtime::open_device();
  if (!opened) return opened.error();
  const std::string path = runtime::measurements_path(*settings);
  const runtime::MeasuredDevice device{opened->device->name(), opened->threads};
  runtime::Measurements measurements = runtime::load_measurements(path, device);
  if (options.is_measuring) {
    Result<runtime::Measurements> measured = runtime::measure_device(*opened);
    if (!measured) return measured.error();
    measurements = std::move(*measured);
    if (const auto stored = runtime::store_measurements(path, device, measurements); !stored) {
      return stored.error();
    }
  }
  console.print(options.is_json
                    ? json_text({{"devices", Json::array({describe(*opened, measurements)})}})
                    : make_table(*opened) + measured_text(measurements));
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "devices",
       .summary = "List the devices of this machine with their limits",
       .example = "Examples:\n  assay devices --json\n  assay devices --measure"},
      [](CLI::App& app, Options& options) {
        app.add_flag("--measure", options.is_measuring,
                     "Measure peak bandwidth, flop rate and what ops cost,\n"
                     "and keep them: traces made from then on have them, and\n"
                     "reports compare kernels with them");
      },
      run);
}

}  // namespace assay::cli
