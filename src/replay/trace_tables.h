// The tables of a document that its commands point to, read whole and checked.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "kernel/dispatch.h"
#include "trace/document.h"
#include "trace/records.h"

namespace assay::replay {

using trace::Id;

struct ArrayRow {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in elements
};

// Every id that a row mentions is in the table it means.
struct TraceTables {
  std::unordered_map<Id, std::string> texts;
  std::unordered_map<Id, std::string> queues;  // labels
  std::unordered_map<Id, trace::CommandBufferRecord> command_buffers;
  std::unordered_map<Id, trace::KernelRecord> kernels;
  std::unordered_map<Id, kernel::LaunchSize> launches;
  std::unordered_map<Id, ArrayRow> arrays;
  std::unordered_map<Id, trace::BufferRecord> buffers;
  std::unordered_map<Id, int64_t> content_bytes;
  std::unordered_map<base::Hash128, Id> contents;
};

// The error names the row that is wrong.
Result<TraceTables> load_tables(const trace::Document& document);

}  // namespace assay::replay
