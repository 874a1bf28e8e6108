// A lazy n-dimensional array: a handle on a node of a graph. Ops only add nodes; memory and values
// come with eval().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/dtype.h"
#include "assay/export.h"
#include "assay/stream.h"

namespace assay {

using ShapeElem = int32_t;

// A vector that prints: (2,3).
template <typename Number>
struct NumberList : std::vector<Number> {
  using Vector = std::vector<Number>;
  using std::vector<Number>::vector;
  NumberList() = default;
  NumberList(const Vector& numbers) : Vector(numbers) {}
  NumberList(Vector&& numbers) noexcept : Vector(std::move(numbers)) {}
};
using Shape = NumberList<ShapeElem>;
using Strides = NumberList<int64_t>;  // in elements
ASSAY_API std::ostream& operator<<(std::ostream& out, const Shape& shape);
ASSAY_API std::ostream& operator<<(std::ostream& out, const Strides& strides);

// The integer part of a number, and of that the bits that `To` has room for. A number that is too
// large for the integers of the machine becomes the lowest of them, as NumPy has it.
template <typename To>
To convert_to_integer(double value) {
  constexpr bool is_wide = sizeof(To) > 4 || std::is_same_v<To, uint32_t>;
  using Machine = std::conditional_t<is_wide, int64_t, int32_t>;
  constexpr Machine kLowest = std::numeric_limits<Machine>::min();
  constexpr double kEnd = -static_cast<double>(kLowest);
  if constexpr (std::is_same_v<To, uint64_t>) {
    if (value >= kEnd && value < 2 * kEnd) return static_cast<uint64_t>(value);
  }
  return static_cast<To>(value > -kEnd - 1 && value < kEnd ? static_cast<Machine>(value) : kLowest);
}

// One element as another type: complex numbers lose their imaginary part.
template <typename To, typename From>
To convert_element(const From& value) {
  constexpr bool is_integer = std::is_integral_v<To> && !std::is_same_v<To, bool>;
  if constexpr (is_complex_v<From> && !is_complex_v<To>) {
    return convert_element<To>(value.real());
  } else if constexpr (is_integer && !std::is_integral_v<From>) {
    if constexpr (std::is_floating_point_v<From>) return convert_to_integer<To>(value);
    return convert_to_integer<To>(static_cast<float>(value));
  } else if constexpr (is_complex_v<To> && !is_complex_v<From>) {
    return complex64_t(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

struct Node;  // see src/array/node.h
class ArrayIterator;

// Copies share the node. Different threads may use different handles on one node at once.
class ASSAY_API array {
 public:
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_same_v<T, float16_t> ||
             std::is_same_v<T, bfloat16_t>)
  explicit array(T value, Dtype dtype = TypeToDtype<T>()) : array(Shape{}, dtype) {
    fill(&value);
  }
  explicit array(const std::complex<float>& value, Dtype dtype = complex64);
  // Reads as many elements as `shape` has from `data`, converting each to `dtype`.
  template <std::input_iterator It>
    requires(!std::is_same_v<It, void*>)
  explicit array(It data, Shape shape,
                 Dtype dtype = TypeToDtype<typename std::iterator_traits<It>::value_type>())
      : array(std::move(shape), dtype) {
    fill(data);
  }
  template <typename T>
  explicit array(std::initializer_list<T> data, Dtype dtype = TypeToDtype<T>())
      : array(Shape{static_cast<ShapeElem>(data.size())}, dtype) {
    fill(data.begin());
  }
  // Empty lists are float32, and array({}, dtype) is an empty array.
  explicit array(std::initializer_list<float> data);
  explicit array(std::initializer_list<int> data, Dtype dtype);
  template <typename T>
  explicit array(std::initializer_list<T> data, Shape shape, Dtype dtype = TypeToDtype<T>())
      : array(std::move(shape), dtype) {
    if (data.size() != size()) {
      throw std::invalid_argument("Data size and provided shape mismatch in array construction.");
    }
    fill(data.begin());
  }
  // Takes row-contiguous memory over without a copy where it is aligned to its elements. Nothing is
  // ever written to it. `deleter` is called when it is no longer needed, by any thread; without one
  // the memory is copied.
  explicit array(void* data, Shape shape, Dtype dtype, const std::function<void(void*)>& deleter);
  explicit array(std::shared_ptr<Node> node) : node_(std::move(node)) {}

  Dtype dtype() const;
  const Shape& shape() const;
  ShapeElem shape(int axis) const;
  size_t ndim() const { return shape().size(); }
  size_t size() const;  // elements
  size_t itemsize() const { return dtype().size(); }
  size_t nbytes() const { return size() * itemsize(); }
  // Equal for handles on the same node.
  std::uintptr_t id() const { return reinterpret_cast<std::uintptr_t>(node_.get()); }

  // Computes the values and waits for them. Throws what went wrong, with the lines that created and
  // evaluated the array.
  void eval();
  void wait();
  // True once data() may be read without waiting.
  bool is_available() const;
  // The value of an array with one element; evaluates.
  template <typename T>
  T item() {
    if (size() != 1) throw std::invalid_argument("item can only be called on arrays of size 1.");
    eval();
    return visit_dtype(dtype(), [&](auto sample) -> T {
      using From = decltype(sample);
      return convert_element<T>(*static_cast<const From*>(raw()));
    });
  }
  template <typename T>
  T item() const {
    return array(*this).item<T>();
  }

  // Of evaluated arrays only.
  const Strides& strides() const;
  int64_t strides(int axis) const { return strides().at(axis < 0 ? axis + ndim() : axis); }
  // The first element; the others lie where strides() says.
  template <typename T>
  T* data() {
    return static_cast<T*>(raw());
  }
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(raw());
  }

  // How an evaluated array lies in memory: without gaps, and in the order of rows or columns.
  struct Flags {
    bool contiguous;
    bool row_contiguous;
    bool col_contiguous;
  };
  Flags flags() const;
  // Elements of memory between the first and the last one, both counted.
  size_t data_size() const;

  // True until the array has been evaluated, unless it was made from values.
  bool has_primitive() const;
  // While compile traces a function, on the thread that does: the function's arrays have no values.
  bool is_tracer() const;
  void set_tracer(bool is_tracer);

  // Over the arrays along the first axis.
  ArrayIterator begin() const;
  ArrayIterator end() const;

  // What ops are made of; see src/array.
  Node& node() const { return *node_; }
  const std::shared_ptr<Node>& node_ptr() const { return node_; }
  void overwrite_descriptor(const array& other) { node_ = other.node_; }

  array(const array&) = default;
  array(array&&) noexcept = default;
  array& operator=(const array&) & = default;
  array& operator=(array&&) & noexcept = default;
  // Comparison is element-wise, so an array on the left of = must be a variable.
  array& operator=(const array&) && = delete;
  array& operator=(array&&) && = delete;
  ~array() = default;

 private:
  // With memory that nobody has written yet.
  array(Shape shape, Dtype dtype);
  void* raw() const;
  std::byte* data_bytes() const;

  template <typename It>
  void fill(It source) {
    visit_dtype(dtype(), [&](auto sample) {
      using To = decltype(sample);
      auto* target = static_cast<To*>(raw());
      const size_t count = size();
      for (size_t i = 0; i < count; ++i, ++source) {
        target[i] = convert_element<To>(*source);
      }
    });
  }

  std::shared_ptr<Node> node_;
};

class ASSAY_API ArrayIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = const array;
  using reference = value_type;

  explicit ArrayIterator(array over, int index = 0) : over_(std::move(over)), index_(index) {}
  reference operator*() const;
  ArrayIterator& operator+(difference_type steps) {
    index_ += static_cast<int>(steps);
    return *this;
  }
  ArrayIterator& operator++() {
    ++index_;
    return *this;
  }
  bool operator==(const ArrayIterator& other) const {
    return over_.id() == other.over_.id() && index_ == other.index_;
  }

 private:
  array over_;
  int index_;
};

inline ArrayIterator array::begin() const {
  if (ndim() == 0) throw std::invalid_argument("Can't iterate over 0-dimension arrays.");
  return ArrayIterator(*this);
}
inline ArrayIterator array::end() const { return ArrayIterator(*this, ndim() == 0 ? 0 : shape(0)); }

template <typename T>
inline constexpr bool is_array_v = std::is_same_v<std::remove_cvref_t<T>, array>;

}  // namespace assay
