// See matrix_product.h.
#include "device/cpu/matrix_product.h"

#include <cblas.h>

#include <algorithm>
#include <complex>

namespace assay::device::cpu {
namespace {

struct Matrices {
  const void* a;
  const void* b;
  void* c;
};

void multiply(const kernel::MatrixProduct& product, const Matrices& data) {
  const auto trans_a = product.a.is_transposed ? CblasTrans : CblasNoTrans;
  const auto trans_b = product.b.is_transposed ? CblasTrans : CblasNoTrans;
  const auto lda = static_cast<int>(std::max<int64_t>(product.a.leading, 1));
  const auto ldb = static_cast<int>(std::max<int64_t>(product.b.leading, 1));
  const int m = product.m, n = product.n, k = product.k;
  switch (product.element) {
    case kernel::MatrixElement::kFloat32:
      cblas_sgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1.0F, static_cast<const float*>(data.a),
                  lda, static_cast<const float*>(data.b), ldb, 0.0F, static_cast<float*>(data.c),
                  n);
      return;
    case kernel::MatrixElement::kFloat64:
      cblas_dgemm(CblasRowMajor, trans_a, trans_b, m, n, k, 1.0, static_cast<const double*>(data.a),
                  lda, static_cast<const double*>(data.b), ldb, 0.0, static_cast<double*>(data.c),
                  n);
      return;
    case kernel::MatrixElement::kComplex64: {
      const std::complex<float> one(1.0F), zero(0.0F);
      cblas_cgemm(CblasRowMajor, trans_a, trans_b, m, n, k, &one, data.a, lda, data.b, ldb, &zero,
                  data.c, n);
      return;
    }
  }
}

}  // namespace

void multiply_matrices(const MatrixProductCommand& command) {
  const kernel::MatrixProduct& product = command.product;
  const auto item = static_cast<int64_t>(kernel::matrix_element_bytes(product.element));
  const std::byte* a = command.a.buffer->data() + command.a.offset;
  const std::byte* b = command.b.buffer->data() + command.b.offset;
  std::byte* c = command.c.buffer->data() + command.c.offset;
  for (const kernel::MatrixOffsets& offsets : product.products) {
    multiply(product, {a + offsets.a * item, b + offsets.b * item, c});
    c += int64_t{product.m} * product.n * item;
  }
}

}  // namespace assay::device::cpu
