// See control_page.h.
#include "runtime/control_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace assay::runtime {
namespace {

// As the system shows it; the number changes with the layout of the page.
constexpr const char* kName = "assay-control-1";
constexpr const char* kNamePrefix = "assay-control-";
constexpr std::string_view kLinkPrefix = "/memfd:";

std::string reason() { return std::generic_category().message(errno); }

template <size_t Size>
bool store_text(std::array<char, Size>& target, const std::string& text) {
  const size_t length = std::min(text.size(), Size - 1);
  std::copy_n(text.data(), length, target.data());
  target[length] = '\0';
  return length == text.size();
}

template <size_t Size>
std::string load_text(const std::array<char, Size>& source) {
  return {source.data(), ::strnlen(source.data(), Size)};
}

// A lock of the whole file: the system drops it when its owner dies, however that happens.
struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

struct ControlPage::Content {
  std::atomic<ControlState> state;
  uint32_t process;
  std::array<char, 3072> request;
  std::array<char, 960> message;
};

ControlPage::ControlPage(base::FileDescriptor file, Content* content)
    : file_(std::move(file)), content_(content) {}

ControlPage::~ControlPage() { ::munmap(content_, sizeof(Content)); }

Result<std::unique_ptr<ControlPage>> ControlPage::map(base::FileDescriptor file) {
  static_assert(sizeof(Content) <= 4096 && std::atomic<ControlState>::is_always_lock_free);
  void* const memory =
      ::mmap(nullptr, sizeof(Content), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (memory == MAP_FAILED) return Error{fmt::format("the page cannot be mapped: {}", reason())};
  return std::unique_ptr<ControlPage>(
      new ControlPage(std::move(file), static_cast<Content*>(memory)));
}

Result<std::unique_ptr<ControlPage>> ControlPage::create() {
  base::FileDescriptor file(::memfd_create(kName, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ::ftruncate(file.number(), sizeof(Content)) != 0) {
    return Error{fmt::format("there is no memory for it: {}", reason())};
  }
  // Memory that others could take away would end the program.
  ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return map(std::move(file));
}

namespace {

// Path of the program's page under /proc.
Result<std::string> find_page(pid_t process) {
  namespace fs = std::filesystem;
  const std::string folder = fmt::format("/proc/{}/fd", process);
  std::error_code failure;
  fs::directory_iterator files(folder, failure);
  if (failure == std::errc::no_such_file_or_directory) {
    return Error{fmt::format("there is no process {}", process)};
  }
  if (failure) {
    return Error{
        fmt::format("process {} belongs to another user; run this command as that user", process)};
  }
  bool has_other_version = false;
  for (; files != fs::directory_iterator(); files.increment(failure)) {
    std::error_code gone;
    const std::string link = fs::read_symlink(files->path(), gone).string();
    if (gone || !link.starts_with(kLinkPrefix)) continue;
    const std::string_view name = std::string_view(link).substr(kLinkPrefix.size());
    if (name == kName || name == fmt::format("{} (deleted)", kName)) return files->path().string();
    has_other_version |= name.starts_with(kNamePrefix);
  }
  return Error{
      has_other_version
          ? fmt::format("process {} uses another version of assay", process)
          : fmt::format("process {} does not use assay, or was started with ASSAY_ATTACH=0",
                        process)};
}

}  // namespace

Result<std::unique_ptr<ControlPage>> ControlPage::open(pid_t process) {
  const Result<std::string> path = find_page(process);
  if (!path) return path.error();
  base::FileDescriptor file(::open(path->c_str(), O_RDWR | O_CLOEXEC));
  struct stat status = {};
  if (!file || ::fstat(file.number(), &status) != 0) {
    return Error{fmt::format("process {} cannot be reached: {}", process, reason())};
  }
  if (status.st_size != sizeof(Content)) {
    return Error{fmt::format("process {} uses another version of assay", process)};
  }
  struct flock lock = whole_file();
  if (::fcntl(file.number(), F_OFD_SETLK, &lock) != 0) {
    return Error{fmt::format("process {} is being recorded by another assay record", process)};
  }
  return map(std::move(file));
}

bool ControlPage::has_tool() const {
  struct flock lock = whole_file();
  return ::fcntl(file_.number(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

ControlState ControlPage::state() const { return content_->state.load(std::memory_order_acquire); }

bool ControlPage::change(ControlState from, ControlState to) {
  if (!content_->state.compare_exchange_strong(from, to)) return false;
  ::syscall(SYS_futex, &content_->state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  return true;
}

void ControlPage::wait_while(ControlState state, std::chrono::milliseconds time) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec limit{seconds.count(), std::chrono::nanoseconds(time - seconds).count()};
  ::syscall(SYS_futex, &content_->state, FUTEX_WAIT, state, &limit, nullptr, 0);
}

Result<void> ControlPage::set_request(pid_t process, const std::string& text) {
  content_->process = static_cast<uint32_t>(process);
  content_->message[0] = '\0';
  if (!store_text(content_->request, text)) return Error{"the path of the document is too long"};
  return {};
}

std::string ControlPage::request() const {
  if (content_->process != static_cast<uint32_t>(::getpid())) return {};
  return load_text(content_->request);
}

void ControlPage::set_message(const std::string& text) { store_text(content_->message, text); }

std::string ControlPage::message() const { return load_text(content_->message); }

}  // namespace assay::runtime
