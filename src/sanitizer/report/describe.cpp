// See describe.h.
#include "sanitizer/report/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sanitizer/coordinates.h"

namespace assay::sanitizer {
namespace {

std::string position_text(const uint32_t (&position)[3]) {
  return fmt::format("({}, {}, {})", position[0], position[1], position[2]);
}

// Bytes before the first element of the object, or behind the last one.
std::string distance_text(const MemoryPlace& memory) {
  if (memory.offset < 0) {
    const uint64_t before = uint64_t{0} - static_cast<uint64_t>(memory.offset);
    return fmt::format(", {} before the start", count_text(before, "byte"));
  }
  const auto offset = static_cast<uint64_t>(memory.offset);
  const std::string whole = count_text(memory.object_bytes, "byte");
  if (offset >= memory.object_bytes) {
    const uint64_t behind = offset - memory.object_bytes;
    return fmt::format(", {} behind the end of {}",
                       behind == 0 ? "right" : count_text(behind, "byte"), whole);
  }
  if (memory.bytes > memory.object_bytes - offset) {
    return fmt::format(", {} of {} behind the end of {}",
                       count_text(memory.bytes - (memory.object_bytes - offset)),
                       count_text(memory.bytes, "byte"), whole);
  }
  return {};
}

}  // namespace

std::string count_text(uint64_t count) {
  std::string text = std::to_string(count);
  for (size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}

std::string count_text(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun,
                     count == 1 ? "" : (noun.ends_with("ch") ? "es" : "s"));
}

std::string describe(const ThreadPlace& thread) {
  return fmt::format("{} of threadgroup {}, grid position {}", position_text(thread.thread),
                     position_text(thread.threadgroup), position_text(thread.grid));
}

namespace {

std::string place_text(const auto& place) {
  if (place.file.empty() || place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

}  // namespace

std::string describe(const SourcePlace& place) { return place_text(place); }
std::string describe(const ProgramPlace& place) { return place_text(place); }

std::string describe_object(const MemoryPlace& memory) {
  std::string text = fmt::format("{}: {}", memory.name.empty() ? "unnamed" : memory.name,
                                 memory.space.empty() ? "memory" : memory.space);
  if (!memory.type.empty()) text += " " + memory.type;
  if (!memory.shape.empty()) {
    text += fmt::format("[{}]", fmt::join(memory.shape, ", "));
  } else if (!memory.type.empty() && memory.element_bytes != 0) {
    text += fmt::format("[{}]", memory.object_bytes / memory.element_bytes);
  } else {
    text += fmt::format(", {}", count_text(memory.object_bytes, "byte"));
  }
  if (!memory.array.empty()) text += fmt::format(", array '{}'", memory.array);
  return text;
}

std::string describe_index(const MemoryPlace& memory) {
  const auto size = static_cast<int64_t>(memory.element_bytes);
  if (size <= 0) return fmt::format("byte {}{}", memory.offset, distance_text(memory));
  std::string text = fmt::format("{}", memory.index());
  if (const auto coordinates = find_coordinates(memory)) {
    text += fmt::format(" at [{}]", fmt::join(*coordinates, ", "));
  } else if (memory.offset % size != 0) {
    text += fmt::format(" (byte {})", memory.offset);
  }
  return text + distance_text(memory);
}

std::vector<Detail> details(const Finding& finding) {
  std::vector<Detail> rows;
  const uint64_t more = finding.occurrences == 0 ? 0 : finding.occurrences - 1;
  if (finding.thread) {
    std::string text = describe(*finding.thread);
    if (more > 0) text += fmt::format(", and {} more like it", count_text(more));
    rows.push_back({"thread", std::move(text)});
  } else if (more > 0) {
    rows.push_back({"seen", fmt::format("here, and {} more like it", count_text(more))});
  }
  if (finding.memory) {
    rows.push_back({"memory", describe_object(*finding.memory)});
    rows.push_back({"index", describe_index(*finding.memory)});
  }
  std::string kernel = finding.kernel;
  if (!finding.label.empty()) kernel += fmt::format(", label '{}'", finding.label);
  if (finding.command != 0) kernel += fmt::format(", dispatch {}", count_text(finding.command));
  if (!kernel.empty()) rows.push_back({"kernel", std::move(kernel)});
  if (finding.place.written) rows.push_back({"written", describe(*finding.place.written)});
  if (!finding.call_site.empty()) rows.push_back({"called", finding.call_site});
  return rows;
}

}  // namespace assay::sanitizer
