// Trees of lists, tuples and dictionaries with arrays at their leaves. The random state stands for
// the list of whichever thread looks at it, so that threads can share compiled functions.
#pragma once

#include <functional>
#include <vector>

#include "arguments.h"

namespace assay::python {

// What mx.random.state is.
struct RandomState {};
// The key of calls without one, of this thread, in a list that compiled functions can capture.
py::list random_state();

// Calls `visit` with every leaf in order; dictionaries in the order of their keys' insertion.
void visit_leaves(py::handle tree, const std::function<void(py::handle)>& visit);
// The same tree with leaves replaced; containers are new.
py::object map_leaves(py::handle tree, const std::function<py::object(py::handle)>& replace);
// The arrays among the leaves.
std::vector<array> arrays_of(py::handle tree);

}  // namespace assay::python
