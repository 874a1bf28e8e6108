// The file in which checked programs leave their findings for assay check, line by line.
#pragma once

#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "sanitizer/finding_log.h"

namespace assay::sanitizer {

// Several processes may write to one file at once: a line is one write at the end of the file.
class ReportFile {
 public:
  // The file must exist: whoever reads it has made it.
  static Result<ReportFile> open(const std::string& path);

  // Findings and kernels of the report.
  Result<void> append(const CheckReport& report);
  Result<void> append(const Finding& finding);

 private:
  explicit ReportFile(base::FileDescriptor file) : file_(std::move(file)) {}
  Result<void> append_line(std::string line);

  base::FileDescriptor file_;
};

// Adds everything that the file tells. Returns how many lines made no sense, as those of a program
// that was killed while it wrote.
Result<uint64_t> read_report_file(const std::string& path, FindingLog& log);

}  // namespace assay::sanitizer
