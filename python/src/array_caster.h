// How arrays cross between Python and C++: without the searches by type and address that pybind11
// makes for classes in general, which cost more than making a node of the graph.
#pragma once

#include <memory>

#include "assay/array.h"
#include "pybind11/pybind11.h"

namespace assay::python {

namespace py = pybind11;

// The class of arrays, from the moment it is bound.
PyTypeObject* array_type();
void set_array_type(py::handle type);

// The array inside a Python object, or null for objects of other classes.
inline array* find_array(py::handle value) {
  PyTypeObject* type = array_type();
  if (type == nullptr || PyObject_TypeCheck(value.ptr(), type) == 0) return nullptr;
  auto* instance = reinterpret_cast<py::detail::instance*>(value.ptr());
  if (!instance->simple_layout) return nullptr;
  return static_cast<array*>(instance->simple_value_holder[0]);
}
inline bool is_array(py::handle value) { return find_array(value) != nullptr; }

// A new Python object. Nobody looks arrays up by their address, so it is not registered.
inline py::handle wrap_array(array value) {
  py::object made = py::reinterpret_steal<py::object>(py::detail::make_new_instance(array_type()));
  auto* instance = reinterpret_cast<py::detail::instance*>(made.ptr());
  py::detail::value_and_holder place = instance->get_value_and_holder();
  auto owned = std::make_unique<array>(std::move(value));
  instance->owned = true;
  place.value_ptr() = owned.get();
  std::construct_at(std::addressof(place.holder<std::unique_ptr<array>>()), std::move(owned));
  place.set_holder_constructed();
  return made.release();
}

}  // namespace assay::python

namespace pybind11::detail {

template <>
struct type_caster<assay::array> : type_caster_base<assay::array> {
  bool load(handle source, bool convert) {
    if (assay::array* found = assay::python::find_array(source)) {
      value = found;
      return true;
    }
    return type_caster_base::load(source, convert);
  }
  static handle cast(assay::array&& source, return_value_policy, handle) {
    return assay::python::wrap_array(std::move(source));
  }
  // Copies share the node.
  static handle cast(const assay::array& source, return_value_policy, handle) {
    return assay::python::wrap_array(source);
  }
};

}  // namespace pybind11::detail
