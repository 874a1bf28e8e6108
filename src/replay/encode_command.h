// A command of a document as a command of a device.
#pragma once

#include "base/result.h"
#include "device/command.h"
#include "device/command_buffer.h"
#include "replay/buffer_table.h"
#include "replay/kernel_set.h"
#include "replay/trace_tables.h"
#include "trace/document.h"

namespace assay::replay {

struct EncodeContext {
  const trace::Document& document;
  const TraceTables& tables;
  const KernelSet& kernels;
  BufferTable& buffers;
};

// For everything but waits and signals. Can be added to any number of command buffers.
Result<device::Command> encode_work(const trace::CommandRecord& command,
                                    const EncodeContext& context);

// The device's own checks apply.
Result<void> add_command(device::CommandBuffer& commands, device::Command command);

}  // namespace assay::replay
