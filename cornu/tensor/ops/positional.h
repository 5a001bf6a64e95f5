#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/ops/types.h"

/// Optional arguments by position: `softmax(x, -1)` for `softmax(x, {.axis = -1})`. All operations have the
/// form with options (see docs/adr/0019-optional-arguments-are-options.md); this form is for existing code.
namespace cornu::inline v0::ops {

// Shapes and creation.
Tensor concatenate(std::span<const Tensor> tensors, std::int64_t axis);
Tensor concatenate(std::initializer_list<Tensor> tensors, std::int64_t axis);
Tensor stack(std::span<const Tensor> tensors, std::int64_t axis);
Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t axis);
std::vector<Tensor> unstack(const Tensor& x, std::int64_t axis);
std::vector<Tensor> split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis);
std::vector<Tensor> array_split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis);
Tensor diag(const Tensor& x, std::int64_t k);
Tensor diagflat(const Tensor& x, std::int64_t k);
Tensor tril(const Tensor& x, std::int64_t k);
Tensor triu(const Tensor& x, std::int64_t k);
std::vector<Tensor> meshgrid(std::span<const Tensor> vectors, StringViewArgument indexing);
Tensor zeros(const Dims& shape, DType dtype);
Tensor ones(const Dims& shape, DType dtype);
Tensor empty(const Dims& shape, DType dtype);
Tensor full(const Dims& shape, const Tensor& fill_value, DType dtype);
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype);
Tensor ones_like(const Tensor& x, std::optional<DType> dtype);
Tensor empty_like(const Tensor& x, std::optional<DType> dtype);
Tensor full_like(const Tensor& x, const Tensor& fill_value, std::optional<DType> dtype);
Tensor identity(std::int64_t n, DType dtype);
Tensor arange(std::int64_t n, DType dtype);

// Elementwise.
Tensor round(const Tensor& x, std::int64_t decimals);
Tensor convert_to_tensor(const Tensor& x, std::optional<DType> dtype);
Tensor select(std::span<const Tensor> conditions, std::span<const Tensor> choices, const Tensor& fallback);

// Indexing and order.
Tensor one_hot(const Tensor& x, std::int64_t num_classes, DType dtype);
Tensor sort(const Tensor& x, std::int64_t axis);
Tensor argsort(const Tensor& x, std::int64_t axis);
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, StringViewArgument side);

// Networks.
Tensor leaky_relu(const Tensor& x, double negative_slope);
Tensor elu(const Tensor& x, double alpha);
Tensor celu(const Tensor& x, double alpha);
Tensor gelu(const Tensor& x, bool approximate);
Tensor soft_shrink(const Tensor& x, double threshold);
Tensor hard_shrink(const Tensor& x, double threshold);
Tensor squareplus(const Tensor& x, double b);
Tensor glu(const Tensor& x, std::int64_t axis);
Tensor sparsemax(const Tensor& x, std::int64_t axis);

// Reductions.
Tensor argmax(const Tensor& x, std::int64_t axis);
Tensor argmin(const Tensor& x, std::int64_t axis);

// Products.
Tensor tensordot(const Tensor& x, const Tensor& y, std::int64_t axes);
Tensor tensordot(const Tensor& x, const Tensor& y, const Axes& x_axes, const Axes& y_axes);

}  // namespace cornu::inline v0::ops
