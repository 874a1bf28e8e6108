// See capture_folder.h.
#include "cli/view/capture_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(100);

}  // namespace

Result<std::unique_ptr<CaptureFolder>> CaptureFolder::create(TraceShelf& shelf) {
  std::error_code failure;
  const fs::path folder = fs::temp_directory_path(failure);
  std::string path = ((failure ? "/tmp" : folder) / "assay-view-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) {
    return Error{fmt::format("cannot make a folder for captures at {}", path)};
  }
  return std::unique_ptr<CaptureFolder>(new CaptureFolder(shelf, std::move(path)));
}

CaptureFolder::CaptureFolder(TraceShelf& shelf, std::string path)
    : shelf_(shelf), path_(std::move(path)), thread_([this] { watch(); }) {}

CaptureFolder::~CaptureFolder() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
  std::error_code failure;
  fs::remove_all(path_, failure);
}

void CaptureFolder::finish() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
  look(true);
}

void CaptureFolder::watch() {
  while (!is_over_) {
    look(false);
    std::this_thread::sleep_for(kPause);
  }
}

// Documents get their names when they are complete (runtime/capture_state.cpp). One that cannot be
// read was left by a program that died in the middle of a write.
void CaptureFolder::look(bool takes_unfinished) {
  std::error_code failure;
  std::set<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".gputrace") || (takes_unfinished && name.ends_with(".part"))) {
      found.insert(entry.path().string());
    }
  }
  for (const std::string& path : found) {
    if (seen_.insert(path).second) (void)shelf_.add(path);
  }
}

}  // namespace assay::cli
