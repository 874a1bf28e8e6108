// See record.h. Every process writes a part of its own; they are joined when the program has ended.
#include "cli/commands/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/format.h"
#include "cli/check/child_program.h"
#include "device/clock.h"
#include "runtime/recording.h"
#include "trace/document.h"
#include "trace/merge.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemplates[] = {"Metal System Trace"};

struct Options {
  std::string recording_template = kTemplates[0];
  std::string output;
  double limit_s = 0;
  double ring_s = 0;
  bool is_launching = false;
  std::vector<std::string> command;
};

// Beside the output, so that a part can become it. Removed with everything in it.
class PartsFolder {
 public:
  static Result<PartsFolder> create(const std::string& output) {
    std::string name = fs::absolute(output).string() + ".parts-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      return Error{fmt::format("no folder can be made beside '{}': {}", output,
                               std::generic_category().message(errno))};
    }
    return PartsFolder(name);
  }
  PartsFolder(PartsFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartsFolder& operator=(PartsFolder&&) = delete;
  ~PartsFolder() {
    std::error_code failure;
    if (!path_.empty()) fs::remove_all(path_, failure);
  }

  const std::string& path() const { return path_; }
  uint64_t bytes() const {
    uint64_t sum = 0;
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
      const uint64_t size = entry.file_size(failure);
      if (!failure) sum += size;
    }
    return sum;
  }
  // The main program's first: the one that began first.
  Result<std::vector<std::string>> parts() const;

 private:
  explicit PartsFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Result<std::vector<std::string>> PartsFolder::parts() const {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    if (entry.path().extension() != ".part") continue;
    const Result<trace::Document> document = trace::Document::open(entry.path().string());
    if (!document) return document.error();
    Result<trace::Statement> rows = document->prepare("SELECT min(started) FROM processes");
    if (!rows) return rows.error();
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    found.emplace_back(rows->integer(0), entry.path().string());
  }
  std::ranges::sort(found);
  std::vector<std::string> paths;
  for (auto& [started, path] : found) paths.push_back(std::move(path));
  return paths;
}

// A line on the terminal that says how long the recording is; gone in the end.
class RecordingLine {
 public:
  RecordingLine(const Console& console, const PartsFolder& folder) {
    if (::isatty(STDERR_FILENO) == 1)
      thread_ = std::thread([this, &console, &folder] { show(console, folder); });
  }
  ~RecordingLine() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  RecordingLine(const RecordingLine&) = delete;
  RecordingLine& operator=(const RecordingLine&) = delete;

 private:
  void show(const Console& console, const PartsFolder& folder) {
    constexpr auto kInterval = std::chrono::seconds(1);
    constexpr const char* kClearLine = "\r\033[K";
    std::unique_lock lock(mutex_);
    int seconds = 0;
    while (!changed_.wait_for(lock, kInterval, [this] { return is_over_; })) {
      console.print_aside(fmt::format("{}recording {} s, {}; Ctrl-C ends it", kClearLine, ++seconds,
                                      base::format_bytes(folder.bytes())));
    }
    if (seconds > 0) console.print_aside(kClearLine);
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

Result<void> check(const Options& options) {
  if (std::ranges::find(kTemplates, options.recording_template) == std::end(kTemplates)) {
    return Error{fmt::format("there is no template '{}'; known: '{}'", options.recording_template,
                             fmt::join(kTemplates, "', '"))};
  }
  std::error_code failure;
  if (fs::exists(fs::symlink_status(options.output, failure))) {
    return Error{
        fmt::format("'{}' already exists, and nothing is overwritten; remove it or choose "
                    "another path",
                    options.output)};
  }
  return {};
}

// One part becomes the document as it is.
Result<void> join(const std::vector<std::string>& parts, const std::string& output) {
  if (parts.size() == 1 && ::link(parts[0].c_str(), output.c_str()) == 0) return {};
  return trace::merge_timelines(parts, output);
}

Result<int> run(const Options& options, const Console& console) {
  if (Result<void> checked = check(options); !checked) return checked.error();
  const Result<PartsFolder> folder = PartsFolder::create(options.output);
  if (!folder) return folder.error();
  const runtime::RecordingRequest request{device::now_ns(), options.limit_s, options.ring_s,
                                          folder->path()};
  setenv("ASSAY_RECORD", request.text().c_str(), 1);
  const Result<int> code = [&] {
    const RecordingLine line(console, *folder);
    return run_child_program(options.command);
  }();
  if (!code) return code.error();
  const Result<std::vector<std::string>> parts = folder->parts();
  if (!parts) return parts.error();
  if (parts->empty()) {
    console.print_note(
        "nothing was recorded: the program evaluated no arrays of assay, or not within the limit");
    return *code;
  }
  if (Result<void> joined = join(*parts, options.output); !joined) return joined.error();
  if (::isatty(STDERR_FILENO) == 1) {
    console.print_note(
        fmt::format("recorded to {}; see assay report {}", options.output, options.output));
  }
  return *code;
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--template", options.recording_template,
                 "What to record: 'Metal System Trace', which is the\ndefault and the only one")
      ->type_name("NAME");
  app.add_option("-o,--output", options.output, "Document to write; must not exist")
      ->required()
      ->type_name("FILE");
  app.add_option("--time-limit", options.limit_s,
                 "Record no longer than so many seconds; the program\nruns on to its end")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber.description(""));
  app.add_option("--ring", options.ring_s,
                 "Keep only the last so many seconds, in a file that\ndoes not grow")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber.description(""));
  app.add_flag("--launch", options.is_launching,
               "Start the program, as xctrace calls it; the default");
  app.add_option("PROGRAM", options.command,
                 "The program and its arguments, behind --; a Python\nscript runs as in assay run")
      ->required();
}

}  // namespace

void add_record_command(CLI::App& root, Invocation& invocation) {
  auto options = std::make_shared<Options>();
  CLI::App* app =
      root.add_subcommand("record", "Run a program and record when what ran, for report");
  app->footer(
      "Records times, call sites, waits, compilations and memory of the program and of the\n"
      "programs that it starts, but no contents; output and exit code are the program's own.\n"
      "Ctrl-C ends program and recording. A process that is running already cannot be attached\n"
      "to (--attach of xctrace): start it through this command.\n\n"
      "Examples:\n"
      "  assay record --template 'Metal System Trace' --output run.trace --launch -- train.py\n"
      "  assay record -o run.trace --time-limit 10 -- python3 -m model.generate\n"
      "  assay record -o run.trace --ring 5 -- ./server && assay report run.trace");
  declare(*app, *options);
  app->callback([options, &invocation] {
    invocation.run = [options](const Console& console) { return run(*options, console); };
  });
}

}  // namespace assay::cli
