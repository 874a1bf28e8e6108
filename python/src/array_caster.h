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

// Where an object of the class itself keeps its array.
inline std::unique_ptr<array>* array_place(py::detail::instance& instance) {
  return reinterpret_cast<std::unique_ptr<array>*>(&instance.simple_value_holder[1]);
}

// A new Python object. Nobody looks arrays up by their address, so it is not registered.
inline py::handle wrap_array(array value) {
  auto owned = std::make_unique<array>(std::move(value));
  PyObject* made = array_type()->tp_alloc(array_type(), 0);
  if (made == nullptr) throw py::error_already_set();
  auto& instance = *reinterpret_cast<py::detail::instance*>(made);
  // One value in a holder as large as a pointer: pybind11 calls this the simple layout.
  instance.simple_layout = true;
  instance.simple_instance_registered = false;
  instance.owned = true;
  instance.simple_value_holder[0] = owned.get();
  std::construct_at(array_place(instance), std::move(owned));
  instance.simple_holder_constructed = true;
  return made;
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
