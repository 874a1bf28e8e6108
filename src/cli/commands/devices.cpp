// See devices.h.
#include "cli/commands/devices.h"

#include <fmt/format.h>

#include "base/format.h"
#include "cli/json_text.h"
#include "runtime/open_device.h"

namespace assay::cli {
namespace {

struct Options {
  bool is_json = false;
};

Json describe(const runtime::OpenedDevice& opened) {
  const device::DeviceLimits& limits = opened.device->limits();
  return {{"kind", "cpu"},
          {"name", opened.device->name()},
          {"threads", opened.threads},
          {"memory_bytes", limits.total_memory_bytes},
          {"max_buffer_bytes", limits.max_buffer_bytes},
          {"max_threads_per_threadgroup", limits.max_threads_per_threadgroup},
          {"max_threadgroup_memory_bytes", limits.max_threadgroup_memory_bytes},
          {"simdgroup_width", kernel::kSimdgroupWidth}};
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

Result<int> run(const Options& options, const Console& console) {
  const Result<runtime::OpenedDevice> opened = runtime::open_device();
  if (!opened) return opened.error();
  console.print(options.is_json ? json_text({{"devices", Json::array({describe(*opened)})}})
                                : make_table(*opened));
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "devices",
       .summary = "List the devices of this machine with their limits",
       .example = "Example:\n  assay devices --json"},
      [](CLI::App&, Options&) {}, run);
}

}  // namespace assay::cli
