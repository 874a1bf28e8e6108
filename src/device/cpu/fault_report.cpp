// Finds the buffer an address belongs to and puts faults into words.
#include "device/cpu/fault_report.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/format.h"

namespace assay::device::cpu {
namespace {

// Addresses below this are null pointers with an index or member offset.
constexpr uintptr_t kNullPageBytes = 65536;

std::string position_text(const std::array<uint32_t, 3>& position) {
  return fmt::format("({}, {}, {})", position[0], position[1], position[2]);
}

// A piece of memory that the kernel may use.
struct Region {
  std::string name;
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  // Small pieces lie among the host's own data: further away than this, an address says nothing
  // about them.
  uint64_t reach_bytes = UINT64_MAX;

  uint64_t distance(uintptr_t address) const {
    if (address < begin) return begin - address;
    return address - begin < bytes ? 0 : address - begin - bytes;
  }
};

constexpr uint64_t kSmallReachBytes = 65536;

// The whole buffer, also when the kernel got an offset into it: that is what may be touched.
Region binding_region(const Launch& launch, const Bindings::Entry& entry) {
  const kernel::Argument* argument =
      launch.kernel.info().find_argument(kernel::ArgumentKind::kBuffer, entry.slot);
  Region region{.name = fmt::format("buffer {}", entry.slot)};
  if (argument != nullptr) region.name += fmt::format(" '{}'", argument->name);
  if (entry.kind == kernel::BindingKind::kBytes) {
    region.begin = reinterpret_cast<uintptr_t>(launch.bindings->data(entry));
    region.bytes = entry.bytes;
    region.reach_bytes = kSmallReachBytes;
    region.name += fmt::format(" ({} bytes of inline data)", region.bytes);
    return region;
  }
  region.begin = reinterpret_cast<uintptr_t>(entry.buffer->data());
  region.bytes = entry.buffer->size();
  const std::string& label = entry.buffer->label();
  const bool is_told = label.empty() || (argument != nullptr && label == argument->name);
  region.name += is_told ? fmt::format(" ({} bytes)", region.bytes)
                         : fmt::format(" ({} bytes, label '{}')", region.bytes, label);
  return region;
}

std::vector<Region> list_regions(const Launch& launch, const GroupFault& at) {
  std::vector<Region> regions;
  if (launch.bindings != nullptr) {
    for (const Bindings::Entry& entry : launch.bindings->entries()) {
      if (entry.kind == kernel::BindingKind::kThreadgroupMemory) continue;
      regions.push_back(binding_region(launch, entry));
    }
  }
  if (at.threadgroup_memory != 0 && launch.threadgroup_bytes != 0) {
    regions.push_back({fmt::format("threadgroup memory ({} bytes)", launch.threadgroup_bytes),
                       at.threadgroup_memory, launch.threadgroup_bytes, kSmallReachBytes});
  }
  return regions;
}

std::string nearest_region_text(const Launch& launch, const GroupFault& at, uintptr_t address) {
  const std::vector<Region> regions = list_regions(launch, at);
  const Region* nearest = nullptr;
  for (const Region& region : regions) {
    if (region.distance(address) > region.reach_bytes) continue;
    if (nearest == nullptr || region.distance(address) < nearest->distance(address)) {
      nearest = &region;
    }
  }
  if (nearest == nullptr) return ", far from everything that is bound";
  if (address < nearest->begin) {
    return fmt::format(", {} bytes before the start of {}", nearest->distance(address),
                       nearest->name);
  }
  if (address - nearest->begin < nearest->bytes) {
    return fmt::format(", byte {} of {}", address - nearest->begin, nearest->name);
  }
  return fmt::format(", {} bytes past the end of {}", nearest->distance(address), nearest->name);
}

// Names the arguments that are null in this launch.
std::string null_text(const Launch& launch) {
  std::string names;
  for (const kernel::Argument& argument : launch.kernel.info().arguments) {
    if (argument.kind != kernel::ArgumentKind::kBuffer) continue;
    if (launch.context.buffers[argument.slot] != nullptr) continue;
    names += fmt::format("{}'{}' ([[buffer({})]])", names.empty() ? "" : ", ", argument.name,
                         argument.slot);
  }
  if (names.empty()) return ", a null pointer";
  return fmt::format(", a null pointer; not bound in this dispatch: {}", names);
}

std::string memory_text(const Launch& launch, const GroupFault& at) {
  const KernelFault& fault = at.fault;
  const char* access = fault.access == MemoryAccess::kWrite     ? "invalid write"
                       : fault.access == MemoryAccess::kRead    ? "invalid read"
                       : fault.access == MemoryAccess::kExecute ? "jump to invalid code"
                                                                : "invalid memory access";
  if (!fault.address.has_value()) {
    return fmt::format("{} through a pointer that is no address at all", access);
  }
  const std::string where = *fault.address < kNullPageBytes
                                ? null_text(launch)
                                : nearest_region_text(launch, at, *fault.address);
  return fmt::format("{} at address {:#x}{}", access, *fault.address, where);
}

std::string place_text(const GroupFault& at) {
  std::string text = "threadgroup " + position_text(at.threadgroup);
  if (at.thread_count == 1) {
    text += ", thread " + position_text(at.first_thread_position);
  } else if (at.thread_count > 1) {
    text += fmt::format(", one of the threads {} to {}", at.first_thread,
                        at.first_thread + at.thread_count - 1);
  }
  return text;
}

// Of the instruction that failed, where the code knows lines.
std::optional<SourceLine> find_line(const Launch& launch, const GroupFault& at) {
  const DebugObject* debug = launch.kernel.debug_object();
  if (debug == nullptr || at.fault.instruction == 0) return std::nullopt;
  return debug->find_line(at.fault.instruction);
}

std::string running_text(std::span<const GroupFault> faults) {
  constexpr size_t kMaxNamed = 8;
  std::string text;
  size_t named = 0;
  for (const GroupFault& at : faults) {
    if (at.fault.kind != FaultKind::kTimeLimit || named == kMaxNamed) continue;
    text += (named++ == 0 ? "" : "; ") + place_text(at);
  }
  return text;
}

struct Explanation {
  std::string what;
  std::string advice;
};

Explanation explain(const Launch& launch, std::span<const GroupFault> faults, uint64_t elapsed_ns) {
  const GroupFault& first = faults.front();
  const std::string in_group = ", in " + place_text(first);
  switch (first.fault.kind) {
    case FaultKind::kMemory:
      return {memory_text(launch, first) + in_group,
              "check the kernel's indices against the sizes of its buffers (ASSAY_CHECK=bounds "
              "names the line)"};
    case FaultKind::kStack:
      return {"its private memory does not fit the stack of the host thread" + in_group,
              "use smaller arrays in the kernel"};
    case FaultKind::kDivision:
      return {"the processor refused an integer division" + in_group,
              "check for a divisor of 0, and of -1 with the smallest number"};
    case FaultKind::kInstruction:
      return {"it reached code that the processor cannot execute" + in_group,
              "check for undefined behaviour, such as a function that returns no value"};
    case FaultKind::kTimeLimit: break;
  }
  return {fmt::format("stopped after {}, the time limit for one dispatch, while it ran {}",
                      base::format_duration(static_cast<double>(elapsed_ns)), running_text(faults)),
          "look for a loop that never ends, or raise the limit"};
}

}  // namespace

Error make_fault_error(const Launch& launch, std::span<const GroupFault> faults,
                       uint64_t elapsed_ns) {
  const kernel::KernelInfo& info = launch.kernel.info();
  const std::optional<SourceLine> line = find_line(launch, faults.front());
  std::string place;
  if (line) {
    place = fmt::format(" at {}:{}", line->file, line->line);
  } else if (!info.file.empty()) {
    place = fmt::format(" ({}:{})", info.file, info.line);
  }
  const auto [what, advice] = explain(launch, faults, elapsed_ns);
  return Error{fmt::format("[dispatch] kernel '{}'{}: {}; {}", info.name, place, what, advice)};
}

}  // namespace assay::device::cpu
