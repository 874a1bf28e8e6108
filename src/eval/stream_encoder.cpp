// See stream_encoder.h.
#include "eval/stream_encoder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#include "ops/elementwise.h"

namespace assay {
namespace {

void require(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

// Nobody but the operation holds the array, its memory has one owner and is as large as needed.
bool may_take_over(const array& input, const array& output, std::span<const array> inputs,
                   int stream) {
  const Node& node = input.node();
  if (node.size != output.size() || node.dtype.size() != output.dtype().size()) return false;
  if (node.shape != output.shape() || !node.storage) return false;
  if (node.storage->buffer->is_adopted()) return false;
  const int user = node.storage->stream;
  if (user != stream && user != Storage::kNoStream) return false;
  long uses = 0;
  for (const array& each : inputs) uses += each.id() == input.id() ? 1 : 0;
  if (input.node_ptr().use_count() != uses || node.storage.use_count() != 1) return false;
  // Another thread may have read the values just before it let go of them.
  std::atomic_thread_fence(std::memory_order_acquire);
  return node.offset == 0 && is_row_contiguous(node);
}

// From the first element to the lowest, and to behind the highest.
std::pair<int64_t, int64_t> byte_extent(const Node& node) {
  if (node.size == 0) return {0, 0};
  int64_t low = 0, high = 0;
  for (size_t axis = 0; axis < node.shape.size(); ++axis) {
    const int64_t reach = (node.shape[axis] - 1) * node.strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  const auto item = static_cast<int64_t>(node.dtype.size());
  return {low * item, (high + 1) * item};
}

// Its own, or that of the array it is a view of.
std::string name_of(const Node& node) {
  if (const ArrayName own = find_name(node)) return *own;
  return node.storage && node.storage->name ? *node.storage->name : std::string();
}

const std::shared_ptr<const Elementwise>& copy_primitive(Dtype dtype) {
  thread_local std::unordered_map<int, std::shared_ptr<const Elementwise>> known;
  std::shared_ptr<const Elementwise>& entry = known[static_cast<int>(dtype.val())];
  if (!entry) entry = std::make_shared<Elementwise>(ElementTape{{{dtype}}, {}, {0}});
  return entry;
}

}  // namespace

void StreamEncoder::use(Storage& storage) {
  if (storage.stream == Storage::kNoStream) storage.stream = stream_.index;
  if (storage.stream != stream_.index) storage.stream = Storage::kManyStreams;
}

void StreamEncoder::allocate(array& output) {
  Node& node = output.node();
  Result<std::shared_ptr<device::Buffer>> buffer = engine_.device().allocate(output.nbytes());
  if (!buffer) throw std::runtime_error(buffer.error().message);
  node.storage = base::make_recycled<Storage>();
  node.storage->buffer = std::move(*buffer);
  node.strides = row_contiguous_strides(node.shape);
  node.offset = 0;
}

bool StreamEncoder::allocate_or_reuse(array& output, std::span<const array> inputs) {
  for (const array& input : inputs) {
    if (!may_take_over(input, output, inputs, stream_.index)) continue;
    output.node().storage = input.node().storage;
    output.node().storage->name = nullptr;
    output.node().strides = row_contiguous_strides(output.shape());
    output.node().offset = 0;
    return true;
  }
  allocate(output);
  return false;
}

void StreamEncoder::share(array& output, const array& source, Strides strides, int64_t offset) {
  Node& node = output.node();
  node.storage = source.node().storage;
  node.strides = std::move(strides);
  node.offset = source.node().offset + offset * static_cast<int64_t>(source.itemsize());
}

array StreamEncoder::make_temporary(Shape shape, Dtype dtype) {
  array temporary(base::make_recycled<Node>(std::move(shape), dtype));
  allocate(temporary);
  return temporary;
}

array StreamEncoder::make_row_contiguous(const array& source) {
  if (is_row_contiguous(source.node())) return source;
  array copy(base::make_recycled<Node>(source.shape(), source.dtype()));
  is_forced_copy_ = true;
  copy_primitive(source.dtype())->encode({&source, 1}, {&copy, 1}, *this);
  is_forced_copy_ = false;
  return copy;
}

void StreamEncoder::dispatch(const KernelRequest& request, const Arguments& arguments,
                             const kernel::LaunchSize& size) {
  pipeline::LoadedKernelPtr kernel = engine_.kernel(request, operation_.site);
  device::Bindings bindings;
  bindings.reserve(arguments.entries().size());
  uint32_t slot = 0;
  for (const Arguments::Entry& entry : arguments.entries()) {
    if (entry.node) {
      Storage& storage = *entry.node->storage;
      use(storage);
      stream_.bytes += entry.node->size * entry.node->dtype.size();
      bindings.buffer(slot++, storage.buffer, static_cast<uint64_t>(entry.node->offset));
    } else {
      bindings.bytes(slot++, arguments.bytes_of(entry));
    }
  }
  std::vector<Slot> slots;
  const bool is_checked = request.checks != nullptr;
  const bool is_labelled = engine_.is_labelling() || kernel->prints() || is_checked;
  if (is_labelled) {
    for (const Arguments::Entry& entry : arguments.entries()) {
      slots.push_back({entry.node, entry.is_output});
    }
  }
  device::CommandLabels texts =
      is_labelled ? make_labels(slots, engine_.is_describing_arrays() || is_checked)
                  : device::CommandLabels();
  if (request.is_custom) texts.role = kernel::CommandRole::kCustom;
  // Kernels of our own may fill an array together; whoever writes one promises a whole result.
  for (kernel::ArrayDescription& each : texts.arrays) {
    each.is_result = request.is_custom && arguments.entries()[each.slot].is_output;
    each.is_new = request.has_new_outputs && arguments.entries()[each.slot].is_output;
  }
  require(engine_.commands(stream_).dispatch(std::move(kernel), std::move(bindings), size,
                                             std::move(texts), request.checks));
}

device::CommandLabels StreamEncoder::labels(std::span<const Slot> slots) const {
  return engine_.is_labelling() ? make_labels(slots, engine_.is_describing_arrays())
                                : device::CommandLabels();
}

kernel::CommandRole StreamEncoder::role() const {
  if (is_forced_copy_) return kernel::CommandRole::kForcedCopy;
  const bool is_elementwise =
      dynamic_cast<const Elementwise*>(operation_.primitive.get()) != nullptr;
  return is_elementwise ? kernel::CommandRole::kElementwise : kernel::CommandRole::kOperation;
}

void StreamEncoder::note_traffic(std::span<const Slot> slots, device::CommandLabels& labels) const {
  const device::CommandBuffer& commands = engine_.commands(stream_);
  const auto index = static_cast<uint32_t>(commands.commands().size());
  for (const Slot& slot : slots) {
    if (slot.node == nullptr) continue;
    const auto [low, high] = byte_extent(*slot.node);
    const uint64_t bytes = std::min(static_cast<uint64_t>(high - low),
                                    uint64_t{slot.node->size * slot.node->dtype.size()});
    (slot.is_output ? labels.bytes_written : labels.bytes_read) += bytes;
    const Storage& storage = *slot.node->storage;
    const bool is_ours = storage.writer_evaluation == engine_.evaluation();
    if (!slot.is_output && is_ours) labels.reads_from.push_back(storage.writer);
  }
  for (const Slot& slot : slots) {
    if (slot.node == nullptr || !slot.is_output) continue;
    slot.node->storage->writer = {commands.id(), index};
    slot.node->storage->writer_evaluation = engine_.evaluation();
  }
}

device::CommandLabels StreamEncoder::make_labels(std::span<const Slot> slots,
                                                 bool describes_arrays) const {
  device::CommandLabels labels{std::string(operation_.primitive->name()),
                               describe(operation_.site)};
  labels.role = role();
  note_traffic(slots, labels);
  if (!describes_arrays) return labels;
  for (uint32_t slot = 0; slot < slots.size(); ++slot) {
    const Node* node = slots[slot].node;
    if (node == nullptr) continue;
    const auto [low, high] = byte_extent(*node);
    labels.arrays.push_back({.slot = slot,
                             .name = name_of(*node),
                             .dtype = std::string(dtype_name(node->dtype)),
                             .shape = {node->shape.begin(), node->shape.end()},
                             .strides = {node->strides.begin(), node->strides.end()},
                             .low = low,
                             .high = high});
  }
  return labels;
}

void StreamEncoder::fill_bytes(array& output, uint8_t value) {
  use(*output.node().storage);
  require(engine_.commands(stream_).fill(
      output.node().storage->buffer, static_cast<uint64_t>(output.node().offset), output.nbytes(),
      value, labels(std::array<Slot, 2>{Slot{}, Slot{&output.node(), true}})));
}

void StreamEncoder::matrix_product(kernel::MatrixProduct product, const array& a, const array& b,
                                   array& c) {
  const std::array<Slot, 3> slots = {Slot{&a.node()}, Slot{&b.node()}, Slot{&c.node(), true}};
  auto place = [&](const Node& node) {
    use(*node.storage);
    return device::MatrixProductCommand::Place{node.storage->buffer,
                                               static_cast<uint64_t>(node.offset)};
  };
  require(engine_.commands(stream_).matrix_product(
      {std::move(product), place(a.node()), place(b.node()), place(c.node()), labels(slots)}));
}

}  // namespace assay
