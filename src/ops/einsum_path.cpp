// See einsum_path.h.
#include "ops/einsum_path.h"

#include <algorithm>
#include <tuple>

namespace assay {
namespace {

// A set of letters, a bit for each.
using Labels = uint64_t;

Labels labels_of(const std::string& text) {
  Labels labels = 0;
  for (const char label : text) labels |= Labels{1} << (label - 'A');
  return labels;
}

// Two operands that may be multiplied next.
struct Candidate {
  size_t first = 0, second = 0;  // rising
  Labels result = 0;
  double freed = 0;  // elements of the operands, less those of the product
  double cost = 0;
};

class PathSearch {
 public:
  PathSearch(const Subscripts& subscripts, const LabelSizes& sizes)
      : sizes_(sizes), output_(labels_of(subscripts.output)) {
    largest_ = size_of(output_);
    for (const std::string& input : subscripts.inputs) {
      operands_.push_back(labels_of(input));
      all_ |= operands_.back();
      largest_ = std::max(largest_, size_of(operands_.back()));
    }
    path_.naive_cost = cost_of(all_, (all_ & ~output_) != 0, operands_.size());
  }

  ContractionPath find() {
    // A pair leaves no choice; where nothing is summed, no order is better than another.
    if (operands_.size() > 2 && all_ != output_) take_steps();
    if (operands_.size() > 1 || path_.steps.empty()) take_rest();
    return std::move(path_);
  }

 private:
  double size_of(Labels labels) const {
    double size = 1;
    for (const auto& [label, length] : sizes_) {
      if ((labels & labels_of(std::string(1, label))) != 0) size *= static_cast<double>(length);
    }
    return size;
  }

  // An operation for each multiplication of the innermost loop, and one for the sum.
  double cost_of(Labels labels, bool is_summed, size_t operands) const {
    const size_t products = std::max<size_t>(1, operands - 1);
    return size_of(labels) * static_cast<double>(products + (is_summed ? 1 : 0));
  }

  void take_steps() {
    add_all_pairs(false);
    while (operands_.size() > 1) {
      if (candidates_.empty()) add_all_pairs(true);
      if (candidates_.empty()) return;
      // Of equally good ones the first.
      take(*std::min_element(candidates_.begin(), candidates_.end(), &is_better));
    }
  }

  static bool is_better(const Candidate& a, const Candidate& b) {
    return std::tuple(-a.freed, a.cost) < std::tuple(-b.freed, b.cost);
  }

  void add_all_pairs(bool with_outer_products) {
    for (size_t first = 0; first < operands_.size(); ++first) {
      for (size_t second = first + 1; second < operands_.size(); ++second) {
        add_pair(first, second, with_outer_products);
      }
    }
  }

  void add_pair(size_t first, size_t second, bool with_outer_products) {
    if (!with_outer_products && (operands_[first] & operands_[second]) == 0) return;
    const Candidate next = make_candidate(first, second);
    if (size_of(next.result) > largest_ || path_.cost + next.cost > path_.naive_cost) return;
    candidates_.push_back(next);
  }

  void take(const Candidate taken) {
    path_.steps.push_back({static_cast<int>(taken.first), static_cast<int>(taken.second)});
    path_.cost += taken.cost;
    operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(taken.second));
    operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(taken.first));
    operands_.push_back(taken.result);
    const auto is_taken = [&](size_t position) {
      return position == taken.first || position == taken.second;
    };
    const auto move_up = [&](size_t& position) {
      position -= (position > taken.first ? 1 : 0) + (position > taken.second ? 1 : 0);
    };
    std::erase_if(candidates_, [&](const Candidate& each) {
      return is_taken(each.first) || is_taken(each.second);
    });
    for (Candidate& each : candidates_) {
      move_up(each.first);
      move_up(each.second);
    }
    const size_t last = operands_.size() - 1;
    for (size_t first = 0; first < last; ++first) add_pair(first, last, false);
  }

  // All that is left at once.
  void take_rest() {
    Labels labels = 0;
    std::vector<int> rest;
    for (const Labels operand : operands_) {
      labels |= operand;
      rest.push_back(static_cast<int>(rest.size()));
    }
    path_.cost += cost_of(labels, (labels & ~output_) != 0, operands_.size());
    path_.steps.push_back(std::move(rest));
  }

  Candidate make_candidate(size_t first, size_t second) const {
    Labels kept = output_;
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (i != first && i != second) kept |= operands_[i];
    }
    const Labels both = operands_[first] | operands_[second];
    const Labels result = both & kept;
    const double before = size_of(operands_[first]) + size_of(operands_[second]);
    return {first, second, result, before - size_of(result), cost_of(both, both != result, 2)};
  }

  const LabelSizes& sizes_;
  const Labels output_;
  Labels all_ = 0;
  std::vector<Labels> operands_;
  double largest_ = 0;  // elements of an operand or of the result
  std::vector<Candidate> candidates_;
  ContractionPath path_;
};

}  // namespace

ContractionPath find_contraction_path(const Subscripts& subscripts, const LabelSizes& sizes) {
  return PathSearch(subscripts, sizes).find();
}

}  // namespace assay
