// Einstein summation, two operands at a time.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "assay/einsum.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ops/einsum_path.h"
#include "ops/elementwise.h"

namespace assay {
namespace {

struct Term {
  std::string labels;
  array value;
};

bool is_label(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

// Letters stand for the axes of "...": those that nobody uses.
std::string expand_ellipsis(const std::string& text, size_t rank, const std::string& fresh) {
  const size_t dots = text.find("...");
  if (dots == std::string::npos) return text;
  return text.substr(0, dots) + fresh.substr(fresh.size() - rank) + text.substr(dots + 3);
}

Subscripts parse(std::string text, const std::vector<array>& operands) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  Subscripts parsed;
  const size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  for (size_t start = 0; start <= left.size();) {
    const size_t comma = std::min(left.find(',', start), left.size());
    parsed.inputs.push_back(left.substr(start, comma - start));
    start = comma + 1;
  }
  if (parsed.inputs.size() != operands.size()) {
    throw std::invalid_argument(fmt::format(
        "[einsum] Number of operands, {}, does not match number of input subscripts, {}",
        operands.size(), parsed.inputs.size()));
  }
  std::string fresh;
  for (const char* letter = "ZYXWVUTSRQPONMLKJIHGFEDCBA"; *letter; ++letter) {
    if (text.find(*letter) == std::string::npos) fresh = *letter + fresh;
  }
  size_t widest = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string& labels = parsed.inputs[i];
    const bool has_dots = labels.find("...") != std::string::npos;
    const size_t named = has_dots ? labels.size() - 3 : labels.size();
    if (has_dots && operands[i].ndim() >= named) {
      widest = std::max(widest, operands[i].ndim() - named);
      labels = expand_ellipsis(labels, operands[i].ndim() - named, fresh);
    }
    if (labels.size() != operands[i].ndim()) {
      throw std::invalid_argument(
          fmt::format("[einsum] Invalid number of subscripts {} for input {} with {} dimensions.",
                      labels.size(), i, operands[i].ndim()));
    }
    for (const char label : labels) {
      if (!is_label(label)) {
        throw std::invalid_argument(
            fmt::format("[einsum] Subscripts must be letters, but got '{}'.", label));
      }
    }
  }
  if (arrow != std::string::npos) {
    parsed.output = expand_ellipsis(text.substr(arrow + 2), widest, fresh);
    return parsed;
  }
  std::string all;
  for (const std::string& labels : parsed.inputs) all += labels;
  const std::string dots = fresh.substr(fresh.size() - widest);
  for (const char label : std::set<char>(all.begin(), all.end())) {
    if (std::count(all.begin(), all.end(), label) == 1 && dots.find(label) == std::string::npos) {
      parsed.output += label;
    }
  }
  parsed.output = dots + parsed.output;
  return parsed;
}

// A label that stands twice in one operand takes its diagonal.
Term take_diagonals(Term term, const StreamOrDevice& s) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t again = term.labels.find(term.labels[i], i + 1);
    if (again == std::string::npos) continue;
    const char label = term.labels[i];
    const ShapeElem length = term.value.shape()[i], other = term.value.shape()[again];
    if (length != other) {
      throw std::invalid_argument(fmt::format(
          "[einsum] Label '{}' has size {} and size {} in one operand.", label, length, other));
    }
    term.value = diagonal(term.value, 0, static_cast<int>(i), static_cast<int>(again), s);
    term.labels.erase(again, 1);
    term.labels.erase(i, 1);
    term.labels += label;
    return take_diagonals(std::move(term), s);
  }
  return term;
}

Term sum_away(Term term, const std::string& kept, const StreamOrDevice& s) {
  std::vector<int> axes;
  std::string labels;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (kept.find(term.labels[i]) == std::string::npos) {
      axes.push_back(static_cast<int>(i));
    } else {
      labels += term.labels[i];
    }
  }
  if (axes.empty()) return term;
  return {labels, sum(term.value, axes, false, s)};
}

array reorder(const Term& term, const std::string& labels, const StreamOrDevice& s) {
  std::vector<int> axes;
  for (const char label : labels) axes.push_back(static_cast<int>(term.labels.find(label)));
  return transpose(term.value, axes, s);
}

ShapeElem length_of(const Term& term, char label) {
  return term.value.shape(static_cast<int>(term.labels.find(label)));
}

Shape lengths(const std::string& labels, const Term& a, const Term& b) {
  Shape shape;
  for (const char label : labels) {
    const bool in_a = a.labels.find(label) != std::string::npos;
    ShapeElem length = length_of(in_a ? a : b, label);
    if (in_a && b.labels.find(label) != std::string::npos && length == 1)
      length = length_of(b, label);
    shape.push_back(length);
  }
  return shape;
}

ShapeElem product(const Shape& shape) {
  ShapeElem result = 1;
  for (const ShapeElem length : shape) result *= length;
  return result;
}

// A batched matrix product over the labels that both have and nobody needs later.
Term contract(Term a, Term b, const std::string& later, const StreamOrDevice& s) {
  a = sum_away(std::move(a), b.labels + later, s);
  b = sum_away(std::move(b), a.labels + later, s);
  std::string batch, summed, only_a, only_b;
  for (const char label : a.labels) {
    const bool is_shared = b.labels.find(label) != std::string::npos;
    const bool is_needed = later.find(label) != std::string::npos;
    (is_shared ? (is_needed ? batch : summed) : only_a) += label;
  }
  for (const char label : b.labels) {
    if (a.labels.find(label) == std::string::npos) only_b += label;
  }
  for (const char label : batch + summed) {
    const ShapeElem x = length_of(a, label), y = length_of(b, label);
    if (x != y && x != 1 && y != 1) {
      throw std::invalid_argument(fmt::format(
          "[einsum] Label '{}' has size {} in one operand and {} in another.", label, x, y));
    }
  }
  auto widen = [&](const Term& term, const std::string& order) {
    return broadcast_to(reorder(term, order, s), lengths(order, a, b), s);
  };
  const Shape batch_shape = lengths(batch, a, b), a_shape = lengths(only_a, a, b),
              b_shape = lengths(only_b, a, b), summed_shape = lengths(summed, a, b);
  const array left = reshape(widen(a, batch + only_a + summed),
                             {product(batch_shape), product(a_shape), product(summed_shape)}, s);
  const array right = reshape(widen(b, batch + summed + only_b),
                              {product(batch_shape), product(summed_shape), product(b_shape)}, s);
  const std::string labels = batch + only_a + only_b;
  const Dtype dtype = promote_types(a.value.dtype(), b.value.dtype());
  const bool is_exact = !issubdtype(dtype, inexact);
  const array result =
      is_exact ? sum(multiply(expand_dims(left, 3, s), expand_dims(right, 1, s), s), 2, false, s)
               : matmul(left, right, s);
  return {labels, reshape(result, lengths(labels, a, b), s)};
}

// Lengths of the labels; one that stands for 1 in some operands has the length of the others.
LabelSizes find_sizes(const Subscripts& parsed, const std::vector<array>& operands) {
  LabelSizes sizes;
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t axis = 0; axis < parsed.inputs[i].size(); ++axis) {
      int64_t& size = sizes[parsed.inputs[i][axis]];
      size = std::max<int64_t>(size, operands[i].shape()[axis]);
    }
  }
  return sizes;
}

Subscripts parse_checked(const std::string& subscripts, const std::vector<array>& operands,
                         const char* call) {
  if (operands.empty()) {
    throw std::invalid_argument(fmt::format("[{}] At least one operand is required.", call));
  }
  Subscripts parsed = parse(subscripts, operands);
  for (const char label : parsed.output) {
    const bool is_known = std::any_of(
        parsed.inputs.begin(), parsed.inputs.end(),
        [&](const std::string& labels) { return labels.find(label) != std::string::npos; });
    if (!is_known) {
      throw std::invalid_argument(
          fmt::format("[{}] Output label '{}' is not in any input.", call, label));
    }
  }
  return parsed;
}

// Takes the terms of one step out of the list and puts their product at its end.
void contract_step(std::vector<Term>& terms, const std::vector<int>& step,
                   const std::string& output, const StreamOrDevice& s) {
  std::vector<Term> taken;
  for (const int position : step) taken.push_back(terms[static_cast<size_t>(position)]);
  for (auto position = step.rbegin(); position != step.rend(); ++position) {
    terms.erase(terms.begin() + *position);
  }
  Term product = taken[0];
  for (size_t i = 1; i < taken.size(); ++i) {
    std::string later = output;
    for (const Term& term : terms) later += term.labels;
    for (size_t next = i + 1; next < taken.size(); ++next) later += taken[next].labels;
    product = contract(std::move(product), taken[i], later, s);
  }
  terms.push_back(std::move(product));
}

std::string describe_path(const Subscripts& parsed, const ContractionPath& path) {
  return fmt::format(
      "  Complete contraction:  {}->{}\n  Operations in one loop:  {:.3e}\n"
      "  Operations of this path:  {:.3e}\n  Theoretical speedup:  {:.3g}\n",
      fmt::join(parsed.inputs, ","), parsed.output, path.naive_cost, path.cost,
      path.cost == 0 ? 1 : path.naive_cost / path.cost);
}

}  // namespace

array einsum(const std::string& subscripts, const std::vector<array>& operands, StreamOrDevice s) {
  const Subscripts parsed = parse_checked(subscripts, operands, "einsum");
  std::vector<Term> terms;
  for (size_t i = 0; i < operands.size(); ++i) {
    terms.push_back(take_diagonals({parsed.inputs[i], operands[i]}, s));
  }
  const ContractionPath path = find_contraction_path(parsed, find_sizes(parsed, operands));
  for (const std::vector<int>& step : path.steps) contract_step(terms, step, parsed.output, s);
  return reorder(sum_away(terms[0], parsed.output, s), parsed.output, s);
}

std::pair<std::vector<std::vector<int>>, std::string> einsum_path(
    const std::string& subscripts, const std::vector<array>& operands) {
  const Subscripts parsed = parse_checked(subscripts, operands, "einsum_path");
  ContractionPath path = find_contraction_path(parsed, find_sizes(parsed, operands));
  std::string text = describe_path(parsed, path);
  return {std::move(path.steps), std::move(text)};
}

}  // namespace assay
