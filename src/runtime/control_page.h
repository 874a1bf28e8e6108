// A page of memory through which `assay record --attach` asks a running program to record itself.
// The program makes it when the library is loaded and looks at one word of it in each evaluation:
// there is no thread, no socket and no signal until somebody asks. The page is an anonymous file
// that the system shows under /proc/PID/fd to processes of the same user; it ends with the program.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace assay::runtime {

// Who may change it is said behind each.
enum class ControlState : uint32_t {
  kIdle,       // the tool asks
  kAsked,      // the program begins, or the tool takes it back
  kRecording,  // the tool says stop; the program ends by itself
  kStopping,   // the program ends
  kOwn,        // the program records what its environment asked for; only it ends that
};

// One view of the page. Texts of the other side are copied and bounded: nobody has to believe them.
class ControlPage {
 public:
  // The program's. The error says what the system refused.
  static Result<std::unique_ptr<ControlPage>> create();
  // The tool's: that of a running process, locked against other tools until it is destroyed. The
  // error is for people.
  static Result<std::unique_ptr<ControlPage>> open(pid_t process);
  ~ControlPage();
  ControlPage(const ControlPage&) = delete;
  ControlPage& operator=(const ControlPage&) = delete;

  ControlState state() const;
  // False where it is another one meanwhile.
  bool change(ControlState from, ControlState to);
  // Returns when the state is another one, or after this time.
  void wait_while(ControlState state, std::chrono::milliseconds time) const;

  // The tool's, while the state is kIdle.
  Result<void> set_request(pid_t process, const std::string& text);
  // The program's, while it is kAsked; empty where another process is meant: a fork has the same
  // page.
  std::string request() const;

  // Why there is no recording; the program's, before it goes back to kIdle.
  void set_message(const std::string& text);
  std::string message() const;

  // Whether the tool that asked still lives; the program's.
  bool has_tool() const;

 private:
  struct Content;
  ControlPage(base::FileDescriptor file, Content* content);
  static Result<std::unique_ptr<ControlPage>> map(base::FileDescriptor file);

  const base::FileDescriptor file_;
  Content* const content_;
};

}  // namespace assay::runtime
