// Names of the user for arrays, streams and evaluations. They change nothing that is computed;
// traces, reports of checks and messages show them.
#pragma once

#include <string>

#include "assay/array.h"
#include "assay/stream.h"

namespace assay::metal {

// Names an array, evaluated or not; views of it that have no name of their own show it too. An
// empty label takes the name away. Arrays inside compiled functions keep no names.
ASSAY_API void set_label(const array& a, std::string label);
// Names a stream, for command buffers from now on: "stream 2: prefill".
ASSAY_API void set_label(const Stream& stream, std::string label);

// Labels the command buffers of evaluations on this thread while it lives. Scopes inside one
// another are joined: "step 3/attention".
class ASSAY_API LabelScope {
 public:
  explicit LabelScope(const std::string& label);
  ~LabelScope();
  LabelScope(const LabelScope&) = delete;
  LabelScope& operator=(const LabelScope&) = delete;

 private:
  std::string outer_;
};

}  // namespace assay::metal
