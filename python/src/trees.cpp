// See trees.h.
#include "trees.h"

namespace assay::python {

void visit_leaves(py::handle tree, const std::function<void(py::handle)>& visit) {
  if (py::isinstance<RandomState>(tree)) {
    visit_leaves(random_state(), visit);
  } else if (py::isinstance<py::list>(tree) || py::isinstance<py::tuple>(tree)) {
    for (const py::handle item : tree) visit_leaves(item, visit);
  } else if (py::isinstance<py::dict>(tree)) {
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(tree)) {
      visit_leaves(value, visit);
    }
  } else {
    visit(tree);
  }
}

py::object map_leaves(py::handle tree, const std::function<py::object(py::handle)>& replace) {
  if (py::isinstance<RandomState>(tree)) return map_leaves(random_state(), replace);
  if (py::isinstance<py::list>(tree)) {
    py::list copy;
    for (const py::handle item : tree) copy.append(map_leaves(item, replace));
    return copy;
  }
  if (py::isinstance<py::tuple>(tree)) {
    py::list items;
    for (const py::handle item : tree) items.append(map_leaves(item, replace));
    if (PyTuple_CheckExact(tree.ptr())) return py::tuple(items);
    // Named tuples take their fields one by one, other subclasses a list.
    if (py::hasattr(tree, "_fields")) return py::type::of(tree)(*items);
    return py::type::of(tree)(items);
  }
  if (py::isinstance<py::dict>(tree)) {
    py::dict copy;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(tree)) {
      copy[key] = map_leaves(value, replace);
    }
    return copy;
  }
  return replace(tree);
}

std::vector<array> arrays_of(py::handle tree) {
  std::vector<array> arrays;
  visit_leaves(tree, [&](py::handle leaf) {
    if (is_array(leaf)) arrays.push_back(leaf.cast<const array&>());
  });
  return arrays;
}

}  // namespace assay::python
