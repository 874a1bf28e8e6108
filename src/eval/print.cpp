// Arrays as text. Here and not in array/: showing values means computing them.
#include "assay/print.h"

#include <atomic>
#include <cmath>
#include <ostream>

#include "fmt/format.h"

namespace assay {
namespace {

std::atomic<PrintOptions> current_options = PrintOptions{};

// Longer axes are cut.
constexpr ShapeElem kShownWhole = 6, kShownEdge = 3;

std::string real_text(double value, const PrintOptions& options) {
  // Processors give results that are no numbers a sign, which means nothing.
  if (std::isnan(value)) return "nan";
  return options.precision < 0 ? fmt::format("{:g}", value)
                               : fmt::format("{:.{}f}", value, options.precision);
}

template <typename T>
std::string element_text(T value, const PrintOptions& options) {
  if constexpr (std::is_same_v<T, bool>) {
    if (options.capitalize_bool) return value ? "True" : "False";
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, complex64_t>) {
    const std::string imaginary = real_text(value.imag(), options);
    const bool has_sign = imaginary.starts_with('-');
    return real_text(value.real(), options) + (has_sign ? "" : "+") + imaginary + "j";
  } else if constexpr (std::is_integral_v<T>) {
    return fmt::format("{}", +value);
  } else {
    return real_text(static_cast<double>(value), options);
  }
}

template <typename T>
class ArrayText {
 public:
  explicit ArrayText(const array& a) : a_(a), data_(a.data<T>()), options_(get_printoptions()) {}

  std::string text() {
    text_ = "array(";
    if (a_.ndim() == 0) {
      text_ += element_text(*data_, options_);
    } else {
      append_axis(0, 0);
    }
    return text_ + ", dtype=" + std::string(dtype_name(a_.dtype())) + ")";
  }

 private:
  void append_axis(size_t axis, int64_t offset) {
    const bool is_last = axis + 1 == a_.ndim();
    const ShapeElem count = a_.shape()[axis];
    // Rows stand below one another, behind the brackets of the axes around them.
    const std::string separator = is_last ? ", " : ",\n" + std::string(7 + axis, ' ');
    text_ += '[';
    for (ShapeElem i = 0; i < count; ++i) {
      if (i > 0) text_ += separator;
      if (count > kShownWhole && i == kShownEdge) {
        text_ += "..." + separator;
        i = count - kShownEdge;
      }
      const int64_t position = offset + i * a_.strides()[axis];
      if (is_last) {
        text_ += element_text(data_[position], options_);
      } else {
        append_axis(axis + 1, position);
      }
    }
    text_ += ']';
  }

  const array& a_;
  const T* data_;
  PrintOptions options_;
  std::string text_;
};

}  // namespace

void set_printoptions(PrintOptions options) { current_options = options; }
PrintOptions get_printoptions() { return current_options; }

std::string to_text(const array& a) {
  array evaluated = a;
  evaluated.eval();
  return visit_dtype(evaluated.dtype(),
                     [&](auto sample) { return ArrayText<decltype(sample)>(evaluated).text(); });
}

std::ostream& operator<<(std::ostream& out, const array& a) { return out << to_text(a); }

std::ostream& operator<<(std::ostream& out, const complex64_t& value) {
  return out << element_text(value, get_printoptions());
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << fmt::format("({})", fmt::join(shape, ","));
}

std::ostream& operator<<(std::ostream& out, const Strides& strides) {
  return out << fmt::format("({})", fmt::join(strides, ","));
}

std::ostream& operator<<(std::ostream& out, const Dtype& dtype) { return out << dtype_name(dtype); }

std::ostream& operator<<(std::ostream& out, const Device& device) {
  return out << "Device(" << (device == Device::cpu ? "cpu" : "gpu") << ", " << device.index << ")";
}

std::ostream& operator<<(std::ostream& out, const Stream& stream) {
  return out << "Stream(" << stream.device << ", " << stream.index << ")";
}

}  // namespace assay
