// See evaluation_listener.h.
#include "eval/evaluation_listener.h"

namespace assay {
namespace {

std::atomic<EvaluationListener*> current_listener = nullptr;

}  // namespace

void set_evaluation_listener(EvaluationListener* listener) { current_listener = listener; }

EvaluationListener* evaluation_listener() {
  return current_listener.load(std::memory_order_relaxed);
}

}  // namespace assay
