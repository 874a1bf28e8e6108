// See spilled_values.h.
#include "analysis/spilled_values.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/ensure.h"

namespace assay::analysis {

Result<void> SpilledValues::push(const Value& value) {
  if (ring_.size() == recent_) {
    if (Result<void> done = spill(); !done) return done;
  }
  ring_.push_back(value);
  ++size_;
  return {};
}

// Writes the older half of what is in memory.
Result<void> SpilledValues::spill() {
  auto fail = [] {
    return Error{
        fmt::format("no room for intermediate values in the folder for temporary files: {}",
                    std::strerror(errno))};
  };
  if (!file_) {
    std::error_code failure;
    std::string pattern = (std::filesystem::temp_directory_path(failure) / "assay_XXXXXX").string();
    file_ = base::FileDescriptor(::mkostemp(pattern.data(), O_CLOEXEC));
    if (!file_) return fail();
    ::unlink(pattern.c_str());
  }
  const size_t count = ring_.size() - ring_.size() / 2;
  const int64_t first = size_ - static_cast<int64_t>(ring_.size());
  const auto* data = reinterpret_cast<const char*>(ring_.data());
  size_t done = 0;
  while (done < count * sizeof(Value)) {
    const ssize_t written =
        ::pwrite(file_.number(), data + done, count * sizeof(Value) - done,
                 first * static_cast<int64_t>(sizeof(Value)) + static_cast<int64_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail();
    done += static_cast<size_t>(written);
  }
  ring_.erase(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(count));
  return {};
}

Result<SpilledValues::Value> SpilledValues::at(int64_t index) {
  ASSAY_ENSURE(index >= 0 && index < size_, "a value that was never added");
  const int64_t first = size_ - static_cast<int64_t>(ring_.size());
  if (index >= first) return ring_[static_cast<size_t>(index - first)];
  Value value;
  const auto offset = index * static_cast<int64_t>(sizeof(Value));
  if (::pread(file_.number(), &value, sizeof(Value), offset) != sizeof(Value)) {
    return Error{"intermediate values cannot be read back"};
  }
  return value;
}

}  // namespace assay::analysis
