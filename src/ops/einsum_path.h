// The order in which the operands of an Einstein summation are multiplied.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay {

// Labels of the operands and of the result, a letter for each axis.
struct Subscripts {
  std::vector<std::string> inputs;
  std::string output;
};

using LabelSizes = std::map<char, int64_t>;

// Steps as NumPy writes them: positions, rising, of operands that are taken out of the list; their
// product is put at its end.
struct ContractionPath {
  std::vector<std::vector<int>> steps;
  // Multiplications and additions: of the steps, and of one loop over all labels.
  double cost = 0;
  double naive_cost = 0;
};

// Greedy: each step is the one that frees the most memory, and of those the cheapest. Products that
// would be larger than every operand and the result are not formed.
ContractionPath find_contraction_path(const Subscripts& subscripts, const LabelSizes& sizes);

}  // namespace assay
