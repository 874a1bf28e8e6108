// See matmul.h.
#include "ops/matmul.h"

namespace assay {
namespace {

struct Operand {
  array matrix;
  kernel::MatrixForm form;  // as the library wants it
};

Operand prepare(const array& a, Encoder& encoder) {
  const Node& node = a.node();
  const size_t rank = node.shape.size();
  const int64_t rows = node.shape[rank - 2], columns = node.shape[rank - 1];
  const int64_t down = node.strides[rank - 2], along = node.strides[rank - 1];
  if ((along == 1 || columns == 1) && (down >= columns || rows == 1)) {
    return {a, {false, rows == 1 ? columns : down}};
  }
  if ((down == 1 || rows == 1) && (along >= rows || columns == 1)) {
    return {a, {true, columns == 1 ? rows : along}};
  }
  return {encoder.make_row_contiguous(a), {false, columns}};
}

// Elements from the first matrix to number `batch`.
int64_t batch_offset(const Node& node, size_t batch) {
  int64_t offset = 0;
  for (size_t axis = node.shape.size() - 2; axis-- > 0;) {
    const auto length = static_cast<size_t>(node.shape[axis]);
    offset += static_cast<int64_t>(batch % length) * node.strides[axis];
    batch /= length;
  }
  return offset;
}

kernel::MatrixElement element_of(Dtype dtype) {
  if (dtype == float32) return kernel::MatrixElement::kFloat32;
  return dtype == float64 ? kernel::MatrixElement::kFloat64 : kernel::MatrixElement::kComplex64;
}

}  // namespace

bool Matmul::is_same(const Primitive& other) const {
  return dynamic_cast<const Matmul*>(&other) != nullptr;
}

std::optional<std::vector<Shape>> Matmul::infer_shapes(std::span<const array> inputs) const {
  Shape shape = inputs[0].shape(), fitting = inputs[1].shape();
  fitting[fitting.size() - 2] = shape.back();
  if (fitting != inputs[1].shape()) return {};
  shape.back() = fitting.back();
  fitting[fitting.size() - 2] = shape[shape.size() - 2];
  if (fitting != shape) return {};
  return std::vector<Shape>{shape};
}

void Matmul::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  array& output = outputs[0];
  encoder.allocate(output);
  if (output.size() == 0) return;
  kernel::MatrixProduct product;
  product.element = element_of(output.dtype());
  product.m = output.shape(-2);
  product.n = output.shape(-1);
  product.k = inputs[0].shape(-1);
  if (product.k == 0) return encoder.fill_bytes(output, 0);
  const Operand a = prepare(inputs[0], encoder), b = prepare(inputs[1], encoder);
  product.a = a.form;
  product.b = b.form;
  const size_t count =
      output.size() / static_cast<size_t>(product.m) / static_cast<size_t>(product.n);
  for (size_t i = 0; i < count; ++i) {
    product.products.push_back(
        {batch_offset(a.matrix.node(), i), batch_offset(b.matrix.node(), i)});
  }
  encoder.matrix_product(std::move(product), a.matrix, b.matrix, output);
}

}  // namespace assay
