// compile(): functions of trees as functions of arrays. Tracing and fusion are the library's.
#include <map>

#include "arguments.h"
#include "assay/transforms.h"
#include "bindings.h"
#include "trees.h"

namespace assay::python {
namespace {

using Signature = std::vector<uint64_t>;

// Numbers in a signature that say what follows.
enum Tag : uint64_t {
  kArray = 0x9e3779b97f4a7c15u,
  kList,
  kDict,
  kEnd,
  kString,
  kInt,
  kLongInt,
  kBool,
  kFloat,
  kNone,
  kOtherKey
};

// What a call is told apart by: the structure of its arguments and the constants among them.
class ArgumentReader {
 public:
  void read(py::handle value) {
    PyObject* object = value.ptr();
    if (is_array(value)) {
      arrays.push_back(value.cast<const array&>());
      constants.push_back(kArray);
    } else if (PyList_Check(object) || PyTuple_Check(object)) {
      constants.push_back(kList);
      for (const py::handle item : value) read(item);
      constants.push_back(kEnd);
    } else if (PyDict_Check(object)) {
      constants.push_back(kDict);
      for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
        if (!read_plain(key)) {
          constants.insert(constants.end(), {kOtherKey, static_cast<uint64_t>(py::hash(key))});
        }
        read(item);
      }
      constants.push_back(kEnd);
    } else if (py::isinstance<RandomState>(value)) {
      read(random_state());
    } else {
      read_constant(value);
    }
  }

  std::vector<array> arrays;
  Signature constants;

 private:
  void read_constant(py::handle value) {
    if (read_plain(value)) return;
    throw std::invalid_argument(
        std::string("[compile] Function arguments must be trees of arrays or constants (floats, "
                    "ints, strings, or None), but received type ") +
        Py_TYPE(value.ptr())->tp_name + ".");
  }

  // Whether it was a constant.
  bool read_plain(py::handle value) {
    PyObject* object = value.ptr();
    if (PyUnicode_Check(object)) {
      constants.insert(constants.end(), {kString, static_cast<uint64_t>(py::hash(value))});
    } else if (PyBool_Check(object)) {
      constants.insert(constants.end(), {kBool, static_cast<uint64_t>(object == Py_True)});
    } else if (PyLong_Check(object)) {
      read_integer(object);
    } else if (PyFloat_Check(object)) {
      constants.insert(constants.end(),
                       {kFloat, std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(object))});
    } else if (value.is_none()) {
      constants.push_back(kNone);
    } else {
      return false;
    }
    return true;
  }

  // Not its hash, which is the same for -1 and -2.
  void read_integer(PyObject* object) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
      constants.insert(constants.end(), {kInt, static_cast<uint64_t>(small)});
      return;
    }
    const auto digits = py::str(py::handle(object));
    constants.insert(constants.end(), {kLongInt, static_cast<uint64_t>(py::hash(digits))});
  }
};

// The tree with its arrays replaced by those of a list, in order.
py::object with_arrays(py::handle tree, const std::vector<array>& arrays, size_t& next) {
  return map_leaves(tree, [&](py::handle leaf) {
    return is_array(leaf) ? py::cast(arrays[next++]) : py::reinterpret_borrow<py::object>(leaf);
  });
}

// Gives the array objects of a tree other values, so that everybody who holds them sees these.
void overwrite(py::handle tree, std::vector<array>::const_iterator values) {
  visit_leaves(tree, [&](py::handle leaf) {
    if (is_array(leaf)) leaf.cast<array&>().overwrite_descriptor(*values++);
  });
}

// Arrays that a function uses besides its arguments are tracers while it is traced.
class TracedCaptures {
 public:
  TracedCaptures(py::handle tree, std::vector<array> tracers)
      : tree_(tree), originals_(arrays_of(tree)), tracers_(std::move(tracers)) {
    overwrite(tree_, tracers_.begin());
  }
  // The function may have put other arrays into the tree, which stay.
  ~TracedCaptures() {
    visit_leaves(tree_, [&](py::handle leaf) {
      if (!is_array(leaf)) return;
      auto& a = leaf.cast<array&>();
      for (size_t i = 0; i < tracers_.size(); ++i) {
        if (a.id() == tracers_[i].id()) {
          a.overwrite_descriptor(originals_[i]);
          break;
        }
      }
    });
  }
  TracedCaptures(const TracedCaptures&) = delete;
  TracedCaptures& operator=(const TracedCaptures&) = delete;

 private:
  py::handle tree_;
  std::vector<array> originals_;
  std::vector<array> tracers_;
};

// The function and its captures are attributes of the Python object, where the garbage collector
// sees them.
class CompiledFunction {
 public:
  explicit CompiledFunction(bool shapeless) : shapeless_(shapeless) {}
  ~CompiledFunction() { compile_erase(id()); }
  CompiledFunction(const CompiledFunction&) = delete;
  CompiledFunction& operator=(const CompiledFunction&) = delete;

  static py::object call(const py::object& self, const py::args& args, const py::kwargs& kwargs) {
    return self.cast<CompiledFunction&>().run({.function = self.attr("__wrapped__"),
                                               .inputs = self.attr("_inputs"),
                                               .outputs = self.attr("_outputs"),
                                               .args = args,
                                               .kwargs = kwargs});
  }

 private:
  struct Call {
    py::object function, inputs, outputs;
    const py::args& args;
    const py::kwargs& kwargs;
  };
  // What the function returned, with arrays as placeholders.
  struct Result {
    py::object tree;
    size_t arrays = 0;
  };

  std::uintptr_t id() const { return reinterpret_cast<std::uintptr_t>(this); }

  // Traces differ in constants, types and shapes, and so may the trees they return.
  Signature signature(const ArgumentReader& arguments) const {
    Signature result = arguments.constants;
    for (const array& a : arguments.arrays) {
      result.push_back(static_cast<uint64_t>(a.dtype().val()));
      result.push_back(a.ndim());
      if (!shapeless_) result.insert(result.end(), a.shape().begin(), a.shape().end());
    }
    return result;
  }

  static std::vector<array> trace(const Call& call, const std::vector<array>& tracers,
                                  Result& result) {
    const auto captured = static_cast<std::ptrdiff_t>(arrays_of(call.inputs).size());
    const TracedCaptures captures(call.inputs, {tracers.end() - captured, tracers.end()});
    size_t next = 0;
    const py::tuple args = with_arrays(call.args, tracers, next);
    const py::dict kwargs = with_arrays(call.kwargs, tracers, next);
    result.tree = call.function(*args, **kwargs);
    std::vector<array> outputs = arrays_of(result.tree);
    result.arrays = outputs.size();
    const std::vector<array> state = arrays_of(call.outputs);
    outputs.insert(outputs.end(), state.begin(), state.end());
    // Tracers must not live on in the kept tree.
    const std::vector<array> placeholders(result.arrays, array(0.0f));
    next = 0;
    result.tree = with_arrays(result.tree, placeholders, next);
    return outputs;
  }

  py::object run(const Call& call) {
    ArgumentReader arguments;
    arguments.read(call.args);
    arguments.read(call.kwargs);
    const std::vector<array> captured = arrays_of(call.inputs);
    arguments.arrays.insert(arguments.arrays.end(), captured.begin(), captured.end());
    const Signature key = signature(arguments);
    // A tree that is not known cannot be of a trace that is.
    if (!results_.contains(key)) results_[key] = {};
    const ArrayFunction compiled = compile(
        [&](const std::vector<array>& tracers) { return trace(call, tracers, results_[key]); },
        id(), shapeless_, arguments.constants);
    const std::vector<array> outputs = compiled(arguments.arrays);
    const Result& result = results_[key];
    overwrite(call.outputs, outputs.begin() + static_cast<std::ptrdiff_t>(result.arrays));
    size_t next = 0;
    return with_arrays(result.tree, outputs, next);
  }

  bool shapeless_;
  std::map<Signature, Result> results_;
};

py::object make_compiled(const py::function& fun, const py::object& inputs,
                         const py::object& outputs, bool shapeless) {
  py::object compiled = py::cast(std::make_unique<CompiledFunction>(shapeless));
  py::module_::import("functools").attr("update_wrapper")(compiled, fun);
  compiled.attr("__wrapped__") = fun;
  compiled.attr("_inputs") = inputs;
  compiled.attr("_outputs") = outputs;
  return compiled;
}

}  // namespace

void bind_compile(py::module_& m) {
  py::class_<CompiledFunction>(m, "CompiledFunction", py::dynamic_attr(),
                               "A function whose element-wise operations are merged.")
      .def("__call__", &CompiledFunction::call);
  m.def("compile", &make_compiled, "fun"_a, "inputs"_a = py::none(), "outputs"_a = py::none(),
        "shapeless"_a = false,
        "A function that traces fun once for each combination of shapes, types and constants of\n"
        "its arguments, merges element-wise operations into single kernels and replays them.\n\n"
        "inputs and outputs are trees of arrays that fun reads and replaces besides its arguments\n"
        "and results. With shapeless, other shapes do not trace again.");
  m.def("disable_compile", &disable_compile,
        "Lets compiled functions run as they are written, until enable_compile().");
  m.def("enable_compile", &enable_compile, "Undoes disable_compile().");
}

}  // namespace assay::python
