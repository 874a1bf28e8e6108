// Labels of arrays, streams and evaluations; see assay/labels.h.
#include "assay/labels.h"

#include "array/array_names.h"
#include "eval/engine.h"
#include "eval/evaluation_label.h"

namespace assay {
namespace {

thread_local std::string current_label;

}  // namespace

const std::string& evaluation_label() { return current_label; }

namespace metal {

void set_label(const array& a, std::string label) {
  const std::lock_guard lock(evaluation_mutex());
  name_node(a.node(),
            label.empty() ? nullptr : std::make_shared<const std::string>(std::move(label)));
}

void set_label(const Stream& stream, std::string label) {
  Engine& engine = Engine::get();
  const std::lock_guard lock(engine.mutex());
  engine.set_label(stream, label);
}

LabelScope::LabelScope(const std::string& label) : outer_(current_label) {
  current_label += (current_label.empty() ? "" : "/") + label;
}

LabelScope::~LabelScope() { current_label = std::move(outer_); }

}  // namespace metal
}  // namespace assay
