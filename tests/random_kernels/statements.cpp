// Blocks, branches and loops; simple_statements.cpp has the rest.
#include "tests/random_kernels/statements.h"

#include "fmt/format.h"

namespace assay::testing {

using fmt::format;

namespace {

constexpr uint32_t kMaxDepth = 4;
constexpr uint32_t kMaxLoops = 3;
constexpr uint32_t kExpressionDepth = 2;

}  // namespace

void Statements::line(const std::string& text) {
  text_ += std::string(size_t{2} * indent_, ' ') + text + "\n";
}

std::string Statements::new_name(const char* kind) { return format("{}{}", kind, names_++); }

void Statements::block(const Place& place, uint32_t count) {
  for (uint32_t i = 0; i < count && budget_ > 0; ++i) statement(place);
}

// Braces, and an end to the names of what is declared in between.
void Statements::inner_block(const Place& place) {
  const Scope before = scope_;
  ++indent_;
  Place inside = place;
  ++inside.depth;
  const size_t empty = text_.size();
  block(inside, 1 + choices_.below(3));
  if (text_.size() == empty) assignment(inside);
  --indent_;
  close_scope(before);
}

void Statements::close_scope(const Scope& before) {
  scope_.variables.resize(before.variables.size());
  scope_.arrays.resize(before.arrays.size());
  scope_.structs.resize(before.structs.size());
  scope_.vectors.resize(before.vectors.size());
}

void Statements::statement(const Place& place) {
  --budget_;
  if (place.depth >= kMaxDepth || choices_.below(100) < 55) return simple_statement(place);
  nested_statement(place);
}

void Statements::nested_statement(const Place& place) {
  switch (choices_.below(8)) {
    case 0:
    case 1:
    case 2: return branch(place);
    case 3: return switch_branch(place);
    case 4: return late_value(place);
    default: return place.loops < kMaxLoops ? loop(place) : branch(place);
  }
}

void Statements::branch(const Place& place) {
  const bool is_uniform = choices_.chance(30);
  Place inside = place;
  inside.is_uniform = place.is_uniform && is_uniform;
  line(format("if ({}) {{", is_uniform
                                ? expressions_.uniform(ScalarType::kBool, kExpressionDepth)
                                : expressions_.varying(ScalarType::kBool, kExpressionDepth)));
  inner_block(inside);
  if (choices_.chance(30)) {
    line(format("}} else if ({}) {{", expressions_.varying(ScalarType::kBool, 2)));
    Place other = place;
    other.is_uniform = false;
    inner_block(other);
    inside.is_uniform = false;
  }
  if (choices_.chance(50)) {
    line("} else {");
    inner_block(inside);
  }
  line("}");
}

// A variable that has a value only on the ways that use it.
void Statements::late_value(const Place& place) {
  const std::string condition = new_name("c");
  const std::string name = new_name("v");
  const ScalarType type = choices_.chance(70) ? ScalarType::kUint : random_integer(choices_);
  line(format("const bool {} = {};", condition, expressions_.varying(ScalarType::kBool, 2)));
  line(format("{} {};", info(type).name, name));
  Place inside = place;
  inside.is_uniform = inside.may_break = inside.may_continue = inside.may_return = false;
  line(format("if ({}) {{", condition));
  ++indent_;
  const uint32_t kind = scope_.is_alone ? 2 : choices_.below(3);
  const std::string value =
      kind == 0   ? expressions_.uniform(type, 2)
      : kind == 1 ? convert(type, ScalarType::kUint, expressions_.cross_lane(ScalarType::kUint, 1))
                  : expressions_.varying(type, 2);
  line(format("{} = {};", name, value));
  --indent_;
  if (choices_.chance(50)) {
    line("} else {");
    inner_block(inside);
  }
  line("}");
  if (choices_.chance(50) && budget_ > 0) statement(inside);
  line(format("if ({}) {{", condition));
  scope_.variables.push_back({name, type, false, false});
  inner_block(inside);
  ++indent_;
  if (is_helper_) {
    assignment(inside);
  } else {
    store_value(type, name);
  }
  --indent_;
  std::erase_if(scope_.variables, [&](const Variable& variable) { return variable.name == name; });
  line("}");
}

void Statements::switch_branch(const Place& place) {
  const bool is_uniform = choices_.chance(30);
  static constexpr uint32_t kMasks[] = {3, 7, 15};
  line(format("switch ({} & {}u) {{",
              is_uniform ? expressions_.uniform(ScalarType::kUint, 2)
                         : expressions_.varying(ScalarType::kUint, 2),
              choices_.pick(kMasks)));
  Place inside = place;
  inside.is_uniform = place.is_uniform && is_uniform;
  inside.may_break = false;  // it would leave the switch
  const uint32_t cases = 1 + choices_.below(4);
  for (uint32_t i = 0; i < cases; ++i) {
    line(choices_.chance(30) ? format("case {}: case {}: {{", i, i + cases)
                             : format("case {}: {{", i));
    inner_block(inside);
    line("  break;");
    line("}");
  }
  if (choices_.chance(60)) {
    line("default: {");
    inner_block(inside);
    line("}");
  }
  line("}");
}

void Statements::loop(const Place& place) {
  switch (choices_.below(4)) {
    case 0: return counting_loop(place, true);
    case 1:
    case 2: return counting_loop(place, false);
    default: return conditional_loop(place);
  }
}

// A loop with barriers is left by all threads in the same round; others let lanes go one by one.
void Statements::counting_loop(const Place& place, bool is_uniform) {
  const std::string counter = new_name("i");
  const uint32_t limit = rounds(place);
  const bool stays_uniform = is_uniform && place.is_uniform && choices_.chance(60);
  Place inside = place;
  ++inside.loops;
  inside.is_uniform = stays_uniform;
  inside.may_break = inside.may_continue = !stays_uniform;
  if (stays_uniform) inside.may_return = false;
  const std::string bound = format("{} % {}u",
                                   is_uniform ? expressions_.uniform(ScalarType::kUint, 2)
                                              : expressions_.varying(ScalarType::kUint, 2),
                                   limit);
  static constexpr const char* kSteps[] = {"++{}", "++{}", "{} += 2u"};
  std::string head;
  if (choices_.chance(30)) {
    head = format("for (uint {0} = {1}; {0}-- > 0u;) {{", counter, bound);
  } else {
    head = format("for (uint {0} = 0u; {0} < {1}; {2}) {{", counter, bound,
                  format(fmt::runtime(choices_.pick(kSteps)), counter));
  }
  // The bound is computed again in every round when the loop looks at variables that it changes.
  if (head.find("for (uint") == 0 && choices_.chance(60)) {
    const std::string name = new_name("n");
    line(format("const uint {} = {};", name, bound));
    head.replace(head.find(bound), bound.size(), name);
  }
  line(head);
  scope_.variables.push_back({counter, ScalarType::kUint, stays_uniform, true});
  inner_block(inside);
  line("}");
  scope_.variables.pop_back();
}

void Statements::conditional_loop(const Place& place) {
  const std::string counter = new_name("w");
  const uint32_t limit = rounds(place);
  Place inside = place;
  ++inside.loops;
  inside.is_uniform = false;
  inside.may_break = inside.may_continue = true;
  const std::string condition = expressions_.varying(ScalarType::kBool, 2);
  line(format("uint {} = 0u;", counter));
  const uint32_t kind = choices_.below(3);
  if (kind == 0) {
    line(format("while ({0} < {1}u && {2}) {{", counter, limit, condition));
    line(format("  ++{};", counter));
  } else if (kind == 1) {
    line("do {");
    line(format("  ++{};", counter));
  } else {
    line("for (;;) {");
    line(format("  if (++{0} > {1}u) break;", counter, limit));
    if (choices_.chance(50)) line(format("  if ({}) break;", condition));
  }
  scope_.variables.push_back({counter, ScalarType::kUint, false, true});
  inner_block(inside);
  scope_.variables.pop_back();
  line(kind == 1 ? format("}} while ({} < {}u && {});", counter, limit, condition) : "}");
}

// Lanes leave the loop, the round or the function. Some do something on the way out.
void Statements::leave(const Place& place) {
  line(format("if ({}) {{", expressions_.varying(ScalarType::kBool, 2)));
  Place inside = place;
  inside.is_uniform = false;
  inside.depth = kMaxDepth;
  inside.may_break = inside.may_continue = inside.may_return = false;
  if (choices_.chance(40) && budget_ > 0) inner_block(inside);
  ++indent_;
  const uint32_t choice = choices_.below(3);
  if (place.may_break && choice != 1) {
    line("break;");
  } else if (place.may_continue && choice != 2) {
    line("continue;");
  } else if (place.may_return) {
    return_value();
  } else if (place.may_continue) {
    line("continue;");
  }
  --indent_;
  line("}");
}

void Statements::return_value() {
  line(is_helper_ ? format("return {};", expressions_.varying(result_, 2)) : "return;");
}

}  // namespace assay::testing
