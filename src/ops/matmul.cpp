// See matmul.h.
#include "ops/matmul.h"

#include <cblas.h>

namespace assay {
namespace {

// A matrix as BLAS wants it: rows or columns without gaps between their elements.
struct Form {
  bool is_transposed = false;
  int64_t leading = 1;  // elements between rows (or columns)
};
struct Operand {
  array matrix;
  Form form;
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

struct Sizes {
  int m, n, k;
};

void multiply_matrices(Dtype dtype, const Sizes& sizes, const Form& a, const void* a_data,
                       const Form& b, const void* b_data, void* c) {
  const auto trans_a = a.is_transposed ? CblasTrans : CblasNoTrans;
  const auto trans_b = b.is_transposed ? CblasTrans : CblasNoTrans;
  const auto lda = static_cast<int>(std::max<int64_t>(a.leading, 1));
  const auto ldb = static_cast<int>(std::max<int64_t>(b.leading, 1));
  const auto [m, n, k] = sizes;
  if (dtype == float32) {
    cblas_sgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1.0f, static_cast<const float*>(a_data),
                lda, static_cast<const float*>(b_data), ldb, 0.0f, static_cast<float*>(c), n);
  } else if (dtype == float64) {
    cblas_dgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1.0, static_cast<const double*>(a_data),
                lda, static_cast<const double*>(b_data), ldb, 0.0, static_cast<double*>(c), n);
  } else {
    const complex64_t one(1.0f), zero(0.0f);
    cblas_cgemm(CblasRowMajor, trans_a, trans_b, m, n, k, &one, a_data, lda, b_data, ldb, &zero, c,
                n);
  }
}

}  // namespace

bool Matmul::is_same(const Primitive& other) const {
  return dynamic_cast<const Matmul*>(&other) != nullptr;
}

std::optional<std::vector<Shape>> Matmul::infer_shapes(std::span<const array> inputs) const {
  Shape shape = inputs[0].shape();
  shape.back() = inputs[1].shape().back();
  return std::vector<Shape>{shape};
}

void Matmul::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  array& output = outputs[0];
  encoder.allocate(output);
  if (output.size() == 0) return;
  const Sizes sizes{output.shape(-2), output.shape(-1), inputs[0].shape(-1)};
  if (sizes.k == 0) return encoder.fill_bytes(output, 0);
  const Operand a = prepare(inputs[0], encoder), b = prepare(inputs[1], encoder);
  const array used[] = {a.matrix, b.matrix, output};
  auto bytes_of = [](const array& each) {
    return each.node().storage->buffer->data() + each.node().offset;
  };
  std::byte *a_data = bytes_of(a.matrix), *b_data = bytes_of(b.matrix), *c_data = bytes_of(output);
  // The nodes may be gone when the call runs; their memory is kept by the command.
  std::vector<std::pair<int64_t, int64_t>> offsets;
  const size_t batches =
      output.size() / static_cast<size_t>(sizes.m) / static_cast<size_t>(sizes.n);
  for (size_t i = 0; i < batches; ++i) {
    offsets.emplace_back(batch_offset(a.matrix.node(), i), batch_offset(b.matrix.node(), i));
  }
  const Dtype dtype = output.dtype();
  const Form a_form = a.form, b_form = b.form;
  encoder.host_call("matmul", used, [=] {
    const auto item = static_cast<int64_t>(dtype.size());
    std::byte* c = c_data;
    for (const auto& [from_a, from_b] : offsets) {
      multiply_matrices(dtype, sizes, a_form, a_data + from_a * item, b_form,
                        b_data + from_b * item, c);
      c += int64_t{sizes.m} * sizes.n * item;
    }
  });
}

}  // namespace assay
