// Arithmetic between arrays and numbers without a lookup of the method and of its overloads: the
// class's slots. Everything unusual goes through the methods.
#include "array_caster.h"
#include "assay/ops.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using Binary = array (*)(const array&, const array&, StreamOrDevice);

PyTypeObject* known_array_type = nullptr;

bool is_plain_number(PyObject* object) {
  return PyFloat_CheckExact(object) != 0 || PyLong_CheckExact(object) != 0;
}

template <Binary op>
struct Slot {
  // Methods of the class, which take everything and raise what is wrong.
  static inline PyObject *method = nullptr, *reflected = nullptr;

  static PyObject* call(PyObject* left, PyObject* right) {
    try {
      const array *a = find_array(left), *b = find_array(right);
      if (a != nullptr && b != nullptr) return wrap_array(op(*a, *b, {})).ptr();
      if (a != nullptr && is_plain_number(right)) {
        return wrap_array(op(*a, to_array(right, a->dtype()), {})).ptr();
      }
      if (b != nullptr && is_plain_number(left)) {
        return wrap_array(op(to_array(left, b->dtype()), *b, {})).ptr();
      }
    } catch (...) {
      // The method meets the same error and knows how to raise it.
      PyErr_Clear();
    }
    const bool is_first = PyObject_TypeCheck(left, array_type()) != 0;
    return is_first ? PyObject_CallMethodOneArg(left, method, right)
                    : PyObject_CallMethodOneArg(right, reflected, left);
  }

  static void install(binaryfunc& slot, const std::string& name) {
    method = PyUnicode_InternFromString(("__" + name + "__").c_str());
    reflected = PyUnicode_InternFromString(("__r" + name + "__").c_str());
    slot = &call;
  }
};

destructor destroy_in_general = nullptr;

// Most arrays are plain objects of the class that nobody holds weakly.
void destroy(PyObject* self) {
  auto& instance = *reinterpret_cast<py::detail::instance*>(self);
  PyTypeObject* type = Py_TYPE(self);
  const bool is_plain = type == known_array_type && instance.simple_layout &&
                        instance.simple_holder_constructed &&
                        !instance.simple_instance_registered && instance.weakrefs == nullptr &&
                        !instance.has_patients;
  if (!is_plain) {
    destroy_in_general(self);
    return;
  }
  {
    const py::error_scope kept;  // memory of other libraries may be let go, which calls Python
    std::destroy_at(array_place(instance));
  }
  type->tp_free(self);
  Py_DECREF(type);
}

}  // namespace

PyTypeObject* array_type() { return known_array_type; }
void set_array_type(py::handle type) {
  known_array_type = reinterpret_cast<PyTypeObject*>(type.ptr());
}

void install_array_slots() {
  PyNumberMethods& slots = reinterpret_cast<PyHeapTypeObject*>(array_type())->as_number;
  Slot<&add>::install(slots.nb_add, "add");
  Slot<&subtract>::install(slots.nb_subtract, "sub");
  Slot<&multiply>::install(slots.nb_multiply, "mul");
  Slot<&divide>::install(slots.nb_true_divide, "truediv");
  Slot<&floor_divide>::install(slots.nb_floor_divide, "floordiv");
  Slot<&remainder>::install(slots.nb_remainder, "mod");
  // An attribute dictionary or cycles would need more care.
  if (array_type()->tp_dictoffset == 0 && PyType_IS_GC(array_type()) == 0) {
    destroy_in_general = std::exchange(array_type()->tp_dealloc, &destroy);
  }
  PyType_Modified(array_type());
}

}  // namespace assay::python
