// Code that debuggers can show: tells them where its functions, lines and variables are, and looks
// lines up for error messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::device::cpu {

struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

// A linked object with debug information. Debuggers know it from construction to destruction.
class DebugObject {
 public:
  // Where the linker has put a section of the object.
  struct PlacedSection {
    std::string name;
    uintptr_t address = 0;
  };

  // Null when the object has no debug information, or cannot be read. Thread-safe.
  static std::unique_ptr<DebugObject> create(std::span<const uint8_t> object,
                                             std::span<const PlacedSection> sections);
  virtual ~DebugObject() = default;

  // Of the innermost function at an instruction; nothing when it is not in this object or has no
  // line.
  virtual std::optional<SourceLine> find_line(uintptr_t instruction) const = 0;
};

}  // namespace assay::device::cpu
