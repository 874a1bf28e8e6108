// Random statements of MSL: branches, loops, stores, barriers.
#pragma once

#include <string>

#include "tests/random_kernels/choices.h"
#include "tests/random_kernels/expressions.h"
#include "tests/random_kernels/scope.h"

namespace assay::testing {

// Rules of one place in the code.
struct Place {
  uint32_t depth = 0;       // blocks around it
  uint32_t loops = 0;       // loops around it
  bool is_uniform = false;  // all threads of the group come here together: barriers may stand here
  bool may_break = false;   // `break` leaves a loop that lanes may leave at different times
  bool may_continue = false;
  bool may_return = false;  // no barrier can follow
};

// Parts of the output buffers that were given away; every store statement has one of its own, in
// which every thread has its own element.
struct OutputRegions {
  static constexpr uint32_t kMax = 16;  // per buffer
  uint32_t words = 0;
  uint32_t bytes = 0;
  uint32_t shorts = 0;
  uint32_t longs = 0;
  uint32_t floats = 0;
  uint32_t counters = 0;
};

class Statements {
 public:
  // `budget`: how many statements may be written at most.
  Statements(Choices& choices, Scope& scope, OutputRegions& regions, uint32_t budget)
      : choices_(choices),
        scope_(scope),
        regions_(regions),
        expressions_(choices, scope),
        budget_(budget) {}

  // Helper functions: no buffers to write to, `return` needs a value of this type.
  void set_result(ScalarType type) {
    is_helper_ = true;
    result_ = type;
  }
  void set_budget(uint32_t budget) { budget_ = budget; }

  void block(const Place& place, uint32_t count);
  void declare_variables(uint32_t count);
  void guard();
  void long_computation();
  // Atomic operations on threadgroup memory may stand between the two; all threads come to both.
  void open_shared_counters();
  void close_shared_counters();
  void return_value();
  // Writes every variable of the scope to a buffer.
  void store_variables();
  void line(const std::string& text);

  const std::string& text() const { return text_; }

 private:
  void statement(const Place& place);
  void simple_statement(const Place& place);
  void nested_statement(const Place& place);
  void declaration(const Place& place);
  void private_declaration();
  void assignment(const Place& place);
  void cross_lane_assignment();
  void private_store();
  void store();
  void store_value(ScalarType type, const std::string& value);
  std::string own_element(uint32_t region);
  void edge_access();
  void atomic_operation();
  void exchange();
  void tree_sum();
  void branch(const Place& place);
  void late_value(const Place& place);
  void switch_branch(const Place& place);
  void loop(const Place& place);
  void counting_loop(const Place& place, bool is_uniform);
  void conditional_loop(const Place& place);
  void leave(const Place& place);
  void inner_block(const Place& place);
  // Forgets what was declared since `before`, a copy of the scope.
  void close_scope(const Scope& before);
  std::string new_name(const char* kind);
  const Variable* changeable(bool is_uniform);
  uint32_t rounds(const Place& place) const {
    return place.loops == 0 ? 9 : place.loops == 1 ? 5 : 3;
  }

  Choices& choices_;
  Scope& scope_;
  OutputRegions& regions_;
  Expressions expressions_;
  uint32_t budget_;
  bool is_helper_ = false;
  ScalarType result_ = ScalarType::kUint;
  std::string shared_operation_;  // of all threadgroup counters; empty when there are none
  std::string text_;
  uint32_t indent_ = 1;
  uint32_t names_ = 0;
};

}  // namespace assay::testing
