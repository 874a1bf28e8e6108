// The primitive behind every element-wise op, eager or fused.
#pragma once

#include <memory>

#include "array/primitive.h"
#include "ops/element_tape.h"

namespace assay {

class Elementwise final : public Primitive {
 public:
  explicit Elementwise(ElementTape tape);

  std::string_view name() const override { return name_; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override;
  bool is_same(const Primitive& other) const override;

  const ElementTape& tape() const { return tape_; }

 private:
  // `linear` has a bit for each input that is not one element.
  void launch_linear(uint32_t linear, const Arguments& arguments, uint32_t width,
                     Encoder& encoder) const;
  void launch(const TapeVariant& variant, const Arguments& arguments,
              const kernel::LaunchSize& size, Encoder& encoder,
              std::shared_ptr<const device::LoadedKernel>* memo = nullptr) const;

  const ElementTape tape_;
  const std::string name_;
  const std::string key_;
  // Kernels that were launched, by the bits of launch_linear(). Under the evaluation lock, as all
  // encoding is.
  mutable std::array<std::shared_ptr<const device::LoadedKernel>, 8> linear_kernels_;
};

// One op on inputs that broadcast to one shape.
array apply_row(const ElementRow& row, std::vector<array> inputs, const StreamOrDevice& where);
const ElementRow& row_named(std::string_view name);

// As NumPy has it; throws std::invalid_argument with both shapes.
Shape broadcast_shapes(const Shape& a, const Shape& b);
std::string describe_shape(const Shape& shape);

}  // namespace assay
