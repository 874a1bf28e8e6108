// Tells one listener when an evaluation begins and ends: captures of the N-th evaluation count
// them.
#pragma once

#include <atomic>

namespace assay {

// Thread-safe: evaluations of several threads may overlap. The callbacks come without any lock.
class EvaluationListener {
 public:
  virtual ~EvaluationListener() = default;
  virtual void on_evaluation_begin() = 0;
  virtual void on_evaluation_end() = 0;
};

// Null for none. The listener must live until the process ends.
void set_evaluation_listener(EvaluationListener* listener);
EvaluationListener* evaluation_listener();

// Waits for what every stream has submitted.
void synchronize_all();

// One evaluation, from construction to destruction.
class ListenedEvaluation {
 public:
  ListenedEvaluation() : listener_(evaluation_listener()) {
    if (listener_) listener_->on_evaluation_begin();
  }
  ~ListenedEvaluation() {
    if (listener_) listener_->on_evaluation_end();
  }
  ListenedEvaluation(const ListenedEvaluation&) = delete;
  ListenedEvaluation& operator=(const ListenedEvaluation&) = delete;

 private:
  EvaluationListener* const listener_;
};

}  // namespace assay
