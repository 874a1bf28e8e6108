// See view.h.
#include "cli/commands/view.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/check/child_program.h"
#include "cli/file_output.h"
#include "cli/json_text.h"
#include "cli/view/capture_folder.h"
#include "cli/view/open_browser.h"
#include "cli/view/page_file.h"
#include "cli/view/page_server.h"
#include "cli/view/trace_shelf.h"

namespace assay::cli {
namespace {

struct Options {
  std::vector<std::string> files;  // or the program of --launch and its arguments
  bool launches = false;
  std::string html;
  int port = 0;
  bool stays_closed = false;
  bool is_json = false;
};

// Blocks the requests to end for this thread and those it starts, so that one can wait for them.
class EndSignals {
 public:
  EndSignals() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~EndSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  void wait() const {
    int signal = 0;
    ::sigwait(&signals_, &signal);
  }
  // Lets them through to this thread for as long as `use` takes.
  template <typename Use>
  auto let_through(Use&& use) const {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    auto result = use();
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    return result;
  }

 private:
  sigset_t signals_ = {};
  sigset_t before_ = {};
};

Result<int> write_html(const Options& options, const TraceShelf& shelf, const Console& console) {
  Result<FileOutput> file = FileOutput::create(options.html);
  if (!file) return file.error();
  int64_t bytes = 0;
  const Result<void> written = write_page(shelf, [&](std::string_view piece) {
    bytes += static_cast<int64_t>(piece.size());
    return file->write(piece);
  });
  if (!written) return written.error();
  if (Result<void> closed = file->close(); !closed) return closed.error();
  console.print(options.is_json
                    ? json_text({{"file", options.html}, {"bytes", bytes}})
                    : fmt::format("{} written ({}); open it in any browser\n", options.html,
                                  base::format_bytes(static_cast<uint64_t>(bytes))));
  return 0;
}

void tell_address(const Options& options, const PageServer& server, const Console& console) {
  const std::string text = options.is_json
                               ? json_text({{"url", server.url()}, {"port", server.port()}})
                               : fmt::format("{}\nCtrl-C ends it.\n", server.url());
  // Standard output is the launched program's.
  if (options.launches) {
    console.print_aside(text);
  } else {
    console.print(text);
  }
  if (!options.stays_closed && ::isatty(STDOUT_FILENO) != 0) open_browser(server.url());
}

Result<int> serve(const Options& options, const TraceShelf& shelf, const Console& console) {
  const EndSignals signals;
  Result<std::unique_ptr<PageServer>> server = PageServer::start(shelf, options.port);
  if (!server) return server.error();
  tell_address(options, **server, console);
  signals.wait();
  return 0;
}

Result<int> launch(const Options& options, const Console& console) {
  const EndSignals signals;
  TraceShelf shelf(true);
  Result<std::unique_ptr<CaptureFolder>> folder = CaptureFolder::create(shelf);
  if (!folder) return folder.error();
  Result<std::unique_ptr<PageServer>> server = PageServer::start(shelf, options.port);
  if (!server) return server.error();
  tell_address(options, **server, console);
  setenv("MTL_CAPTURE_ENABLED", "1", 1);
  setenv("ASSAY_VIEW_FOLDER", (*folder)->path().c_str(), 1);
  const Result<int> code = signals.let_through([&] { return run_child_program(options.files); });
  if (!code) return code.error();
  (*folder)->finish();
  shelf.set_ended(*code);
  console.print_note(fmt::format(
      "the program ended with exit code {}; {}", *code,
      shelf.count() == 0
          ? "it captured nothing: start_capture() and stop_capture() go "
            "around the work to look at"
          : fmt::format("{} to look at until Ctrl-C",
                        shelf.count() == 1 ? std::string("1 capture")
                                           : fmt::format("{} captures", shelf.count()))));
  signals.wait();
  return *code;
}

Result<int> run(const Options& options, const Console& console) {
  if (options.launches) {
    if (options.html.empty()) return launch(options, console);
    return Error{
        "--launch shows captures as they end, and --html writes a page of documents that "
        "are there; use one of them"};
  }
  if (options.files.size() > 2) {
    return Error{
        fmt::format("{} files were given; one can be shown, or two compared. A program to "
                    "run stands behind --launch --",
                    options.files.size())};
  }
  std::error_code failure;
  if (!options.html.empty() && std::filesystem::exists(options.html, failure)) {
    return Error{
        fmt::format("'{}' already exists, and nothing is overwritten; remove it or choose "
                    "another path",
                    options.html)};
  }
  TraceShelf shelf(false);
  for (const std::string& file : options.files) {
    if (Result<void> added = shelf.add(file); !added) return added.error();
  }
  return options.html.empty() ? serve(options, shelf, console)
                              : write_html(options, shelf, console);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "Trace document; a second one is compared with it.\n"
                 "With --launch: the program and its arguments, behind --")
      ->required();
  app.add_flag("--launch", options.launches,
               "Run a program and show its captures as they end;\n"
               "start_capture() needs no path in it. They are kept\n"
               "until this command ends");
  app.add_option("--html", options.html,
                 "Write one page that needs no server and no network;\nmust not exist")
      ->type_name("OUT");
  app.add_option("--port", options.port, "Port on 127.0.0.1 (default: a free one)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535).description(""));
  app.add_flag("--no-open", options.stays_closed, "Print the address only");
}

}  // namespace

void add_view_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(root, invocation,
                       {.name = "view",
                        .summary = "Show a trace, or two side by side, in a browser",
                        .example = "Examples:\n"
                                   "  assay view model.gputrace\n"
                                   "  assay view eager.gputrace compiled.gputrace --no-open\n"
                                   "  assay view --html model.html model.gputrace\n"
                                   "  assay view --launch -- train.py --steps 10"},
                       declare, run);
}

}  // namespace assay::cli
