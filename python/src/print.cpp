// How arrays are shown.
#include "assay/print.h"

#include "arguments.h"
#include "bindings.h"

namespace assay::python {
namespace {

void set_precision(int precision) {
  set_printoptions({.precision = precision, .capitalize_bool = true});
}

class WithPrecision {
 public:
  explicit WithPrecision(int precision) : precision_(precision) {}
  void enter() {
    before_ = get_printoptions().precision;
    set_precision(precision_);
  }
  void exit(const py::args&) { set_precision(before_); }

 private:
  int precision_;
  int before_ = -1;
};

}  // namespace

void bind_print(py::module_& m) {
  set_precision(-1);
  py::class_<PrintOptions>(m, "PrintOptions", "How numbers of arrays are shown.")
      .def(py::init([](int precision) { return PrintOptions{.precision = precision}; }),
           "precision"_a = -1)
      .def_readwrite("precision", &PrintOptions::precision, "Digits after the point, or -1.");
  py::class_<WithPrecision>(m, "_PrintOptionsContext")
      .def("__enter__", &WithPrecision::enter)
      .def("__exit__", &WithPrecision::exit);
  m.def("set_printoptions", &set_precision, "precision"_a = -1,
        "Sets the digits after the point of numbers in texts of arrays; -1: as many as needed.");
  m.def("get_printoptions", &get_printoptions, "How numbers of arrays are shown now.");
  m.def(
      "printoptions", [](int precision) { return WithPrecision(precision); }, "precision"_a = -1,
      "Sets the digits after the point within a with block.");
}

}  // namespace assay::python
