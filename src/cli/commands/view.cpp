// See view.h.
#include "cli/commands/view.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "cli/file_output.h"
#include "cli/json_text.h"
#include "cli/view/open_browser.h"
#include "cli/view/page_file.h"
#include "cli/view/page_server.h"
#include "cli/view/trace_shelf.h"

namespace assay::cli {
namespace {

struct Options {
  std::vector<std::string> files;
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

Result<int> serve(const Options& options, const TraceShelf& shelf, const Console& console) {
  const EndSignals signals;
  Result<std::unique_ptr<PageServer>> server = PageServer::start(shelf, options.port);
  if (!server) return server.error();
  console.print(options.is_json
                    ? json_text({{"url", (*server)->url()}, {"port", (*server)->port()}})
                    : fmt::format("{}\nCtrl-C ends it.\n", (*server)->url()));
  if (!options.stays_closed && ::isatty(STDOUT_FILENO) != 0) open_browser((*server)->url());
  signals.wait();
  return 0;
}

Result<int> run(const Options& options, const Console& console) {
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
  app.add_option("FILE", options.files, "Trace document; a second one is compared with it")
      ->required()
      ->expected(1, 2);
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
                                   "  assay view --html model.html model.gputrace"},
                       declare, run);
}

}  // namespace assay::cli
