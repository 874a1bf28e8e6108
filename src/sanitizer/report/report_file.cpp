// See report_file.h.
#include "sanitizer/report/report_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/file_bytes.h"
#include "sanitizer/report/finding_json.h"

namespace assay::sanitizer {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

Result<ReportFile> ReportFile::open(const std::string& path) {
  base::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file) {
    return Error{fmt::format("[check] findings cannot be written to {}: {}", path, reason())};
  }
  return ReportFile(std::move(file));
}

Result<void> ReportFile::append(const CheckReport& report) {
  for (const Finding& finding : report.findings) {
    if (Result<void> written = append(finding); !written) return written;
  }
  for (const CheckedKernel& kernel : report.kernels) {
    if (Result<void> written = append_line(kernel_line(kernel)); !written) return written;
  }
  return {};
}

Result<void> ReportFile::append(const Finding& finding) {
  return append_line(finding_line(finding));
}

Result<void> ReportFile::append_line(std::string line) {
  line += '\n';
  ssize_t written = -1;
  do {
    written = ::write(file_.number(), line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) return {};
  return Error{fmt::format("[check] a finding cannot be written: {}",
                           written < 0 ? reason() : "the disk is full")};
}

Result<uint64_t> read_report_file(const std::string& path, FindingLog& log) {
  const std::optional<std::string> bytes = base::read_file(path, {.max_bytes = kMaxFileBytes});
  if (!bytes) return Error{fmt::format("cannot read the findings in {}", path)};
  uint64_t refused = 0;
  std::string_view rest = *bytes;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    Result<ReportLine> parsed = parse_report_line(line);
    if (!parsed) {
      ++refused;
    } else if (Finding* finding = std::get_if<Finding>(&*parsed)) {
      log.add(std::move(*finding));
    } else {
      log.add_kernel(std::get<CheckedKernel>(*parsed));
    }
  }
  return refused;
}

}  // namespace assay::sanitizer
