// The MSL text of a custom kernel: prelude, header, and a signature made from names and attributes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/fast.h"

namespace assay {

// What the user gave when making the kernel object.
struct CustomKernelText {
  std::string name;
  std::vector<std::string> input_names, output_names;
  std::string source, header;
  bool atomic_outputs = false;
};

// How one input reaches the kernel, or an output: beyond MLX, those have shapes as well.
struct CustomArgument {
  Dtype dtype;
  int ndim = 0;
  size_t size = 0;
  // Which of its facts the source mentions.
  bool has_shape = false, has_strides = false, has_ndim = false;
};

using TemplateArguments = std::vector<std::pair<std::string, fast::TemplateArg>>;

// The facts that `source` mentions of argument `name`.
// Whether kernels get this from Metal, such as thread_position_in_grid.
bool is_attribute(std::string_view name);

CustomArgument describe_argument(const CustomKernelText& text, const std::string& name, Dtype dtype,
                                 const Shape& shape);

struct CustomKernelSource {
  std::string kernel_name;
  std::string text;
};
CustomKernelSource write_custom_kernel(const CustomKernelText& text,
                                       const std::vector<CustomArgument>& inputs,
                                       const std::vector<CustomArgument>& outputs,
                                       const TemplateArguments& template_arguments);

}  // namespace assay
