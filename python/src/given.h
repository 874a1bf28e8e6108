// Arguments whose mistakes are told by name, instead of by the whole signature: converted by the
// function itself.
#pragma once

#include <string>

#include "arguments.h"

namespace assay::python {

// An argument for a T, as the caller gave it; None where nothing was given.
template <typename T>
struct Given {
  py::handle value;
};

// "'x'", "2.5", "a list": short values as Python shows them, others by their type.
std::string describe_value(py::handle value);

// TypeError: "[reshape] `shape` must be …, not 'x'."
[[noreturn]] void refuse_argument(const char* function, const char* argument, const char* expected,
                                  py::handle value);

template <typename T>
T convert_given(py::handle value, const char* function, const char* argument,
                const char* expected) {
  py::detail::make_caster<T> caster;
  if (!caster.load(value, true)) refuse_argument(function, argument, expected, value);
  return py::detail::cast_op<T>(std::move(caster));
}

}  // namespace assay::python

namespace pybind11::detail {

template <typename T>
struct type_caster<assay::python::Given<T>> {
  PYBIND11_TYPE_CASTER(assay::python::Given<T>, make_caster<T>::name);
  bool load(handle source, bool) {
    value.value = source;
    return true;
  }
};

}  // namespace pybind11::detail
