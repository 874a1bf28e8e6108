// See program_start.h. The program replaces this process, so that its output and exit code are
// untouched.
#include "cli/program_start.h"

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

Result<base::Settings> set_up_python() {
  Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  const Result<fs::path> folder = find_package_folder();
  if (!folder) return folder.error();
  std::string path = fmt::format("{}:{}", (*folder / kDropInFolder).string(), folder->string());
  if (!settings->python_path.empty()) path += ":" + settings->python_path;
  setenv("PYTHONPATH", path.c_str(), 1);
  return settings;
}

// Returns why there is no such program.
std::string execute(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> command = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) {
    command.push_back(const_cast<char*>(argument.c_str()));
  }
  command.push_back(nullptr);
  execvp(command[0], command.data());
  return fmt::format("cannot start {}: {}", program, std::generic_category().message(errno));
}

}  // namespace

Error start_python(const std::vector<std::string>& arguments) {
  const Result<base::Settings> settings = set_up_python();
  if (!settings) return settings.error();
  return Error{execute(settings->python, arguments) + ". Set PYTHON to a Python 3 interpreter"};
}

Error start_program(const std::vector<std::string>& command) {
  if (command[0] == "-m" || command[0].ends_with(".py")) return start_python(command);
  // A program that never asks for Python does not need the package.
  (void)set_up_python();
  return Error{execute(command[0], {command.begin() + 1, command.end()})};
}

}  // namespace assay::cli
