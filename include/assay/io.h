// Arrays in files: npy, npz and safetensors.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "assay/array.h"

namespace assay {

ASSAY_API void save(std::string file, array a);
// Loaded arrays are lazy: their values are read from the file when they are evaluated.
ASSAY_API array load(std::string file, StreamOrDevice s = {});

using SafetensorsLoad =
    std::pair<std::unordered_map<std::string, array>, std::unordered_map<std::string, std::string>>;
ASSAY_API SafetensorsLoad load_safetensors(const std::string& path, StreamOrDevice s = {});
ASSAY_API void save_safetensors(std::string file, std::unordered_map<std::string, array> arrays,
                                std::unordered_map<std::string, std::string> metadata = {});

}  // namespace assay
