// See run_script.h. Python replaces this process, so that its output and exit code are untouched.
#include "cli/commands/run_script.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/settings.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// Below the Python package: a folder in which a package `mlx` has only `core`, so that other
// packages named mlx.* on the path stay reachable.
constexpr const char* kDropInFolder = "assay/drop_in";

// The folder that holds the package: beside the program's own folder in a build, below lib when
// installed.
Result<fs::path> find_package_folder() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  const fs::path prefix = program.parent_path().parent_path();
  for (const char* place : {"python", "lib/python3/dist-packages"}) {
    if (fs::is_directory(prefix / place / kDropInFolder, failure)) return prefix / place;
  }
  return Error{
      fmt::format("the Python package is not beside this program: neither {0}/python nor "
                  "{0}/lib/python3/dist-packages has it. Build assay with ASSAY_PYTHON=ON",
                  prefix.string())};
}

Result<int> run_python(const std::vector<std::string>& arguments) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  const Result<fs::path> folder = find_package_folder();
  if (!folder) return folder.error();
  std::string path = fmt::format("{}:{}", (*folder / kDropInFolder).string(), folder->string());
  if (!settings->python_path.empty()) path += ":" + settings->python_path;
  setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<char*> command = {const_cast<char*>(settings->python.c_str())};
  for (const std::string& argument : arguments) {
    command.push_back(const_cast<char*>(argument.c_str()));
  }
  command.push_back(nullptr);
  execvp(command[0], command.data());
  return Error{fmt::format("cannot start {}: {}. Set PYTHON to a Python 3 interpreter",
                           settings->python, std::generic_category().message(errno))};
}

}  // namespace

void add_run_command(CLI::App& root, Invocation& invocation) {
  CLI::App* app = root.add_subcommand("run", "Run a Python script with assay as its mlx.core");
  app->footer(
      "Python gets the rest: SCRIPT [arguments], or -m MODULE [arguments]. In it, import mlx.core\n"
      "means assay.core.\n\n"
      "Examples:\n"
      "  assay run train.py --steps 10\n"
      "  assay run -m model.generate");
  // Everything behind the script belongs to it, options too.
  app->prefix_command();
  app->callback([app, &invocation] {
    const std::vector<std::string> arguments = app->remaining();
    if (arguments.empty()) throw CLI::RequiredError("SCRIPT or -m MODULE");
    invocation.run = [arguments](const Console&) { return run_python(arguments); };
  });
}

}  // namespace assay::cli
