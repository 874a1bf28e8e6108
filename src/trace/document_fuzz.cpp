// Any bytes as a trace document: an error, or rows and contents within the limits asked for.
#include "trace/document.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/ensure.h"
#include "base/file_descriptor.h"
#include "trace/testing/read_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace assay::trace;  // NOLINT(google-build-using-namespace)

constexpr int64_t kMaxContentBytes = 1 << 16;
constexpr double kSeconds = 2;

// In memory, and gone with the process.
class InputFile {
 public:
  InputFile()
      : path_("/dev/shm/assay_document_fuzz_" + std::to_string(::getpid())),
        file_(::open(path_.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600)) {
    ASSAY_ENSURE(static_cast<bool>(file_), "the file for inputs cannot be made");
  }
  ~InputFile() { ::unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  void set(const uint8_t* data, size_t size) const {
    const bool is_written = ::ftruncate(file_.number(), 0) == 0 &&
                            ::pwrite(file_.number(), data, size, 0) == static_cast<ssize_t>(size);
    ASSAY_ENSURE(is_written, "the file for inputs cannot be written");
  }

 private:
  std::string path_;
  assay::base::FileDescriptor file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const InputFile file;
  file.set(data, size);
  assay::Result<Document> document = Document::open(file.path());
  if (!document) return 0;
  document->database().set_time_limit(kSeconds);
  (void)document->check();
  testing::read_everything(*document, kMaxContentBytes);
  return 0;
}
