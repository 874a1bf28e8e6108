// Trees of lists, tuples and dictionaries with arrays at their leaves.
#pragma once

#include <functional>
#include <vector>

#include "arguments.h"

namespace assay::python {

// Calls `visit` with every leaf in order; dictionaries in the order of their keys' insertion.
void visit_leaves(py::handle tree, const std::function<void(py::handle)>& visit);
// The same tree with leaves replaced; containers are new.
py::object map_leaves(py::handle tree, const std::function<py::object(py::handle)>& replace);
// The arrays among the leaves.
std::vector<array> arrays_of(py::handle tree);

}  // namespace assay::python
