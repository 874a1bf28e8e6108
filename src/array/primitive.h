// What an operation does: the one interface between ops and evaluation.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "array/node.h"
#include "device/launch_checks.h"
#include "device/loaded_kernel.h"
#include "kernel/dispatch.h"
#include "kernel/matrix_product.h"

namespace assay {

class Encoder;

// Immutable and shared: many operations may use one object, on many threads.
class Primitive {
 public:
  virtual ~Primitive() = default;

  // As users know it ("add"); stands in messages, labels and fused names.
  virtual std::string_view name() const = 0;

  // Gives each output memory and encodes what writes it. Inputs have memory, and their values are
  // there when the encoded work runs. Throws std::exception for what cannot be done.
  virtual void encode(std::span<const array> inputs, std::span<array> outputs,
                      Encoder& encoder) const = 0;

  // Shapes of the outputs for other inputs, for compile(shapeless); nothing where the primitive
  // depends on the shapes it was made for, or where these inputs do not fit each other: encode()
  // relies on what the op checked.
  virtual std::optional<std::vector<Shape>> infer_shapes(std::span<const array> /*inputs*/) const {
    return {};
  }
  // Same work for the same inputs, so that compile may merge the two.
  virtual bool is_same(const Primitive& other) const { return this == &other; }
};

// An MSL kernel by a key that is unique in the process; the text is only made when no kernel of
// that key is there yet.
struct KernelRequest {
  std::string_view key = {};
  std::function<std::string()> source = {};
  std::string_view name = {};  // of the kernel function
  int math_mode = 0;           // as msl::MathMode
  // The user wrote the text: it is held to what Metal has.
  bool is_custom = false;
  // Who watches this dispatch; null: nobody beyond those who watch the device.
  std::shared_ptr<device::CheckService> checks = nullptr;
  // The memory of its outputs was just allocated. Of interest to checks.
  bool has_new_outputs = false;
  // Where the caller keeps the kernel once it is there; the texts above are then not needed. Null:
  // nowhere.
  std::shared_ptr<const device::LoadedKernel>* memo = nullptr;
};

// Arguments of a dispatch, by slot in the order they are added.
class Arguments {
 public:
  struct Entry {
    const Node* node = nullptr;  // an array, or
    uint32_t begin = 0;          // bytes in `bytes_`
    uint32_t size = 0;
    bool is_output = false;
  };
  Arguments& input(const array& value);
  Arguments& output(const array& value);
  template <typename T>
  Arguments& value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return bytes(std::as_bytes(std::span(&value, 1)));
  }
  template <typename T>
  Arguments& values(std::span<const T> values) {
    return bytes(std::as_bytes(values));
  }
  Arguments& bytes(std::span<const std::byte> bytes);

  std::span<const Entry> entries() const {
    return many_.empty() ? std::span(few_).first(count_) : std::span(many_);
  }
  std::span<const std::byte> bytes_of(const Entry& entry) const {
    return std::span(bytes_).subspan(entry.begin, entry.size);
  }

 private:
  void add(const Entry& entry);

  // Most kernels have few arguments.
  std::array<Entry, 8> few_;
  std::vector<Entry> many_;  // all, where they are more
  size_t count_ = 0;
  std::vector<std::byte> bytes_;
};

// Adds the work of one operation to its stream; implemented by eval.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // Row-contiguous memory of its own, not initialised.
  virtual void allocate(array& output) = 0;
  // The memory of an input that nobody else will read, if it fits; else its own. True for the
  // first.
  virtual bool allocate_or_reuse(array& output, std::span<const array> inputs) = 0;
  // Makes `output` a view of `source`'s memory; no work. `offset` in elements from its first.
  virtual void share(array& output, const array& source, Strides strides, int64_t offset) = 0;
  // An array of the same values whose rows follow one another: `source` itself where it already is.
  virtual array make_row_contiguous(const array& source) = 0;
  // Memory for intermediate values.
  virtual array make_temporary(Shape shape, Dtype dtype) = 0;

  virtual void dispatch(const KernelRequest& kernel, const Arguments& arguments,
                        const kernel::LaunchSize& size) = 0;
  // Sets every byte.
  virtual void fill_bytes(array& output, uint8_t value) = 0;
  // C = A·B for every product of the batch, by a library.
  virtual void matrix_product(kernel::MatrixProduct product, const array& a, const array& b,
                              array& c) = 0;
};

}  // namespace assay
