// See scalar_type.h.
#include "tests/random_kernels/scalar_type.h"

#include "fmt/format.h"

namespace assay::testing {
namespace {

constexpr ScalarTypeInfo kTypes[] = {
    {"uint", 32, false, false},  {"int", 32, true, false},     {"uchar", 8, false, false},
    {"char", 8, true, false},    {"ushort", 16, false, false}, {"short", 16, true, false},
    {"ulong", 64, false, false}, {"long", 64, true, false},    {"float", 32, true, true},
    {"half", 16, true, true},    {"bfloat", 16, true, true},   {"bool", 1, false, false},
};

// Where carries, signs and narrow types have their edges.
constexpr uint64_t kIntegers[] = {0,
                                  1,
                                  2,
                                  3,
                                  5,
                                  7,
                                  16,
                                  31,
                                  32,
                                  33,
                                  100,
                                  127,
                                  128,
                                  255,
                                  256,
                                  1000,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x10000,
                                  0x7fffffe9,
                                  0x7fffffff,
                                  0x80000000,
                                  0xfffffff0,
                                  0xffffffff,
                                  0x100000000,
                                  0x7fffffffffffffff,
                                  0xfffffffffffffff5};
constexpr const char* kFloats[] = {"0.0f",   "1.0f",   "-1.0f",  "0.5f",       "2.0f",     "-3.25f",
                                   "0.1f",   "1e-3f",  "100.0f", "-1000.5f",   "65504.0f", "1e10f",
                                   "-2e20f", "1e-40f", "6e-8f",  "16777217.0f"};

}  // namespace

const ScalarTypeInfo& info(ScalarType type) { return kTypes[static_cast<size_t>(type)]; }

ScalarType random_integer(Choices& choices) {
  // Half of all values have 32 bits.
  const uint32_t choice = choices.below(14);
  return static_cast<ScalarType>(choice < 8 ? choice : choice % 2);
}

ScalarType random_float(Choices& choices) {
  const uint32_t choice = choices.below(5);
  return static_cast<ScalarType>(static_cast<uint32_t>(ScalarType::kFloat) +
                                 (choice < 3 ? 0 : choice - 2));
}

ScalarType random_type(Choices& choices) {
  const uint32_t choice = choices.below(10);
  if (choice < 7) return random_integer(choices);
  return choice < 9 ? random_float(choices) : ScalarType::kBool;
}

const char* wide_unsigned(ScalarType type) { return info(type).bits == 64 ? "ulong" : "uint"; }

std::string random_literal(Choices& choices, ScalarType type) {
  if (type == ScalarType::kBool) return choices.chance(50) ? "true" : "false";
  if (info(type).is_float) return fmt::format("{}({})", info(type).name, choices.pick(kFloats));
  uint64_t value = choices.chance(70) ? choices.pick(kIntegers) : choices.below(~0U);
  if (info(type).bits < 64) value &= (uint64_t{1} << info(type).bits) - 1;
  return fmt::format("{}({}ul)", info(type).name, value);
}

std::string convert(ScalarType to, ScalarType from, const std::string& text) {
  if (to == from) return text;
  if (to == ScalarType::kBool) return fmt::format("({} != {}(0))", text, info(from).name);
  // Numbers that do not fit have no defined integer.
  if (info(from).is_float && !info(to).is_float) {
    return fmt::format("{}(to_int(float({})))", info(to).name, text);
  }
  if (info(from).is_float && info(to).is_float) {
    return fmt::format("{}(float({}))", info(to).name, text);
  }
  return fmt::format("{}({})", info(to).name, text);
}

}  // namespace assay::testing
