// Arrays whose values are read from a file when they are needed.
#pragma once

#include <memory>

#include "assay/array.h"
#include "base/open_file.h"

namespace assay {

// Where in a file an array lies, its rows one behind the other.
struct FilePlace {
  std::shared_ptr<const base::OpenFile> file;
  uint64_t offset = 0;         // of the first byte
  bool is_big_endian = false;  // bytes of each number in the other order
};

// Opens a file for arrays; throws std::runtime_error that begins with `call` and the path.
std::shared_ptr<const base::OpenFile> open_file(const std::string& path, const char* call);
// As many bytes from the start of a file as it has, up to `most`.
std::vector<std::byte> read_start(const base::OpenFile& file, uint64_t most, const char* call);

// Nothing is read before the evaluation; a file that is too short then is its error. Files are read
// on the CPU's stream unless another one is given, as in MLX.
array make_file_array(Shape shape, Dtype dtype, FilePlace place, const StreamOrDevice& where);

}  // namespace assay
