// See expressions.h. Option 0 of every decision is a leaf or leads to one.
#include "tests/random_kernels/expressions.h"

#include "fmt/format.h"

namespace assay::testing {
namespace {

using fmt::format;

// Buffers that kernels read have this many elements more than the grid has threads four times.
constexpr uint32_t kGatherMask = 1023;

}  // namespace

std::string Expressions::make(ScalarType type, uint32_t depth, bool is_uniform) {
  if (depth == 0 || choices_.below(6) == 0) return leaf(type, is_uniform);
  if (type == ScalarType::kBool) return condition(depth - 1, is_uniform);
  switch (choices_.below(12)) {
    case 0: return leaf(type, is_uniform);
    case 1: return conversion(type, depth - 1, is_uniform);
    case 2: return choice_between(type, depth - 1, is_uniform);
    case 3: return memory(type, depth - 1, is_uniform);
    case 4: return is_uniform ? leaf(type, true) : private_memory(type, depth - 1);
    case 5: return is_uniform ? leaf(type, true) : helper_call(type, depth - 1);
    case 6:
      if (!is_uniform && !scope_.is_alone && has_cross_lane(type)) {
        return cross_lane(type, depth - 1);
      }
      [[fallthrough]];
    default:
      return info(type).is_float ? floating(type, depth - 1, is_uniform)
                                 : integer(type, depth - 1, is_uniform);
  }
}

std::string Expressions::leaf(ScalarType type, bool is_uniform) {
  switch (choices_.below(5)) {
    case 0: return random_literal(choices_, type);
    case 1: return thread_value(type, is_uniform);
    default: return variable(type, is_uniform);
  }
}

std::string Expressions::variable(ScalarType type, bool is_uniform) {
  std::vector<const Variable*> exact;
  std::vector<const Variable*> other;
  for (const Variable& variable : scope_.variables) {
    if (is_uniform && !variable.is_uniform) continue;
    (variable.type == type ? exact : other).push_back(&variable);
  }
  auto& candidates = exact.empty() || choices_.chance(20) ? other : exact;
  if (candidates.empty()) return thread_value(type, is_uniform);
  const Variable& chosen = *candidates[choices_.below(static_cast<uint32_t>(candidates.size()))];
  return convert(type, chosen.type, chosen.name);
}

std::string Expressions::thread_value(ScalarType type, bool is_uniform) {
  if (scope_.has_constants && choices_.chance(15)) {
    if (choices_.chance(50)) {
      return convert(type, ScalarType::kBool, format("kFlag_{}", scope_.kernel));
    }
    return convert(type, ScalarType::kUint, format("kNumber_{}", scope_.kernel));
  }
  if (is_uniform || choices_.chance(20)) {
    static constexpr const char* kParameters[] = {"p.a", "p.b", "p.n", "p.c", "group.x", "group.y"};
    if (choices_.chance(20)) return convert(type, ScalarType::kFloat, "p.f");
    if (choices_.chance(10)) return convert(type, ScalarType::kUlong, "p.d");
    return convert(type, ScalarType::kUint, choices_.pick(kParameters));
  }
  static constexpr const char* kPositions[] = {"t.gid",        "t.index",      "t.position.x",
                                               "t.position.y", "(t.gid * 3u)", "(t.gid + 5u)",
                                               "(p.n - t.gid)"};
  if (!scope_.is_alone && choices_.chance(12)) return convert(type, ScalarType::kUint, "lane");
  return convert(type, ScalarType::kUint, choices_.pick(kPositions));
}

// Consecutive, strided, reversed, shared and gathered elements.
std::string Expressions::memory_index(uint32_t depth, bool is_uniform) {
  if (is_uniform) return format("{} & {}u", make(ScalarType::kUint, depth, true), kGatherMask);
  switch (choices_.below(9)) {
    case 0: return "t.gid";
    case 1: return format("t.gid + {}u", choices_.below(40));
    case 2: return format("t.gid * {}u + {}u", 2 + choices_.below(3), choices_.below(4));
    case 3: return format("p.n - 1u - t.gid + {}u", choices_.below(4));
    case 4: return format("t.index + {}u", choices_.below(4));
    case 5: return format("{} * {}u", scope_.is_alone ? "t.index" : "lane", 1 + choices_.below(4));
    case 6: return format("{} & {}u", make(ScalarType::kUint, depth, true), kGatherMask);
    case 7: return format("t.gid + ({} & 15u)", make(ScalarType::kUint, depth, true));
    default: return format("{} & {}u", make(ScalarType::kUint, depth, false), kGatherMask);
  }
}

std::string Expressions::memory(ScalarType type, uint32_t depth, bool is_uniform) {
  struct Source {
    const char* name;
    ScalarType type;
  };
  static constexpr Source kIntegers[] = {{"in32", ScalarType::kUint},
                                         {"c32", ScalarType::kUint},
                                         {"in8", ScalarType::kUchar},
                                         {"in16", ScalarType::kShort},
                                         {"in64", ScalarType::kUlong}};
  static constexpr Source kFloats[] = {{"in_float", ScalarType::kFloat},
                                       {"in_half", ScalarType::kHalf}};
  const Source& source = info(type).is_float && choices_.chance(80) ? choices_.pick(kFloats)
                                                                    : choices_.pick(kIntegers);
  return convert(type, source.type,
                 format("t.{}[{}]", source.name, memory_index(depth, is_uniform)));
}

std::string Expressions::array_index(const ArrayVariable& array, uint32_t depth) {
  const uint32_t mask = array.length - 1;
  switch (choices_.below(3)) {
    case 0: return format("{}u", choices_.below(array.length));
    case 1: return format("({} & {}u)", make(ScalarType::kUint, depth, true), mask);
    default: return format("({} & {}u)", make(ScalarType::kUint, depth, false), mask);
  }
}

std::string Expressions::private_memory(ScalarType type, uint32_t depth) {
  const uint32_t arrays = static_cast<uint32_t>(scope_.arrays.size());
  const uint32_t structs = static_cast<uint32_t>(scope_.structs.size());
  const uint32_t vectors = static_cast<uint32_t>(scope_.vectors.size());
  if (arrays + structs + vectors == 0) return leaf(type, false);
  uint32_t choice = choices_.below(arrays + structs + vectors);
  if (choice < arrays) {
    const ArrayVariable& array = scope_.arrays[choice];
    return convert(type, array.type, format("{}[{}]", array.name, array_index(array, depth)));
  }
  choice -= arrays;
  if (choice < structs) {
    const std::string& record = scope_.structs[choice];
    switch (choices_.below(5)) {
      case 0: return convert(type, ScalarType::kUint, record + ".number");
      case 1: return convert(type, ScalarType::kShort, record + ".small");
      case 2: return convert(type, ScalarType::kFloat, record + ".real");
      case 3: return convert(type, ScalarType::kLong, record + ".large");
      default:
        return convert(type, ScalarType::kUchar,
                       format("{}.bytes[{} & 3u]", record, make(ScalarType::kUint, depth, false)));
    }
  }
  const std::string& vector = scope_.vectors[choice - structs];
  static constexpr const char* kParts[] = {".x", ".y", ".z", ".w", ".wzyx.y"};
  if (choices_.chance(50)) return convert(type, ScalarType::kUint, vector + choices_.pick(kParts));
  return convert(type, ScalarType::kUint,
                 format("{}[{} & 3u]", vector, make(ScalarType::kUint, depth, false)));
}

std::string Expressions::conversion(ScalarType type, uint32_t depth, bool is_uniform) {
  const ScalarType from = random_type(choices_);
  return convert(type, from, make(from, depth, is_uniform));
}

std::string Expressions::choice_between(ScalarType type, uint32_t depth, bool is_uniform) {
  const std::string first = make(type, depth, is_uniform);
  const std::string second = make(type, depth, is_uniform);
  const std::string which = condition(depth, is_uniform);
  if (choices_.chance(50) && type != ScalarType::kBfloat) {
    return format("select({}, {}, {})", first, second, which);
  }
  return format("({} ? {} : {})", which, first, second);
}

std::string Expressions::helper_call(ScalarType type, uint32_t depth) {
  if (!scope_.helpers || scope_.helpers->empty()) return leaf(type, false);
  const HelperFunction& helper =
      (*scope_.helpers)[choices_.below(static_cast<uint32_t>(scope_.helpers->size()))];
  return convert(type, helper.result,
                 format("{}(THREAD, {}, {})", helper.name, make(helper.parameters[0], depth, false),
                        make(helper.parameters[1], depth, false)));
}

std::string Expressions::integer(ScalarType type, uint32_t depth, bool is_uniform) {
  switch (choices_.below(8)) {
    case 5: return integer_division(type, depth, is_uniform);
    case 6: return integer_function(type, depth, is_uniform);
    case 7: return format("{}({})", info(type).name, condition(depth, is_uniform));
    default: return integer_arithmetic(type, depth, is_uniform);
  }
}

// In unsigned types: signed overflow has no defined result.
std::string Expressions::integer_arithmetic(ScalarType type, uint32_t depth, bool is_uniform) {
  const ScalarTypeInfo& what = info(type);
  const std::string left = make(type, depth, is_uniform);
  const std::string right = make(type, depth, is_uniform);
  const char* wide = wide_unsigned(type);
  switch (choices_.below(9)) {
    case 7:
      return format("{0}({1}({2}) << ({3} & {1}({4})))", what.name, wide, left, right,
                    what.bits - 1);
    case 8: return format("{0}({1} >> (uint({2}) & {3}u))", what.name, left, right, what.bits - 1);
    default: {
      static constexpr const char* kOperators[] = {"+", "-", "*", "&", "|", "^", "+"};
      return format("{0}({1}({2}) {3} {1}({4}))", what.name, wide, left, choices_.pick(kOperators),
                    right);
    }
  }
}

std::string Expressions::integer_division(ScalarType type, uint32_t depth, bool is_uniform) {
  const ScalarTypeInfo& what = info(type);
  const std::string left = make(type, depth, is_uniform);
  const std::string right = make(type, depth, is_uniform);
  const char* operation = choices_.chance(50) ? "/" : "%";
  switch (choices_.below(3)) {
    case 0: {
      static constexpr uint32_t kDivisors[] = {1, 2, 3, 4, 5, 7, 10, 16, 32, 100};
      return format("{0}({1} {2} {0}({3}))", what.name, left, operation, choices_.pick(kDivisors));
    }
    case 1:
      return format("{0}({1} {2} {0}(({3} & {0}(0x3f)) + {0}(1)))", what.name, left, operation,
                    right);
    default: return format("{}({}, {})", operation[0] == '/' ? "divide" : "remainder", left, right);
  }
}

std::string Expressions::integer_function(ScalarType type, uint32_t depth, bool is_uniform) {
  const std::string a = make(type, depth, is_uniform);
  const std::string b = make(type, depth, is_uniform);
  switch (choices_.below(13)) {
    case 0: return format("min({}, {})", a, b);
    case 1: return format("max({}, {})", a, b);
    case 2: {
      const std::string c = make(type, depth / 2, is_uniform);
      return format("clamp({0}, min({1}, {2}), max({1}, {2}))", a, b, c);
    }
    case 3: return format("popcount({})", a);
    case 4: return format("clz({})", a);
    case 5: return format("ctz({})", a);
    case 6: return format("reverse_bits({})", a);
    case 7: return format("rotate({}, {})", a, b);
    case 8: return format("addsat({}, {})", a, b);
    case 9: return format("subsat({}, {})", a, b);
    case 10: return format("mulhi({}, {})", a, b);
    case 11: return format("hadd({}, {})", a, b);
    default: return format("{}(absdiff({}, {}))", info(type).name, a, b);
  }
}

// Which zero min and max return is open; `+ 0` makes it the positive one.
std::string Expressions::floating(ScalarType type, uint32_t depth, bool is_uniform) {
  const char* name = info(type).name;
  const std::string a = make(type, depth, is_uniform);
  const std::string b = make(type, depth, is_uniform);
  const bool is_bfloat = type == ScalarType::kBfloat;
  switch (choices_.below(is_bfloat ? 6 : 12)) {
    case 0: return format("{}({} + {})", name, a, b);
    case 1: return format("{}({} - {})", name, a, b);
    case 2:
    case 3: return format("{}({} * {})", name, a, b);
    case 4: return format("{}({} / {})", name, a, b);
    case 5: return format("{}(-{})", name, a);
    case 6: return format("fma({}, {}, {})", a, b, make(type, depth / 2, is_uniform));
    case 7: return format("{0}(min({1}, {2}) + {0}(0))", name, a, b);
    case 8: return format("{0}(max({1}, {2}) + {0}(0))", name, a, b);
    case 9: {
      static constexpr const char* kRoundings[] = {"floor", "ceil", "trunc", "rint", "round"};
      return format("{}({})", choices_.pick(kRoundings), a);
    }
    case 10: return format("sqrt(fabs({}))", a);
    default: return format("fabs({})", a);
  }
}

std::string Expressions::condition(uint32_t depth, bool is_uniform) {
  switch (choices_.below(10)) {
    case 0: return format("(({} & 1u) == 0u)", make(ScalarType::kUint, depth, is_uniform));
    case 6:
      return format("({} && {})", make(ScalarType::kBool, depth / 2, is_uniform),
                    make(ScalarType::kBool, depth / 2, is_uniform));
    case 7:
      return format("({} || {})", make(ScalarType::kBool, depth / 2, is_uniform),
                    make(ScalarType::kBool, depth / 2, is_uniform));
    case 8: return format("(!{})", make(ScalarType::kBool, depth, is_uniform));
    case 9:
      if (!is_uniform && !scope_.is_alone) return vote(depth);
      [[fallthrough]];
    default: {
      static constexpr const char* kComparisons[] = {"<", "<=", ">", ">=", "==", "!="};
      const ScalarType type =
          choices_.chance(70) ? random_integer(choices_) : random_float(choices_);
      const char* comparison = choices_.pick(kComparisons);
      return format("({} {} {})", make(type, depth, is_uniform), comparison,
                    make(type, depth, is_uniform));
    }
  }
}

std::string Expressions::vote(uint32_t depth) {
  const std::string what = make(ScalarType::kBool, depth / 2, false);
  static constexpr const char* kVotes[] = {"simd_any", "simd_all", "quad_any", "quad_all"};
  const uint32_t choice = choices_.below(5);
  return choice == 4 ? std::string("simd_is_first()") : format("{}({})", kVotes[choice], what);
}

bool Expressions::has_cross_lane(ScalarType type) {
  return type != ScalarType::kBool && type != ScalarType::kBfloat && info(type).bits < 64;
}

std::string Expressions::cross_lane(ScalarType type, uint32_t depth) {
  const char* name = info(type).name;
  const std::string value = make(type, depth, false);
  const char* unit = choices_.chance(75) ? "simd" : "quad";
  switch (choices_.below(8)) {
    case 0: return format("{}_sum({})", unit, value);
    case 1: {
      static constexpr const char* kExtremes[] = {"min", "max"};
      return format("{0}({1}_{2}({3}) + {0}(0))", name, unit, choices_.pick(kExtremes), value);
    }
    case 2: {
      static constexpr const char* kScans[] = {"exclusive_sum", "inclusive_sum",
                                               "exclusive_product", "inclusive_product"};
      return format("{}_prefix_{}({})", unit, choices_.pick(kScans), value);
    }
    case 3: {
      static constexpr const char* kBitwise[] = {"and", "or", "xor"};
      if (info(type).is_float) return format("{}_product({})", unit, value);
      return format("{}_{}({})", unit, choices_.pick(kBitwise), value);
    }
    case 4: return format("{}_product({})", unit, value);
    case 5: {
      const std::string ballot =
          choices_.chance(50) ? format("simd_ballot({})", make(ScalarType::kBool, depth, false))
                              : std::string("simd_active_threads_mask()");
      return convert(type, ScalarType::kUint, format("uint(simd_vote::vote_t({}))", ballot));
    }
    default: return shuffle(type, value);
  }
}

std::string Expressions::shuffle(ScalarType type, const std::string& value) {
  const bool is_quad = choices_.chance(25);
  const char* unit = is_quad ? "quad" : "simd";
  const uint32_t lanes = is_quad ? 4 : 32;
  const std::string constant = format("ushort({})", choices_.below(lanes));
  switch (choices_.below(9)) {
    case 0: return format("{}_shuffle_xor({}, {})", unit, value, constant);
    case 1: return format("{}_broadcast({}, {})", unit, value, constant);
    case 2:
      return format("{}_shuffle({}, ushort({} & {}u))", unit, value,
                    make(ScalarType::kUint, 1, false), lanes - 1);
    case 3: return format("{}_shuffle_up({}, {})", unit, value, constant);
    case 4: return format("{}_shuffle_down({}, {})", unit, value, constant);
    case 5: return format("{}_shuffle_rotate_up({}, {})", unit, value, constant);
    case 6: return format("{}_shuffle_rotate_down({}, {})", unit, value, constant);
    case 7:
      return format("{}_shuffle_and_fill_{}({}, {}, {})", unit, choices_.chance(50) ? "up" : "down",
                    value, leaf(type, false), constant);
    default: return format("{}_broadcast_first({})", unit, value);
  }
}

}  // namespace assay::testing
