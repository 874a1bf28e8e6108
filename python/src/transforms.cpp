// Evaluation. compile() has a file of its own.
#include "assay/transforms.h"

#include "arguments.h"
#include "bindings.h"
#include "interpreter.h"
#include "trees.h"

namespace assay::python {

void bind_transforms(py::module_& m) {
  m.def(
      "eval",
      [](const py::args& trees) {
        std::vector<array> arrays = arrays_of(trees);
        const ReleasedInterpreter released;
        eval(std::move(arrays));
      },
      "Computes arrays, alone or in trees of lists, tuples and dictionaries, and waits for them.");
  m.def(
      "async_eval",
      [](const py::args& trees) {
        std::vector<array> arrays = arrays_of(trees);
        const ReleasedInterpreter released;
        async_eval(std::move(arrays));
      },
      "Starts computing arrays, alone or in trees, and returns at once.");
}

}  // namespace assay::python
