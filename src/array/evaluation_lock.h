// The lock under which nodes get values and lose their operations.
#pragma once

#include <mutex>

namespace assay {

// Held while graphs are ordered and encoded, never while anybody waits; and by those who follow
// operations of arrays that other threads may evaluate.
std::mutex& evaluation_mutex();

}  // namespace assay
