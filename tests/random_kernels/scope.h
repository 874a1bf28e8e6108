// What code at one place of a random kernel may use, and what it must keep to.
#pragma once

#include <string>
#include <vector>

#include "tests/random_kernels/scalar_type.h"

namespace assay::testing {

struct Variable {
  std::string name;
  ScalarType type = ScalarType::kUint;
  bool is_uniform = false;  // the same in all threads of a threadgroup
  bool is_fixed = false;    // loop counters and parameters: nothing may change them
};

// A private array; its length is a power of two, so that any index can be masked.
struct ArrayVariable {
  std::string name;
  ScalarType type = ScalarType::kUint;
  uint32_t length = 0;
};

// A function that was generated before: `ScalarType name(THREAD, ScalarType, ScalarType)`.
struct HelperFunction {
  std::string name;
  ScalarType result = ScalarType::kUint;
  ScalarType parameters[2] = {};
};

// Names leave it in the order in which their blocks end.
struct Scope {
  std::vector<Variable> variables;
  std::vector<ArrayVariable> arrays;
  std::vector<std::string> structs;  // of type Record
  std::vector<std::string> vectors;  // of type uint4
  const std::vector<HelperFunction>* helpers = nullptr;
  bool is_alone = false;       // threads ask nothing about each other, nor which lane they are
  bool has_constants = false;  // function constants kNumber_N and kFlag_N
  uint32_t kernel = 0;         // N
};

}  // namespace assay::testing
