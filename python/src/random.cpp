// Random numbers.
#include "assay/random.h"

#include <chrono>

#include "arguments.h"
#include "bindings.h"
#include "convert.h"
#include "trees.h"

namespace assay::python {
namespace {

using OptionalKey = std::optional<array>;

// Threads that start together must not have the same numbers.
uint64_t first_seed() {
  static uint64_t started = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return static_cast<uint64_t>(time) + (started++ << 48);
}

array next_key(const OptionalKey& given) {
  if (given) return *given;
  const py::list state = random_state();
  const auto [next, key] = random::split(state[0].cast<array>());
  state[0] = next;
  return key;
}

void bind_state(py::module_& m) {
  py::class_<RandomState>(m, "_RandomState", "The key of calls without one, of the calling thread.")
      .def("__len__", [](const RandomState&) { return py::len(random_state()); })
      .def("__getitem__",
           [](const RandomState&, const py::object& at) {
             return py::object(random_state().attr("__getitem__")(at));
           })
      .def("__setitem__", [](const RandomState&, const py::object& at,
                             const array& key) { random_state().attr("__setitem__")(at, key); })
      .def("__iter__", [](const RandomState&) { return py::iter(random_state()); });
  m.attr("_state") = py::cast(RandomState());
}

void bind_keys(py::module_& m) {
  m.def(
      "__getattr__",
      [state = m.attr("_state")](const std::string& name) -> py::object {
        if (name == "state") return state;
        refuse_missing_name("random", name);
      },
      "name"_a);
  m.def(
      "seed", [](uint64_t seed) { random_state()[0] = random::key(seed); }, "seed"_a,
      "Makes later calls of this thread without a key give the same numbers each time.");
  m.def("key", &random::key, "seed"_a, "A key from a number.");
  m.def(
      "split",
      [](const array& key, int num, StreamOrDevice stream) {
        return random::split(key, num, stream);
      },
      "key"_a, "num"_a = 2, "stream"_a = py::none(), "Several new keys from one.");
  m.def(
      "bits",
      [](const ShapeArgument& shape, int width, const OptionalKey& key, StreamOrDevice stream) {
        return random::bits(shape.shape, width, next_key(key), stream);
      },
      "shape"_a = py::tuple(), "width"_a = 4, "key"_a = py::none(), "stream"_a = py::none(),
      "Random bits, in elements of a number of bytes.");
}

void bind_continuous(py::module_& m) {
  m.def(
      "uniform",
      [](const Operand& low, const Operand& high, const ShapeArgument& shape, OptionalDtype dtype,
         const OptionalKey& key, StreamOrDevice stream) {
        return random::uniform(to_array(low), to_array(high), shape.shape, dtype.value_or(float32),
                               next_key(key), stream);
      },
      "low"_a = 0, "high"_a = 1, "shape"_a = py::tuple(), "dtype"_a = float32, "key"_a = py::none(),
      "stream"_a = py::none(), "Numbers between low and high, all alike.");
  m.def(
      "normal",
      [](const ShapeArgument& shape, OptionalDtype given, const std::optional<Operand>& loc,
         const std::optional<Operand>& scale, const OptionalKey& key, StreamOrDevice stream) {
        const Dtype dtype = given.value_or(float32);
        const auto convert = [&](const std::optional<Operand>& value) {
          return value ? std::optional(to_array(*value, dtype)) : std::nullopt;
        };
        return random::normal(shape.shape, dtype, convert(loc), convert(scale), next_key(key),
                              stream);
      },
      "shape"_a = py::tuple(), "dtype"_a = float32, "loc"_a = py::none(), "scale"_a = py::none(),
      "key"_a = py::none(), "stream"_a = py::none(), "Normally distributed numbers.");
  m.def(
      "truncated_normal",
      [](const Operand& lower, const Operand& upper, const std::optional<ShapeArgument>& shape,
         OptionalDtype dtype, const OptionalKey& key, StreamOrDevice stream) {
        const array low = to_array(lower), high = to_array(upper);
        const Dtype type = dtype.value_or(float32);
        return shape
                   ? random::truncated_normal(low, high, shape->shape, type, next_key(key), stream)
                   : random::truncated_normal(low, high, type, next_key(key), stream);
      },
      "lower"_a, "upper"_a, "shape"_a = py::none(), "dtype"_a = float32, "key"_a = py::none(),
      "stream"_a = py::none(), "Normally distributed numbers between lower and upper.");
  m.def(
      "gumbel",
      [](const ShapeArgument& shape, OptionalDtype dtype, const OptionalKey& key,
         StreamOrDevice stream) {
        return random::gumbel(shape.shape, dtype.value_or(float32), next_key(key), stream);
      },
      "shape"_a = py::tuple(), "dtype"_a = float32, "key"_a = py::none(), "stream"_a = py::none(),
      "Numbers of the standard Gumbel distribution.");
  m.def(
      "laplace",
      [](const ShapeArgument& shape, OptionalDtype dtype, float loc, float scale,
         const OptionalKey& key, StreamOrDevice stream) {
        return random::laplace(shape.shape, dtype.value_or(float32), loc, scale, next_key(key),
                               stream);
      },
      "shape"_a = py::tuple(), "dtype"_a = float32, "loc"_a = 0.0f, "scale"_a = 1.0f,
      "key"_a = py::none(), "stream"_a = py::none(), "Numbers of a Laplace distribution.");
}

array sample_categories(const array& logits, int axis, const std::optional<ShapeArgument>& shape,
                        std::optional<int> count, const OptionalKey& key, StreamOrDevice stream) {
  if (shape && count) {
    throw std::invalid_argument(
        "[categorical] At most one of shape or num_samples can be specified.");
  }
  if (shape) return random::categorical(logits, axis, shape->shape, next_key(key), stream);
  if (count) return random::categorical(logits, axis, *count, next_key(key), stream);
  return random::categorical(logits, axis, next_key(key), stream);
}

void bind_discrete(py::module_& m) {
  m.def(
      "randint",
      [](const Operand& low, const Operand& high, const ShapeArgument& shape, OptionalDtype dtype,
         const OptionalKey& key, StreamOrDevice stream) {
        return random::randint(to_array(low), to_array(high), shape.shape, dtype.value_or(int32),
                               next_key(key), stream);
      },
      "low"_a, "high"_a, "shape"_a = py::tuple(), "dtype"_a = int32, "key"_a = py::none(),
      "stream"_a = py::none(), "Integers from low up to, but not including, high.");
  m.def(
      "bernoulli",
      [](const Operand& p, const std::optional<ShapeArgument>& shape, const OptionalKey& key,
         StreamOrDevice stream) {
        const array chance = to_array(p);
        return shape ? random::bernoulli(chance, shape->shape, next_key(key), stream)
                     : random::bernoulli(chance, next_key(key), stream);
      },
      "p"_a = 0.5, "shape"_a = py::none(), "key"_a = py::none(), "stream"_a = py::none(),
      "True with probability p.");
  m.def("categorical", &sample_categories, "logits"_a, "axis"_a = -1, "shape"_a = py::none(),
        "num_samples"_a = py::none(), "key"_a = py::none(), "stream"_a = py::none(),
        "Positions along an axis, with probabilities given by their logarithms.");
  m.def(
      "permutation",
      [](const py::object& x, int axis, const OptionalKey& key, StreamOrDevice stream) {
        if (is_array(x)) {
          return random::permutation(x.cast<array>(), axis, next_key(key), stream);
        }
        return random::permutation(x.cast<int>(), next_key(key), stream);
      },
      "x"_a, "axis"_a = 0, "key"_a = py::none(), "stream"_a = py::none(),
      "The numbers below x, or the parts of x along an axis, in random order.");
}

}  // namespace

// In the dictionary of the Python thread, and made when it is first needed: making it opens the
// device.
py::list random_state() {
  constexpr const char* kName = "assay.random.state";
  const auto thread = py::reinterpret_borrow<py::dict>(PyThreadState_GetDict());
  if (thread.contains(kName)) return thread[kName];
  py::list state;
  state.append(random::key(first_seed()));
  thread[kName] = state;
  return state;
}

void bind_random(py::module_& parent) {
  py::module_ m = parent.def_submodule("random", "Random numbers; the same key gives the same.");
  bind_state(m);
  bind_keys(m);
  bind_continuous(m);
  bind_discrete(m);
}

}  // namespace assay::python
