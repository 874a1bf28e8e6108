// What a finding's access touched: the argument, array or variable, and which element of it, in the
// words of the kernel and of the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"
#include "sanitizer/source_text.h"

namespace assay::sanitizer {

class AccessedMemory {
 public:
  // Both outlive the object.
  AccessedMemory(const LaunchChecker& launch, SourceText& sources)
      : launch_(launch), sources_(sources) {}

  // The object of an access, with everything that is known about it.
  MemoryPlace place(const RawFinding& raw, const kernel::CheckSite& site);
  // "input[12]", "tile[1][2]".
  std::string element_text(const MemoryPlace& place, const kernel::CheckSite& site);
  // Null for what is no argument.
  const kernel::Argument* find_argument(int object) const;
  // What an index without a sign was before it wrapped in 32 bits: not far below zero, in elements
  // of the argument's type.
  std::optional<int64_t> find_below_zero(const RawFinding& raw, const MemoryPlace& place) const;

 private:
  void describe_argument(int object, MemoryPlace& place) const;

  const LaunchChecker& launch_;
  SourceText& sources_;
};

// "'input', which has 12 elements (float32[3, 4])".
std::string object_text(const MemoryPlace& place);

// Bytes of one element, by the name of its dtype ("float32", "bool", "bfloat16"); 0 when unknown.
uint64_t dtype_bytes(std::string_view dtype);

}  // namespace assay::sanitizer
