// Arrays in files. Files that Python opened are read and written through a temporary one.
#include <fstream>
#include <iterator>

#include "arguments.h"
#include "assay/io.h"
#include "bindings.h"
#include "interpreter.h"

namespace assay::python {
namespace {

using Arrays = std::unordered_map<std::string, array>;
using Metadata = std::unordered_map<std::string, std::string>;

bool is_path(const py::object& file) {
  return py::isinstance<py::str>(file) || py::hasattr(file, "__fspath__");
}

std::string to_path(const py::object& file) {
  return py::str(py::module_::import("os").attr("fspath")(file));
}

bool can_read(const py::object& file) {
  return py::hasattr(file, "read") && py::hasattr(file, "seek") && py::hasattr(file, "tell");
}
bool can_write(const py::object& file) {
  return py::hasattr(file, "write") && py::hasattr(file, "seek") && py::hasattr(file, "tell");
}

// A folder for one file that is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix)
      : folder_(py::module_::import("tempfile").attr("TemporaryDirectory")()),
        path_(py::str(folder_.attr("name")).cast<std::string>() + "/array" + suffix) {}
  ~TemporaryFile() { folder_.attr("cleanup")(); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  void read_from(const py::object& file) const {
    const auto bytes = file.attr("read")().cast<std::string>();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  void write_to(const py::object& file) const {
    std::ifstream stream(path_, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    file.attr("write")(py::bytes(bytes));
  }

 private:
  py::object folder_;
  std::string path_;
};

// Runs `use` with the path of the file, or of a temporary copy.
template <typename Use>
auto with_input(const py::object& file, const char* suffix, Use use) {
  if (is_path(file)) return use(to_path(file));
  if (!can_read(file)) {
    throw std::invalid_argument("[load] Input must be a file-like object, or string");
  }
  const TemporaryFile temporary(suffix);
  temporary.read_from(file);
  return use(temporary.path());
}

template <typename Use>
void with_output(const py::object& file, const char* suffix, Use use) {
  if (is_path(file)) {
    use(to_path(file));
    return;
  }
  if (!can_write(file)) {
    throw std::invalid_argument("[save] Input must be a file-like object, or string");
  }
  const TemporaryFile temporary(suffix);
  use(temporary.path());
  temporary.write_to(file);
}

// Values must be there before a temporary file goes.
array load_npy(const py::object& file, StreamOrDevice stream) {
  return with_input(file, ".npy", [&](const std::string& path) {
    const bool is_temporary = !is_path(file);
    const ReleasedInterpreter released;
    array loaded = load(path, stream);
    if (is_temporary) loaded.eval();
    return loaded;
  });
}

SafetensorsLoad load_tensors(const py::object& file, StreamOrDevice stream) {
  return with_input(file, ".safetensors", [&](const std::string& path) {
    const bool is_temporary = !is_path(file);
    const ReleasedInterpreter released;
    SafetensorsLoad loaded = load_safetensors(path, stream);
    if (is_temporary) {
      for (auto& [name, a] : loaded.first) a.eval();
    }
    return loaded;
  });
}

py::object open_zip(const py::object& file, const char* mode, const char* compression) {
  const py::module_ zipfile = py::module_::import("zipfile");
  return zipfile.attr("ZipFile")(file, mode, zipfile.attr(compression));
}

py::dict load_npz(const py::object& file, StreamOrDevice stream) {
  const py::object position = is_path(file) ? py::none() : file.attr("tell")();
  if (!py::module_::import("zipfile").attr("is_zipfile")(file).cast<bool>()) {
    throw std::invalid_argument(
        "[load_npz] Input must be a zip file or a file-like object that "
        "can be opened with zipfile.ZipFile");
  }
  if (!is_path(file)) file.attr("seek")(position);
  const py::object zip = open_zip(file, "r", "ZIP_STORED");
  py::dict arrays;
  for (const py::handle name : zip.attr("namelist")()) {
    std::string key = py::str(name);
    if (key.ends_with(".npy")) key.resize(key.size() - 4);
    arrays[py::str(key)] = load_npy(zip.attr("open")(name), stream);
  }
  zip.attr("close")();
  return arrays;
}

std::string format_of(const py::object& file) {
  std::string name;
  if (is_path(file)) {
    name = to_path(file);
  } else if (can_read(file)) {
    name = py::str(file.attr("name"));
  } else {
    throw std::invalid_argument(
        "[load] Input must be a file-like object opened in binary mode, or string");
  }
  const size_t point = name.find_last_of('.');
  if (point == std::string::npos) {
    throw std::invalid_argument("[load] Could not infer file format from extension");
  }
  return name.substr(point + 1);
}

py::object load_file(const py::object& file, const std::optional<std::string>& given,
                     bool return_metadata, StreamOrDevice stream) {
  const std::string format = given ? *given : format_of(file);
  if (return_metadata && (format == "npy" || format == "npz")) {
    throw std::invalid_argument("[load] metadata not supported for format " + format);
  }
  if (format == "npy") return py::cast(load_npy(file, stream));
  if (format == "npz") return load_npz(file, stream);
  if (format == "safetensors") {
    const SafetensorsLoad loaded = load_tensors(file, stream);
    return return_metadata ? py::cast(loaded) : py::cast(loaded.first);
  }
  throw std::invalid_argument("[load] Unknown file format " + format);
}

void save_npy(const py::object& file, const array& a) {
  with_output(file, ".npy", [&](const std::string& path) {
    const ReleasedInterpreter released;
    save(path, a);
  });
}

void save_npz(const py::object& file, const py::args& args, const py::kwargs& kwargs,
              const char* compression) {
  py::dict arrays(kwargs);
  for (size_t i = 0; i < args.size(); ++i) {
    const py::str name("arr_" + std::to_string(i));
    if (arrays.contains(name)) {
      throw std::invalid_argument("[savez] Cannot use un-named variables and keyword " +
                                  name.cast<std::string>());
    }
    arrays[name] = args[i];
  }
  py::object target = file;
  if (is_path(file)) {
    const std::string path = to_path(file);
    target = py::str(path.ends_with(".npz") ? path : path + ".npz");
  }
  const py::object zip = open_zip(target, "w", compression);
  for (const auto& [name, a] : arrays) {
    const py::object entry =
        zip.attr("open")(py::str(name).cast<std::string>() + ".npy", "w", "force_zip64"_a = true);
    const TemporaryFile temporary(".npy");
    save_npy(py::str(temporary.path()), a.cast<array>());
    temporary.write_to(entry);
    entry.attr("close")();
  }
  zip.attr("close")();
}

void save_tensors(const py::object& file, const Arrays& arrays,
                  const std::optional<py::dict>& metadata) {
  Metadata texts;
  if (metadata) {
    try {
      texts = metadata->cast<Metadata>();
    } catch (const py::cast_error&) {
      throw std::invalid_argument(
          "[save_safetensors] Metadata must be a dictionary with string keys and values");
    }
  }
  with_output(file, ".safetensors", [&](const std::string& path) {
    const ReleasedInterpreter released;
    save_safetensors(path, arrays, texts);
  });
}

}  // namespace

void bind_files(py::module_& m) {
  m.def("save", &save_npy, "file"_a, "arr"_a, "Writes an array to a .npy file.");
  m.def(
      "savez",
      [](const py::object& file, const py::args& args, const py::kwargs& kwargs) {
        save_npz(file, args, kwargs, "ZIP_STORED");
      },
      "file"_a, "Writes arrays, by name or in order, to a .npz file.");
  m.def(
      "savez_compressed",
      [](const py::object& file, const py::args& args, const py::kwargs& kwargs) {
        save_npz(file, args, kwargs, "ZIP_DEFLATED");
      },
      "file"_a, "Writes arrays, by name or in order, to a compressed .npz file.");
  m.def("save_safetensors", &save_tensors, "file"_a, "arrays"_a, "metadata"_a = py::none(),
        "Writes a dictionary of arrays to a .safetensors file.");
  m.def("load", &load_file, "file"_a, "format"_a = py::none(), "return_metadata"_a = false,
        py::kw_only(), "stream"_a = py::none(),
        "Reads arrays from a .npy, .npz or .safetensors file.");
}

}  // namespace assay::python
