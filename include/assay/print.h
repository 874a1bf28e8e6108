// Arrays as text.
#pragma once

#include <iosfwd>
#include <string>

#include "assay/array.h"

namespace assay {

struct PrintOptions {
  // Digits after the point; -1: six significant ones.
  int precision = -1;
  // True and False, as Python writes them.
  bool capitalize_bool = false;
};

// For the whole process.
ASSAY_API void set_printoptions(PrintOptions options);
ASSAY_API PrintOptions get_printoptions();

// "array([1, 2, 3], dtype=int32)"; long axes are cut after three elements on either side.
// Evaluates.
ASSAY_API std::string to_text(const array& a);
ASSAY_API std::ostream& operator<<(std::ostream& out, const array& a);
ASSAY_API std::ostream& operator<<(std::ostream& out, const Dtype& dtype);
ASSAY_API std::ostream& operator<<(std::ostream& out, const Device& device);
ASSAY_API std::ostream& operator<<(std::ostream& out, const Stream& stream);

}  // namespace assay
