// See given.h.
#include "given.h"

namespace assay::python {

std::string describe_value(py::handle value) {
  constexpr size_t kMaxShown = 60;
  const std::string type = Py_TYPE(value.ptr())->tp_name;
  std::string text = is_array(value) ? "" : std::string(py::repr(value));
  if (!text.empty() && text.size() <= kMaxShown) return text;
  return "an object of type " + type;
}

void refuse_argument(const char* function, const char* argument, const char* expected,
                     py::handle value) {
  const bool is_missing = value.is_none();
  const std::string given = is_missing ? "" : ", not " + describe_value(value);
  throw py::type_error(std::string("[") + function + "] `" + argument + "` " +
                       (is_missing ? "is missing: it must be " : "must be ") + expected + given +
                       ".");
}

}  // namespace assay::python
