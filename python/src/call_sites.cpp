// Tells the library which line of Python creates an array: the innermost frame outside this
// package.
#include <unordered_map>

#include "bindings.h"
#include "interpreter.h"

namespace assay::python {
namespace {

// The line at which this thread let the interpreter go.
thread_local CallSitePtr noted_site = nullptr;

// Lines are looked up by code object and bytecode position: both stay what they are while the
// code object lives, and those of functions live long. The dictionary below keeps them alive.
struct Position {
  PyCodeObject* code = nullptr;
  int instruction = 0;
  bool operator==(const Position&) const = default;
};
struct PositionHash {
  size_t operator()(const Position& position) const {
    return std::hash<const void*>()(position.code) * 31 + static_cast<size_t>(position.instruction);
  }
};

// Under the interpreter's lock. Forgotten when it is full, so that generated code cannot fill
// memory.
class KnownPositions {
 public:
  CallSitePtr find(const Position& position) {
    if (position == last_) return last_site_;  // a loop
    last_site_ = look_up(position);
    last_ = last_site_ == nullptr ? Position{} : position;
    return last_site_;
  }

 private:
  static constexpr size_t kMostPositions = 1 << 14;

  CallSitePtr look_up(const Position& position) {
    if (const auto found = sites_.find(position); found != sites_.end()) return found->second;
    if (sites_.size() >= kMostPositions) forget();
    const int line = PyCode_Addr2Line(position.code, position.instruction);
    Py_ssize_t length = 0;
    const char* file = PyUnicode_AsUTF8AndSize(position.code->co_filename, &length);
    if (file == nullptr) {
      PyErr_Clear();
      return nullptr;
    }
    const CallSitePtr site = intern_call_site({file, static_cast<size_t>(length)},
                                              static_cast<uint32_t>(line < 0 ? 0 : line));
    Py_INCREF(position.code);
    sites_.emplace(position, site);
    return site;
  }

  void forget() {
    last_ = {};
    for (const auto& [position, site] : sites_) Py_DECREF(position.code);
    sites_.clear();
  }

  std::unordered_map<Position, CallSitePtr, PositionHash> sites_;
  // Alive in `sites_`.
  Position last_{};
  CallSitePtr last_site_ = nullptr;
};

// Never destroyed: arrays may be made while the interpreter shuts down.
KnownPositions& known_positions() {
  static auto* positions = new KnownPositions;
  return *positions;
}

CallSitePtr find_python_site() {
  if (PyGILState_Check() == 0) return noted_site;
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) return noted_site;
  PyCodeObject* code = PyFrame_GetCode(frame);
  const CallSitePtr site = known_positions().find({code, PyFrame_GetLasti(frame)});
  Py_DECREF(code);
  return site;
}

}  // namespace

ReleasedInterpreter::ReleasedInterpreter()
    : outer_(std::exchange(noted_site, find_python_site())) {}
ReleasedInterpreter::~ReleasedInterpreter() { noted_site = outer_; }

void install_call_sites() { set_call_site_provider(&find_python_site); }

}  // namespace assay::python
