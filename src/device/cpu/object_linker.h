// Makes compiled code callable: links one relocatable object into this process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "device/cpu/debug_object.h"

namespace assay::device::cpu {

// Owns the mapped code; the entry is valid as long as this lives.
class LinkedObject {
 public:
  virtual ~LinkedObject() = default;
  virtual const void* entry() const = 0;
  // Stack that the code can need at most, its functions taken together; 0 when the object does not
  // say.
  virtual uint64_t stack_bytes() const = 0;
  // Null when the object has no debug information.
  virtual const DebugObject* debug_object() const = 0;
};

// Undefined symbols are taken from runtime_symbols.h only, so that generated code cannot depend on
// anything else that happens to be in the process. Thread-safe.
Result<std::unique_ptr<LinkedObject>> link_object(std::span<const uint8_t> object,
                                                  const std::string& entry_symbol);

}  // namespace assay::device::cpu
