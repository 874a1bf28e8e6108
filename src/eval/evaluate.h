// Graph → commands: order, streams, errors.
#pragma once

#include <source_location>
#include <vector>

#include "assay/array.h"

namespace assay {

// Encodes everything the arrays need and submits it; waits for the arrays if told. Errors name the
// op, its inputs, the line that created it and `site`.
void evaluate(const std::vector<array>& outputs, bool is_waiting, const std::source_location& site);

}  // namespace assay
