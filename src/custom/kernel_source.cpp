// See kernel_source.h.
#include "custom/kernel_source.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/embedded_file.h"
#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace custom {
std::span<const base::EmbeddedFile> prelude_files();
}

namespace {

// Inputs with fewer elements come in constant memory.
constexpr size_t kConstantElements = 8;

struct Attribute {
  std::string_view name;
  std::string_view type;
};
constexpr Attribute kAttributes[] = {
    {"dispatch_quadgroups_per_threadgroup", "uint"},
    {"dispatch_simdgroups_per_threadgroup", "uint"},
    {"dispatch_threads_per_threadgroup", "uint3"},
    {"grid_origin", "uint3"},
    {"grid_size", "uint3"},
    {"quadgroup_index_in_threadgroup", "uint"},
    {"quadgroups_per_threadgroup", "uint"},
    {"simdgroup_index_in_threadgroup", "uint"},
    {"simdgroups_per_threadgroup", "uint"},
    {"thread_execution_width", "uint"},
    {"thread_index_in_quadgroup", "uint"},
    {"thread_index_in_simdgroup", "uint"},
    {"thread_index_in_threadgroup", "uint"},
    {"thread_position_in_grid", "uint3"},
    {"thread_position_in_threadgroup", "uint3"},
    {"threadgroup_position_in_grid", "uint3"},
    {"threadgroups_per_grid", "uint3"},
    {"threads_per_grid", "uint3"},
    {"threads_per_simdgroup", "uint"},
    {"threads_per_threadgroup", "uint3"},
};

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

bool mentions(const std::string& text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const size_t end = at + name.size();
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

// Names as programs written for MLX see them in template arguments and messages.
std::string_view type_name(Dtype dtype) {
  switch (dtype.val()) {
    case Dtype::Val::float16: return "float16_t";
    case Dtype::Val::bfloat16: return "bfloat16_t";
    case Dtype::Val::float32: return "float";
    case Dtype::Val::int8: return "int8_t";
    case Dtype::Val::int16: return "int16_t";
    case Dtype::Val::int32: return "int32_t";
    case Dtype::Val::int64: return "int64_t";
    case Dtype::Val::uint8: return "uint8_t";
    case Dtype::Val::uint16: return "uint16_t";
    case Dtype::Val::uint32: return "uint32_t";
    case Dtype::Val::uint64: return "uint64_t";
    default: return msl_type(dtype);
  }
}

struct TemplateText {
  std::string parameters, values, suffix;
};

TemplateText write_template(const TemplateArguments& arguments) {
  TemplateText text;
  for (const auto& [name, value] : arguments) {
    const char* separator = text.parameters.empty() ? "" : ", ";
    std::string written;
    if (const bool* flag = std::get_if<bool>(&value)) {
      text.parameters += fmt::format("{}bool {}", separator, name);
      written = *flag ? "1" : "0";
    } else if (const int* number = std::get_if<int>(&value)) {
      text.parameters += fmt::format("{}int {}", separator, name);
      written = std::to_string(*number);
    } else {
      text.parameters += fmt::format("{}typename {}", separator, name);
      written = type_name(std::get<Dtype>(value));
    }
    text.values += separator + written;
    std::replace(written.begin(), written.end(), '-', 'm');
    text.suffix += "_" + written;
  }
  return text;
}

std::string input_suffix(const CustomArgument& input) {
  if (input.ndim == 0) return "s";
  return input.size < kConstantElements ? "c" : "";
}

// Writes the parameters, and counts their slots.
class Signature {
 public:
  void add_input(const std::string& name, const CustomArgument& input) {
    const std::string_view type = type_name(input.dtype);
    if (input.ndim == 0) return add(fmt::format("const constant {}&", type), name);
    const bool is_constant = input.size < kConstantElements;
    add(fmt::format("const {} {}*", is_constant ? "constant" : "device", type), name);
    add_facts(name, input);
  }
  void add_output(const std::string& name, const CustomArgument& output, bool is_atomic) {
    const std::string_view type = type_name(output.dtype);
    add(is_atomic ? fmt::format("device atomic<{}>*", type) : fmt::format("device {}*", type),
        name);
    if (output.ndim != 0) add_facts(name, output);
  }
  void add_attribute(const Attribute& attribute) {
    text_ += fmt::format("    {0} {1} [[{1}]],\n", attribute.type, attribute.name);
  }
  std::string text() const { return text_.substr(0, text_.size() - 2); }

 private:
  void add(const std::string& type, const std::string& name) {
    text_ += fmt::format("    {} {} [[buffer({})]],\n", type, name, slot_++);
  }
  void add_facts(const std::string& name, const CustomArgument& argument) {
    if (argument.has_shape) add("const constant int*", name + "_shape");
    if (argument.has_strides) add("const constant int64_t*", name + "_strides");
    if (argument.has_ndim) add("const constant int&", name + "_ndim");
  }

  std::string text_;
  uint32_t slot_ = 0;
};

bool uses_complex(const std::vector<CustomArgument>& inputs,
                  const std::vector<CustomArgument>& outputs, const CustomKernelText& text) {
  auto is_complex = [](const CustomArgument& each) { return each.dtype == complex64; };
  return mentions(text.source, "complex64_t") || mentions(text.header, "complex64_t") ||
         std::any_of(inputs.begin(), inputs.end(), is_complex) ||
         std::any_of(outputs.begin(), outputs.end(), is_complex);
}

}  // namespace

bool is_attribute(std::string_view name) {
  return std::ranges::find(kAttributes, name, &Attribute::name) != std::end(kAttributes);
}

CustomArgument describe_argument(const CustomKernelText& text, const std::string& name, Dtype dtype,
                                 const Shape& shape) {
  size_t size = 1;
  for (const ShapeElem length : shape) size *= static_cast<size_t>(length);
  return {dtype,
          static_cast<int>(shape.size()),
          size,
          mentions(text.source, name + "_shape"),
          mentions(text.source, name + "_strides"),
          mentions(text.source, name + "_ndim")};
}

CustomKernelSource write_custom_kernel(const CustomKernelText& text,
                                       const std::vector<CustomArgument>& inputs,
                                       const std::vector<CustomArgument>& outputs,
                                       const TemplateArguments& template_arguments) {
  const TemplateText templates = write_template(template_arguments);
  CustomKernelSource result;
  result.kernel_name = "custom_kernel_" + text.name + templates.suffix;
  for (const CustomArgument& input : inputs) {
    result.kernel_name += fmt::format("_{}{}", type_name(input.dtype), input_suffix(input));
  }
  for (const CustomArgument& output : outputs) {
    result.kernel_name += fmt::format("_{}", type_name(output.dtype));
  }

  std::string& code = result.text;
  code = custom::prelude_files()[0].text;
  if (uses_complex(inputs, outputs, text)) code += ops::kernel_text("complex");
  if (!text.header.empty()) code += "#line 1 \"header\"\n" + text.header + "\n";
  code += "#line 1 \"signature\"\n";
  const bool is_template = !template_arguments.empty();
  const std::string function = is_template ? "custom_kernel_" + text.name : result.kernel_name;
  if (is_template) code += fmt::format("template <{}>\n", templates.parameters);
  code += fmt::format("[[kernel]] void {}(\n", function);
  Signature signature;
  for (size_t i = 0; i < inputs.size(); ++i) signature.add_input(text.input_names[i], inputs[i]);
  for (size_t i = 0; i < outputs.size(); ++i) {
    signature.add_output(text.output_names[i], outputs[i], text.atomic_outputs);
  }
  for (const Attribute& attribute : kAttributes) {
    if (mentions(text.source, attribute.name)) signature.add_attribute(attribute);
  }
  code +=
      signature.text() + ") {\n#line 1 \"source\"\n" + text.source + "\n#line 1 \"signature\"\n}\n";
  if (is_template) {
    code += fmt::format("template [[host_name(\"{0}\")]] [[kernel]] decltype({1}<{2}>) {1}<{2}>;\n",
                        result.kernel_name, function, templates.values);
  }
  return result;
}

}  // namespace assay
