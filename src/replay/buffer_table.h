// The buffers of a document on a device: there from their first use to their last.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "replay/replay_plan.h"
#include "replay/trace_tables.h"
#include "trace/document.h"

namespace assay::replay {

class BufferTable {
 public:
  // An error when the plan needs more memory than the device has. All but the plan must outlive the
  // table.
  static Result<BufferTable> create(const trace::Document& document, const TraceTables& tables,
                                    const ReplayPlan& plan, device::Device& device);

  // With its first contents when it is used for the first time.
  Result<std::shared_ptr<device::Buffer>> use(Id buffer);
  // Frees the buffers that no command behind this one uses.
  void end_command(Id command);

  // The bytes of a range of a buffer that is in use.
  std::span<std::byte> range(const trace::BindingRecord& binding);

 private:
  BufferTable(const trace::Document& document, const TraceTables& tables, device::Device& device)
      : document_(&document), tables_(&tables), device_(&device) {}

  const trace::Document* document_;
  const TraceTables* tables_;
  device::Device* device_;
  uint64_t least_bytes_ = 0;
  std::unordered_map<Id, std::shared_ptr<device::Buffer>> buffers_;
  std::unordered_map<Id, std::vector<Id>> ends_;  // by command: buffers it uses last
};

}  // namespace assay::replay
