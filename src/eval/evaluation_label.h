// What the user calls the evaluations of a thread.
#pragma once

#include <string>

namespace assay {

// Of this thread, from metal::LabelScope; empty for none.
const std::string& evaluation_label();

}  // namespace assay
