// What the commands of one command buffer are for: which operation each dispatch belongs to, what
// it reads and writes. When a kernel fails, it says which arrays have no values because of that,
// and why.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "array/call_site.h"
#include "assay/array.h"
#include "base/kept_memory.h"

namespace assay {

class Primitive;
struct Operation;
struct Storage;

// "add(float32(3,), float32(3,))" and the line that created it.
std::string describe_operation(const Operation& operation);

// Memory without values, and the operation that failed to write it.
using Failures = std::unordered_map<const Storage*, std::string>;

// Adding costs little: it is done for every operation. Keeps no memory of arrays alive.
class OperationLog {
 public:
  // Room for so many operations of the common kind.
  void reserve(size_t operations);
  // To be called once the outputs have memory; the dispatches up to `dispatch_end` are its own.
  void add(const Operation& operation, const std::vector<array>& outputs, uint32_t dispatch_end);
  void clear();

  struct FailedDispatch {
    uint32_t index;
    std::string message;
  };
  // What failed, and everything that was made from it or from `known` failures of other logs.
  Failures find_failures(const std::vector<FailedDispatch>& failed, const Failures& known) const;
  // Nothing that the commands write can be trusted.
  Failures fail_all(const std::string& message) const;

 private:
  struct Entry {
    std::shared_ptr<const Primitive> primitive;
    CallSitePtr site;
    uint32_t dispatch_end;
    uint32_t inputs_end, outputs_end, facts_end;
  };
  std::string describe(size_t number) const;

  base::KeptVector<Entry> entries_;
  // Of all entries, one behind the other; compared, never followed.
  base::KeptVector<const Storage*> inputs_, outputs_;
  base::KeptVector<int32_t> facts_;  // per input: dtype, rank, shape
};

}  // namespace assay
