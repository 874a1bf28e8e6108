// The array handle; evaluation is in eval/.
#include "assay/array.h"

#include <cstdlib>

#include "array/node.h"
#include "array/primitive.h"
#include "device/current.h"
#include "fmt/format.h"

namespace assay {
namespace {

std::shared_ptr<Node> make_ready_node(Shape shape, Dtype dtype,
                                      std::shared_ptr<device::Buffer> buffer) {
  auto node = base::make_recycled<Node>(std::move(shape), dtype);
  node->storage = base::make_recycled<Storage>();
  node->storage->buffer = std::move(buffer);
  node->strides = row_contiguous_strides(node->shape);
  node->status.store(NodeStatus::kReady, std::memory_order_release);
  return node;
}

const Node& evaluated(const Node& node, const char* call) {
  if (node.status.load(std::memory_order_acquire) == NodeStatus::kLazy) {
    throw std::invalid_argument(
        fmt::format("[array] {} needs values; call eval() on the array first.", call));
  }
  return node;
}

}  // namespace

array::array(Shape shape, Dtype dtype) {
  const size_t bytes = count_elements(shape) * dtype.size();
  Result<std::shared_ptr<device::Buffer>> buffer = device::current_device().allocate(bytes);
  if (!buffer) throw std::runtime_error("[array] " + buffer.error().message);
  node_ = make_ready_node(std::move(shape), dtype, std::move(*buffer));
}

array::array(const std::complex<float>& value, Dtype dtype) : array(Shape{}, dtype) {
  fill(&value);
}

array::array(std::initializer_list<float> data)
    : array(data.begin(), Shape{static_cast<ShapeElem>(data.size())}, float32) {}

array::array(std::initializer_list<int> data, Dtype dtype)
    : array(data.begin(), Shape{static_cast<ShapeElem>(data.size())}, dtype) {}

array::array(void* data, Shape shape, Dtype dtype, const std::function<void(void*)>& deleter) {
  const size_t bytes = count_elements(shape) * dtype.size();
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % dtype.size() == 0;
  // Without a deleter nobody says how long the memory lives.
  if (deleter && is_aligned && bytes != 0) {
    Result<std::shared_ptr<device::Buffer>> buffer = device::current_device().adopt(
        {static_cast<std::byte*>(data), bytes}, [deleter, data] { deleter(data); });
    if (!buffer) throw std::runtime_error("[array] " + buffer.error().message);
    node_ = make_ready_node(std::move(shape), dtype, std::move(*buffer));
    return;
  }
  *this = array(std::move(shape), dtype);
  if (bytes != 0) std::copy_n(static_cast<const std::byte*>(data), bytes, data_bytes());
  if (deleter) deleter(data);
}

std::byte* array::data_bytes() const { return static_cast<std::byte*>(raw()); }

Dtype array::dtype() const { return node_->dtype; }
const Shape& array::shape() const { return node_->shape; }
size_t array::size() const { return node_->size; }

ShapeElem array::shape(int axis) const {
  const int rank = static_cast<int>(ndim());
  if (axis < -rank || axis >= rank) {
    throw std::out_of_range(fmt::format(
        "[array] axis {} is out of bounds for an array with {} dimensions", axis, rank));
  }
  return shape()[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
}

bool array::is_available() const {
  switch (node_->status.load(std::memory_order_acquire)) {
    case NodeStatus::kReady: return true;
    case NodeStatus::kScheduled: return node_->completion->is_done();
    default: return false;
  }
}

const Strides& array::strides() const { return evaluated(*node_, "strides()").strides; }

void* array::raw() const {
  const Node& node = evaluated(*node_, "data()");
  return node.storage->buffer->data() + node.offset;
}

bool array::is_tracer() const { return node_->is_tracer && is_tracing(); }
void array::set_tracer(bool is_tracer) { node_->is_tracer = is_tracer; }
bool array::has_primitive() const {
  return node_->has_operation && node_->status.load(std::memory_order_acquire) == NodeStatus::kLazy;
}

size_t array::data_size() const {
  const Node& node = evaluated(*node_, "data_size()");
  if (node.size == 0) return 0;
  int64_t last = 0;
  for (size_t i = 0; i < node.shape.size(); ++i) {
    last += std::abs(node.strides[i]) * (node.shape[i] - 1);
  }
  return static_cast<size_t>(last) + 1;
}

array::Flags array::flags() const {
  const Node& node = evaluated(*node_, "flags()");
  int64_t stride = 1;
  bool is_column = true, is_rising = true;
  size_t different = 1;  // elements that broadcasting does not repeat
  for (size_t i = 0; i < node.shape.size(); ++i) {
    is_column &= node.shape[i] == 1 || node.strides[i] == stride;
    stride *= node.shape[i];
    if (node.shape[i] == 1) continue;
    is_rising &= node.strides[i] >= 0;
    if (node.strides[i] != 0) different *= static_cast<size_t>(node.shape[i]);
  }
  if (node.size == 0) return {true, true, true};
  return {is_rising && different == data_size(), is_row_contiguous(node), is_column};
}

void Arguments::add(const Entry& entry) {
  if (count_ == few_.size()) many_.assign(few_.begin(), few_.end());
  if (count_ < few_.size()) {
    few_[count_] = entry;
  } else {
    many_.push_back(entry);
  }
  ++count_;
}

Arguments& Arguments::input(const array& value) {
  add({.node = &value.node()});
  return *this;
}

Arguments& Arguments::output(const array& value) {
  add({.node = &value.node(), .is_output = true});
  return *this;
}

Arguments& Arguments::bytes(std::span<const std::byte> bytes) {
  add({.begin = static_cast<uint32_t>(bytes_.size()), .size = static_cast<uint32_t>(bytes.size())});
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

}  // namespace assay
