// Random expressions of MSL that are defined for all values.
#pragma once

#include <string>

#include "tests/random_kernels/choices.h"
#include "tests/random_kernels/scope.h"

namespace assay::testing {

class Expressions {
 public:
  Expressions(Choices& choices, const Scope& scope) : choices_(choices), scope_(scope) {}

  // Any value of the type; `depth` bounds the number of operations in it.
  std::string varying(ScalarType type, uint32_t depth) { return make(type, depth, false); }
  // The same value in all threads of the threadgroup, without operations across lanes.
  std::string uniform(ScalarType type, uint32_t depth) { return make(type, depth, true); }
  // An operation across the active lanes.
  std::string cross_lane(ScalarType type, uint32_t depth);
  // Cross-lane functions take these only.
  static bool has_cross_lane(ScalarType type);
  // An index of a private array.
  std::string array_index(const ArrayVariable& array, uint32_t depth);

 private:
  std::string make(ScalarType type, uint32_t depth, bool is_uniform);
  std::string leaf(ScalarType type, bool is_uniform);
  std::string variable(ScalarType type, bool is_uniform);
  std::string thread_value(ScalarType type, bool is_uniform);
  std::string memory(ScalarType type, uint32_t depth, bool is_uniform);
  std::string memory_index(uint32_t depth, bool is_uniform);
  std::string private_memory(ScalarType type, uint32_t depth);
  std::string integer(ScalarType type, uint32_t depth, bool is_uniform);
  std::string integer_arithmetic(ScalarType type, uint32_t depth, bool is_uniform);
  std::string integer_division(ScalarType type, uint32_t depth, bool is_uniform);
  std::string integer_function(ScalarType type, uint32_t depth, bool is_uniform);
  std::string floating(ScalarType type, uint32_t depth, bool is_uniform);
  std::string condition(uint32_t depth, bool is_uniform);
  std::string conversion(ScalarType type, uint32_t depth, bool is_uniform);
  std::string choice_between(ScalarType type, uint32_t depth, bool is_uniform);
  std::string helper_call(ScalarType type, uint32_t depth);
  std::string shuffle(ScalarType type, const std::string& value);
  std::string vote(uint32_t depth);

  Choices& choices_;
  const Scope& scope_;
};

}  // namespace assay::testing
