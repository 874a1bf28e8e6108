// Waiting without the interpreter's lock, and the user's line of Python.
#pragma once

#include "assay/call_site.h"
#include "pybind11/pybind11.h"

namespace assay::python {

// Lets other Python threads run in this scope. The user's line is noted before, because nobody may
// look at Python's frames without the lock.
class ReleasedInterpreter {
 public:
  ReleasedInterpreter();
  ~ReleasedInterpreter();
  ReleasedInterpreter(const ReleasedInterpreter&) = delete;
  ReleasedInterpreter& operator=(const ReleasedInterpreter&) = delete;

 private:
  CallSitePtr outer_;
  pybind11::gil_scoped_release released_;
};

}  // namespace assay::python
