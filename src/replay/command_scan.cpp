// See command_scan.h.
#include "replay/command_scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/cpu_abi.h"
#include "replay/row_reader.h"

namespace assay::replay {
namespace {

using trace::BindingKind;
using trace::BindingRecord;
using trace::CommandKind;
using trace::CommandRecord;

// More than any host gives a kernel as bytes.
constexpr int64_t kMaxInlineBytes = int64_t{1} << 20;

template <typename Map>
void need(RowReader& row, const Map& rows, const std::optional<Id>& id, std::string_view what) {
  if (!id) return row.fail(fmt::format("it has no {}", what));
  if (!rows.contains(*id)) row.fail(fmt::format("{} {} is not in the document", what, *id));
}

CommandRecord read_command(RowReader& row) {
  CommandRecord command{.id = row.integer("id", {1}),
                        .command_buffer = row.integer("command_buffer"),
                        .position = row.size("position"),
                        .kind = static_cast<CommandKind>(
                            row.integer("kind", {0, static_cast<int64_t>(CommandKind::kSignal)})),
                        .started = row.integer("started", RowReader::kAny),
                        .ended = row.integer("ended", RowReader::kAny),
                        .label = row.integer("label"),
                        .site = row.integer("site")};
  command.kernel = row.optional_integer("kernel");
  command.launch = row.optional_integer("launch");
  command.value = row.optional_integer("value", RowReader::kAny);
  command.event = row.optional_integer("event");
  command.product = row.optional_integer("product");
  command.error = row.optional_text("error");
  return command;
}

void check_command(RowReader& row, const CommandRecord& command, const TraceTables& tables) {
  need(row, tables.command_buffers, std::optional(command.command_buffer), "command buffer");
  need(row, tables.texts, std::optional(command.label), "text");
  need(row, tables.texts, std::optional(command.site), "text");
  if (command.ended < command.started) row.fail("it ended before it started");
  switch (command.kind) {
    case CommandKind::kDispatch:
      need(row, tables.kernels, command.kernel, "kernel");
      need(row, tables.launches, command.launch, "launch");
      return;
    case CommandKind::kFill:
      if (!command.value || *command.value < 0 || *command.value > 255) {
        row.fail("'value' is no byte to fill with");
      }
      return;
    case CommandKind::kCopy: return;
    case CommandKind::kMatrixProduct: need(row, tables.texts, command.product, "product"); return;
    case CommandKind::kWait:
    case CommandKind::kSignal:
      if (!command.event || !command.value) row.fail("it has no event or no value");
      return;
  }
}

BindingRecord read_binding(RowReader& row) {
  BindingRecord binding;
  row.integer("command");
  binding.slot = row.size("slot");
  binding.kind = static_cast<BindingKind>(
      row.integer("kind", {0, static_cast<int64_t>(BindingKind::kThreadgroupMemory)}));
  binding.access = static_cast<uint8_t>(row.integer("access", {0, 3}));
  binding.buffer = row.optional_integer("buffer");
  binding.start = row.integer("start");
  binding.bytes = row.integer("bytes");
  binding.range_begin = row.integer("range_begin");
  binding.range_end = row.integer("range_end");
  binding.content = row.optional_integer("content");
  binding.array = row.optional_integer("array");
  binding.result = row.optional_hash("result");
  return binding;
}

void check_buffer(RowReader& row, const BindingRecord& binding, const TraceTables& tables) {
  need(row, tables.buffers, binding.buffer, "buffer");
  if (!row.is_valid()) return;
  const int64_t size = tables.buffers.at(*binding.buffer).bytes;
  if (binding.start > size || binding.bytes > size - binding.start) {
    row.fail(fmt::format("{} bytes from {} on do not fit buffer {} of {} bytes", binding.bytes,
                         binding.start, *binding.buffer, size));
  }
  if (binding.range_begin > binding.range_end || binding.range_end > size) {
    row.fail(fmt::format("the range from {} to {} does not fit buffer {} of {} bytes",
                         binding.range_begin, binding.range_end, *binding.buffer, size));
  }
  if (is_written(binding) && !binding.result) row.fail("it has no result although it was written");
}

void check_binding(RowReader& row, const BindingRecord& binding, const CommandRecord& command,
                   const TraceTables& tables) {
  if (binding.array) need(row, tables.arrays, binding.array, "array");
  if (binding.kind == BindingKind::kBuffer) {
    if (binding.slot >= kernel::kMaxBufferSlots) row.fail("there is no such slot");
    check_buffer(row, binding, tables);
    // What a kernel may use goes to the end of the buffer.
    if (row.is_valid() && command.kind == CommandKind::kDispatch &&
        binding.start + binding.bytes != tables.buffers.at(*binding.buffer).bytes) {
      row.fail("'start' and 'bytes' do not end with the buffer");
    }
    return;
  }
  if (command.kind != CommandKind::kDispatch) row.fail("only dispatches have such bindings");
  if (is_written(binding)) row.fail("only buffers are written");
  if (binding.kind == BindingKind::kThreadgroupMemory) return;
  need(row, tables.content_bytes, binding.content, "content");
  if (!row.is_valid()) return;
  if (binding.bytes > kMaxInlineBytes || tables.content_bytes.at(*binding.content) != binding.bytes)
    row.fail(fmt::format("content {} has not its {} bytes", *binding.content, binding.bytes));
}

// The slots that commands other than dispatches have, with how they use them.
Result<void> check_slots(const CommandRecord& command) {
  struct Slot {
    uint32_t slot;
    bool is_written;
  };
  static const std::vector<Slot> kFill = {{1, true}};
  static const std::vector<Slot> kCopy = {{0, false}, {1, true}};
  static const std::vector<Slot> kProduct = {{0, false}, {1, false}, {2, true}};
  static const std::vector<Slot> kNone;
  if (command.kind == CommandKind::kDispatch) return {};
  const std::vector<Slot>& slots = command.kind == CommandKind::kFill            ? kFill
                                   : command.kind == CommandKind::kCopy          ? kCopy
                                   : command.kind == CommandKind::kMatrixProduct ? kProduct
                                                                                 : kNone;
  const bool is_whole = std::ranges::equal(
      slots, command.bindings, [](const Slot& expected, const BindingRecord& binding) {
        return expected.slot == binding.slot && expected.is_written == is_written(binding);
      });
  if (!is_whole) {
    return Error{fmt::format("command {} has not the bindings that its kind needs", command.id)};
  }
  if (command.kind == CommandKind::kCopy &&
      command.bindings[0].bytes != command.bindings[1].bytes) {
    return Error{fmt::format("command {} copies {} bytes to {}", command.id,
                             command.bindings[0].bytes, command.bindings[1].bytes)};
  }
  return {};
}

}  // namespace

CommandScan::CommandScan(const trace::Document& document, const TraceTables& tables,
                         trace::Statement commands, trace::Statement bindings)
    : document_(&document),
      tables_(&tables),
      commands_(std::move(commands)),
      bindings_(std::move(bindings)) {}

Result<CommandScan> CommandScan::open(const trace::Document& document, const TraceTables& tables) {
  Result<trace::Statement> commands = document.prepare(
      "SELECT id, command_buffer, position, kind, started, ended, label, site, kernel, launch, "
      "value, event, product, error FROM commands ORDER BY id");
  if (!commands) return commands.error();
  Result<trace::Statement> bindings = document.prepare(
      "SELECT command, slot, kind, access, buffer, start, bytes, range_begin, range_end, content, "
      "array, result FROM bindings ORDER BY command, kind, slot");
  if (!bindings) return bindings.error();
  CommandScan scan(document, tables, std::move(*commands), std::move(*bindings));
  if (const Result<void> first = scan.step_bindings(); !first) return first.error();
  return scan;
}

Result<void> CommandScan::step_bindings() {
  const Result<bool> row = bindings_.step();
  if (!row) return document_->error(row.error().message);
  has_binding_ = *row;
  return {};
}

Result<void> CommandScan::read_bindings(CommandRecord& command) {
  while (has_binding_ && bindings_.integer(0) <= command.id) {
    if (bindings_.integer(0) != command.id) {
      return document_->error(
          fmt::format("table 'bindings' has a row for command {}, which is not in the document",
                      bindings_.integer(0)));
    }
    RowReader row(bindings_, "bindings", "command");
    BindingRecord binding = read_binding(row);
    if (row.is_valid()) check_binding(row, binding, command, *tables_);
    if (const Result<void> valid = row.finish(); !valid) {
      return document_->error(fmt::format("{} (slot {})", valid.error().message, binding.slot));
    }
    for (const BindingRecord& other : command.bindings) {
      const bool is_memory = binding.kind == BindingKind::kThreadgroupMemory;
      if (other.slot == binding.slot &&
          (other.kind == BindingKind::kThreadgroupMemory) == is_memory) {
        return document_->error(
            fmt::format("command {} has slot {} twice", command.id, binding.slot));
      }
    }
    command.bindings.push_back(std::move(binding));
    if (const Result<void> stepped = step_bindings(); !stepped) return stepped;
  }
  return {};
}

Result<std::optional<CommandRecord>> CommandScan::next() {
  const Result<bool> has_row = commands_.step();
  if (!has_row) return document_->error(has_row.error().message);
  if (!*has_row) {
    if (!has_binding_) return std::optional<CommandRecord>();
    return document_->error(
        fmt::format("table 'bindings' has a row for command {}, which is not in the document",
                    bindings_.integer(0)));
  }
  RowReader row(commands_, "commands");
  CommandRecord command = read_command(row);
  if (row.is_valid()) check_command(row, command, *tables_);
  // A damaged index of the file can give rows out of order, or for ever.
  if (row.is_valid() && command.id <= last_) row.fail("it is not behind the one before");
  if (const Result<void> valid = row.finish(); !valid) {
    return document_->error(valid.error().message);
  }
  last_ = command.id;
  if (const Result<void> read = read_bindings(command); !read) return read.error();
  if (const Result<void> valid = check_slots(command); !valid) {
    return document_->error(valid.error().message);
  }
  return std::optional(std::move(command));
}

const BindingRecord* find_buffer(const CommandRecord& command, uint32_t slot) {
  const auto found = std::ranges::find_if(command.bindings, [&](const BindingRecord& binding) {
    return binding.kind == BindingKind::kBuffer && binding.slot == slot;
  });
  return found == command.bindings.end() ? nullptr : &*found;
}

}  // namespace assay::replay
