// Statements without blocks: declarations, assignments, stores, atomics, barriers.
#include "fmt/format.h"
#include "tests/random_kernels/statements.h"

namespace assay::testing {

using fmt::format;

namespace {

constexpr uint32_t kExpressionDepth = 2;
constexpr const char* kAtomicOperations[] = {"add", "min", "max", "and", "or", "xor", "sub"};

}  // namespace

void Statements::simple_statement(const Place& place) {
  switch (choices_.below(17)) {
    case 5: return scope_.is_alone ? assignment(place) : cross_lane_assignment();
    case 6:
    case 7: return private_store();
    case 8: return declaration(place);
    case 9: return is_helper_ || scope_.is_alone ? assignment(place) : atomic_operation();
    case 10:
    case 11:
      if (place.is_uniform) return choices_.chance(75) ? exchange() : tree_sum();
      [[fallthrough]];
    case 12:
    case 13:
      if (place.may_break || place.may_continue || place.may_return) return leave(place);
      [[fallthrough]];
    case 14: return is_helper_ ? assignment(place) : store();
    case 15: return scope_.is_alone ? assignment(place) : edge_access();
    default: return assignment(place);
  }
}

void Statements::declaration(const Place& place) {
  if (choices_.chance(30)) return private_declaration();
  const ScalarType type = random_type(choices_);
  const std::string name = new_name("v");
  const bool is_uniform = place.is_uniform && choices_.chance(30);
  line(format("{} {} = {};", info(type).name, name,
              is_uniform ? expressions_.uniform(type, kExpressionDepth)
                         : expressions_.varying(type, kExpressionDepth)));
  scope_.variables.push_back({name, type, is_uniform, false});
}

void Statements::declare_variables(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) declaration({.is_uniform = true});
}

void Statements::private_declaration() {
  const std::string seed = expressions_.varying(ScalarType::kUint, 1);
  switch (choices_.below(4)) {
    case 0: {
      const std::string name = new_name("r");
      line(format("Record {} = make_record({});", name, seed));
      scope_.structs.push_back(name);
      return;
    }
    case 1: {
      const std::string name = new_name("q");
      line(format("uint4 {} = uint4({}) * uint4(1u, 3u, 5u, 7u);", name, seed));
      scope_.vectors.push_back(name);
      return;
    }
    default: {
      static constexpr uint32_t kLengths[] = {2, 4, 8, 16};
      const ArrayVariable array{new_name("a"), random_integer(choices_), choices_.pick(kLengths)};
      line(format("{} {}[{}];", info(array.type).name, array.name, array.length));
      line(format("for (uint e = 0u; e < {}u; ++e) {}[e] = {}({} + e * 77u);", array.length,
                  array.name, info(array.type).name, seed));
      scope_.arrays.push_back(array);
    }
  }
}

// What most kernels begin with: threads that have nothing to do return.
void Statements::guard() {
  const uint32_t number = choices_.below(130);
  switch (choices_.below(5)) {
    case 0: return line(format("if (position.x >= {}u) return;", number));
    case 1:
      return line(
          format("if (position.x >= {}u || position.y >= {}u) return;", number, choices_.below(5)));
    case 2: return line(format("if (t.gid + {}u >= p.n) return;", number));
    case 3: return line(format("if (position.x < {}u) return;", number % 40));
    default: return line(format("if (int(position.x) - {} == 0) return;", number));
  }
}

// So long that the vector executor cuts it into stages.
void Statements::long_computation() {
  const std::string name = new_name("v");
  line(format("uint {} = {};", name, expressions_.varying(ScalarType::kUint, 1)));
  for (uint32_t round = 12 + choices_.below(12); round > 0; --round) {
    line(format("{0} ^= {0} >> {1}u; {0} *= {2}u; {0} += {3};", name, 1 + choices_.below(20),
                choices_.below(1U << 20) * 2 + 1,
                choices_.chance(10) ? expressions_.varying(ScalarType::kUint, 1)
                                    : format("{}u", choices_.below(1000))));
  }
  scope_.variables.push_back({name, ScalarType::kUint, false, false});
}

// Uniform variables change only where all threads come, and only to uniform values.
const Variable* Statements::changeable(bool is_uniform) {
  std::vector<const Variable*> candidates;
  for (const Variable& variable : scope_.variables) {
    if (!variable.is_fixed && (is_uniform || !variable.is_uniform)) candidates.push_back(&variable);
  }
  if (candidates.empty()) return nullptr;
  return candidates[choices_.below(static_cast<uint32_t>(candidates.size()))];
}

void Statements::assignment(const Place& place) {
  const Variable* variable = changeable(place.is_uniform);
  if (!variable) return;
  const ScalarType type = variable->type;
  const std::string value = variable->is_uniform ? expressions_.uniform(type, kExpressionDepth)
                                                 : expressions_.varying(type, kExpressionDepth);
  if (choices_.chance(40) && is_integer(type)) {
    static constexpr const char* kOperators[] = {"+", "^", "-", "*", "|"};
    line(format("{0} = {1}({2}({0}) {3} {2}({4}));", variable->name, info(type).name,
                wide_unsigned(type), choices_.pick(kOperators), value));
    return;
  }
  line(format("{} = {};", variable->name, value));
}

void Statements::cross_lane_assignment() {
  const Variable* variable = changeable(false);
  if (!variable) return;
  const ScalarType type =
      Expressions::has_cross_lane(variable->type) ? variable->type : ScalarType::kUint;
  line(format("{} = {};", variable->name,
              convert(variable->type, type, expressions_.cross_lane(type, 2))));
}

void Statements::private_store() {
  const uint32_t arrays = static_cast<uint32_t>(scope_.arrays.size());
  const uint32_t structs = static_cast<uint32_t>(scope_.structs.size());
  const uint32_t vectors = static_cast<uint32_t>(scope_.vectors.size());
  if (arrays + structs + vectors == 0) return private_declaration();
  uint32_t choice = choices_.below(arrays + structs + vectors);
  if (choice < arrays) {
    const ArrayVariable& array = scope_.arrays[choice];
    line(format("{}[{}] = {};", array.name, expressions_.array_index(array, 2),
                expressions_.varying(array.type, 2)));
    return;
  }
  choice -= arrays;
  if (choice < structs) {
    const std::string& record = scope_.structs[choice];
    switch (choices_.below(5)) {
      case 0:
        return line(format("{}.number ^= {};", record, expressions_.varying(ScalarType::kUint, 2)));
      case 1:
        return line(format("{}.small = {};", record, expressions_.varying(ScalarType::kShort, 2)));
      case 2:
        return line(format("{}.real = {};", record, expressions_.varying(ScalarType::kFloat, 2)));
      case 3:
        return line(format("{}.large = {};", record, expressions_.varying(ScalarType::kLong, 2)));
      default:
        return line(format("{}.bytes[{} & 3u] = {};", record,
                           expressions_.varying(ScalarType::kUint, 2),
                           expressions_.varying(ScalarType::kUchar, 2)));
    }
  }
  const std::string& vector = scope_.vectors[choice - structs];
  if (choices_.chance(50)) {
    line(
        format("{0} = {0}.yzwx * uint4({1});", vector, expressions_.varying(ScalarType::kUint, 2)));
  } else {
    line(format("{}[{} & 3u] = {};", vector, expressions_.varying(ScalarType::kUint, 1),
                expressions_.varying(ScalarType::kUint, 2)));
  }
}

// Any function of the thread that no two threads share.
std::string Statements::own_element(uint32_t region) {
  const std::string start = format("{}u * p.stride + ", region);
  switch (choices_.below(6)) {
    case 1: return start + format("t.gid * {}u", 2 + choices_.below(3));
    case 2: return start + "(p.n - 1u - t.gid)";
    case 3: return start + format("(t.gid ^ {}u)", choices_.below(8));
    case 4: return format("t.gid * 4u + {}u * p.stride + 3u", region);
    default: return start + "t.gid";
  }
}

// Threads whose element lies beyond an end of the buffer stay idle, and their address points before
// or behind it.
void Statements::edge_access() {
  const bool writes = !is_helper_ && choices_.chance(60) && regions_.words < OutputRegions::kMax;
  const Variable* variable = writes ? nullptr : changeable(false);
  if (!writes && !variable) return;
  // The kernels' inputs have so many elements.
  const char* length = writes ? "p.n" : "(4u * p.n + 1100u)";
  const uint32_t distance = 1 + choices_.below(70);
  // Rows of one thread after the other, which code for lanes side by side is made for.
  const std::string start = new_name("e");
  const std::string place = new_name("e");
  line(format("const long {} = long(simd_broadcast_first(t.gid - lane));", start));
  switch (choices_.below(3)) {
    case 0: line(format("const long {} = {} - {} + lane;", place, start, distance)); break;
    case 1: line(format("const long {} = {} - {} - long(lane);", place, distance, start)); break;
    default:
      line(format("const long {} = long({}) - {} + {} + lane;", place, length, distance, start));
      break;
  }
  const std::string guard = format("{0} >= 0 && {0} < long({1})", place, length);
  if (writes) {
    // Only then no two threads share an element.
    line(format("if (grid.y * grid.z == 1u && {}) out32[{}u * p.stride + {}] = {};", guard,
                regions_.words++, place,
                expressions_.varying(ScalarType::kUint, kExpressionDepth)));
  } else {
    const char* input = choices_.chance(50) ? "in32" : "in8";
    line(
        format("if ({}) {} = {};", guard, variable->name,
               convert(variable->type, ScalarType::kUint, format("uint(t.{}[{}])", input, place))));
  }
}

void Statements::store() {
  const ScalarType type = choices_.chance(50) ? ScalarType::kUint : random_type(choices_);
  store_value(type, expressions_.varying(type, kExpressionDepth));
}

// Into the buffer of the value's width, through the type whose bits both executors agree on.
void Statements::store_value(ScalarType type, const std::string& value) {
  struct Target {
    const char* buffer;
    uint32_t& regions;
  };
  const unsigned bits = info(type).bits;
  Target target = type == ScalarType::kFloat ? Target{"out_float", regions_.floats}
                  : bits == 64               ? Target{"out64", regions_.longs}
                  : bits == 16               ? Target{"out16", regions_.shorts}
                  : bits == 8                ? Target{"out8", regions_.bytes}
                                             : Target{"out32", regions_.words};
  if (target.regions >= OutputRegions::kMax) return;
  const std::string place = format("{}[{}]", target.buffer, own_element(target.regions++));
  if (info(type).is_float) {
    line(format("{} = plain({});", place, value));
  } else if (type == ScalarType::kBool) {
    line(format("{} = uint({});", place, value));
  } else if (choices_.chance(20)) {
    line(format("{} ^= {};", place, value));
  } else {
    line(format("{} = {};", place, value));
  }
}

void Statements::store_variables() {
  for (const Variable& variable : scope_.variables) store_value(variable.type, variable.name);
  for (const ArrayVariable& array : scope_.arrays) {
    const std::string sum = new_name("s");
    line(format("ulong {} = 0ul;", sum));
    line(format("for (uint e = 0u; e < {0}u; ++e) {1} = {1} * 31ul + ulong({2}[e]);", array.length,
                sum, array.name));
    store_value(ScalarType::kUlong, sum);
  }
  for (const std::string& record : scope_.structs) {
    store_value(ScalarType::kUint, format("fold_record({})", record));
  }
  for (const std::string& vector : scope_.vectors) {
    store_value(ScalarType::kUint,
                format("({0}.x ^ {0}.y * 3u ^ {0}.z * 5u ^ {0}.w * 7u)", vector));
  }
}

// One kind of operation per counter, so that their order does not matter.
void Statements::atomic_operation() {
  if (regions_.counters >= OutputRegions::kMax) return;
  const std::string index = choices_.chance(30)
                                ? format("{}u", choices_.below(8))
                                : format("({} & 7u)", expressions_.varying(ScalarType::kUint, 2));
  const std::string value = expressions_.varying(ScalarType::kUint, 2);
  if (!shared_operation_.empty() && choices_.chance(50)) {
    line(format("atomic_fetch_{}_explicit(&shared_counts[{}], {}, memory_order_relaxed);",
                shared_operation_, index, value));
    return;
  }
  line(format("atomic_fetch_{}_explicit(&counters[{}u + {}], {}, memory_order_relaxed);",
              choices_.pick(kAtomicOperations), 8 * regions_.counters++, index, value));
}

void Statements::open_shared_counters() {
  shared_operation_ = choices_.pick(kAtomicOperations);
  line("threadgroup atomic_uint shared_counts[8];");
  line("for (uint e = t.index; e < 8u; e += t.size)");
  line("  atomic_store_explicit(&shared_counts[e], e * 0x10010u, memory_order_relaxed);");
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
}

void Statements::close_shared_counters() {
  shared_operation_.clear();
  const std::string name = new_name("v");
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
  line(format("uint {} = 0u;", name));
  line("for (uint e = 0u; e < 8u; ++e)");
  line(format("  {0} = {0} * 31u + atomic_load_explicit(&shared_counts[e], memory_order_relaxed);",
              name));
  scope_.variables.push_back({name, ScalarType::kUint, true, false});
}

// Every thread hands a value to another one.
void Statements::exchange() {
  const Variable* variable = changeable(false);
  const bool is_short = choices_.chance(30);
  const ScalarType type = is_short ? ScalarType::kUshort : ScalarType::kUint;
  const char* memory = is_short ? "shared16" : "shared32";
  line(format("{}[t.index] = {};", memory, expressions_.varying(type, 2)));
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
  std::string source;
  switch (choices_.below(5)) {
    case 0: source = format("(t.index + {}u) % t.size", choices_.below(70)); break;
    case 1: source = "t.size - 1u - t.index"; break;
    case 2: source = format("{} % t.size", expressions_.uniform(ScalarType::kUint, 1)); break;
    case 3: source = "(t.index ^ 1u) < t.size ? t.index ^ 1u : t.index"; break;
    default: source = format("{} % t.size", expressions_.varying(ScalarType::kUint, 1)); break;
  }
  if (variable) {
    line(format("{} = {};", variable->name,
                convert(variable->type, type, format("{}[{}]", memory, source))));
  } else {
    store_value(type, format("{}[{}]", memory, source));
  }
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
}

void Statements::tree_sum() {
  line(format("shared32[t.index] = {};", expressions_.varying(ScalarType::kUint, 2)));
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
  line("for (uint half_size = 128u; half_size > 0u; half_size >>= 1u) {");
  line("  if (t.index < half_size && t.index + half_size < t.size)");
  line("    shared32[t.index] += shared32[t.index + half_size];");
  line("  threadgroup_barrier(mem_flags::mem_threadgroup);");
  line("}");
  const std::string name = new_name("v");
  line(format("uint {} = shared32[0];", name));
  line("threadgroup_barrier(mem_flags::mem_threadgroup);");
  scope_.variables.push_back({name, ScalarType::kUint, true, false});
}

}  // namespace assay::testing
