#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/complex.h"

/// Batches of matrices, the last two dimensions of tensors: shape rules, and views for reference kernels.
namespace cornu::inline v0::ops {

/// A row-major matrix of f64 or complex<f64>, in which reference kernels compute.
template <typename T>
class Matrix {
 public:
  Matrix(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), elements_(static_cast<std::size_t>(rows * columns)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  T& operator()(std::int64_t i, std::int64_t j) {
    return elements_[static_cast<std::size_t>(i * columns_ + j)];
  }
  T operator()(std::int64_t i, std::int64_t j) const {
    return elements_[static_cast<std::size_t>(i * columns_ + j)];
  }

 private:
  std::int64_t rows_, columns_;
  std::vector<T> elements_;
};

inline double conjugated(double x) { return x; }
inline std::complex<double> conjugated(std::complex<double> x) { return std::conj(x); }

/// The number of matrices in a tensor.
inline std::int64_t num_matrices(const ir::TensorType& type) {
  const std::int64_t size = type.dims[type.dims.size() - 2] * type.dims.back();
  return size == 0 ? 0 : type.num_elements() / size;
}

/// Matrix number `batch` of a literal of f32, f64 or complex numbers.
template <typename T>
Matrix<T> read_matrix(const ir::Literal& literal, std::int64_t batch) {
  const ir::Dims& dims = literal.type().dims;
  Matrix<T> matrix(dims[dims.size() - 2], dims.back());
  std::int64_t at = batch * matrix.rows() * matrix.columns();
  for (std::int64_t i = 0; i < matrix.rows(); ++i)
    for (std::int64_t j = 0; j < matrix.columns(); ++j, ++at) {
      if constexpr (std::is_same_v<T, double>)
        matrix(i, j) = literal.at(at);
      else
        matrix(i, j) = ir::complex_at(literal, at);
    }
  return matrix;
}

/// Rounds a matrix to the literal's dtype.
template <typename T>
void write_matrix(const Matrix<T>& matrix, std::int64_t batch, ir::Literal& literal) {
  std::int64_t at = batch * matrix.rows() * matrix.columns();
  const auto write = [&]<typename Element>() {
    for (std::int64_t i = 0; i < matrix.rows(); ++i)
      for (std::int64_t j = 0; j < matrix.columns(); ++j, ++at)
        literal.mutable_data<Element>()[static_cast<std::size_t>(at)] = static_cast<Element>(matrix(i, j));
  };
  if constexpr (!std::is_same_v<T, double>)
    ir::visit_complex_dtype(literal.type().dtype, write);
  else if (literal.type().dtype == ir::DType::kF32)
    write.template operator()<float>();
  else
    write.template operator()<double>();
}

/// Calls f.operator()<T>() with the type in which a reference kernel computes with matrices of `dtype`.
template <typename F>
void visit_matrix_type(ir::DType dtype, F&& f) {
  if (ir::is_complex(dtype))
    f.template operator()<std::complex<double>>();
  else
    f.template operator()<double>();
}

/// Throws InvalidArgument, with the label, unless the type is of floats or complex numbers, and has two
/// dimensions or more.
void check_matrices(const ir::TensorType& type, std::string_view name, std::string_view label);

/// The same for decompositions: f32, f64 and complex numbers only.
void check_decomposed(const ir::TensorType& type, std::string_view name, std::string_view label);

/// The transposes of matrices; `conjugate`: the conjugate transposes.
ir::Value matrix_transpose(ir::Builder& b, ir::Value x, bool conjugate = false);

/// The products of matrices, batch by batch.
ir::Value matrix_product(ir::Builder& b, ir::Value x, ir::Value y);

/// The triangles of matrices, with zeros elsewhere; the diagonal times `diagonal`.
ir::Value triangle(ir::Builder& b, ir::Value x, bool lower, double diagonal = 1);

}  // namespace cornu::inline v0::ops
