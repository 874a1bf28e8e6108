// Where a program that `assay view --launch` runs leaves its captures.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <thread>

#include "base/result.h"
#include "cli/view/trace_shelf.h"

namespace assay::cli {

// Puts captures on a shelf as they end. The folder and what is in it goes when it is destroyed.
class CaptureFolder {
 public:
  // A new folder. `shelf` outlives it.
  static Result<std::unique_ptr<CaptureFolder>> create(TraceShelf& shelf);
  ~CaptureFolder();
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;

  const std::string& path() const { return path_; }
  // The program has ended: what it left unfinished is shown too, as far as it goes.
  void finish();

 private:
  CaptureFolder(TraceShelf& shelf, std::string path);
  void watch();
  void look(bool takes_unfinished);

  TraceShelf& shelf_;
  const std::string path_;
  std::set<std::string> seen_;  // of the thread until it has ended
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace assay::cli
