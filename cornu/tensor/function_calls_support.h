// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>
#include "cornu/tensor/function_options_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/attention.h"

/// Calls of functions by the names of their arguments in Keras. `Call` finds arguments: c[i] is the i-th tensor,
/// c.tensors(name) a list, c.get<T>(name) another argument, c.options<O>(name, member, ...) an options aggregate.
namespace cornu::inline v0::ops::calls {

using Tensors = std::vector<Tensor>;

template <typename Call> Tensors add(const Call& c) { return {ops::add(c[0], c[1])}; }
template <typename Call> Tensors subtract(const Call& c) { return {ops::subtract(c[0], c[1])}; }
template <typename Call> Tensors multiply(const Call& c) { return {ops::multiply(c[0], c[1])}; }
template <typename Call> Tensors divide(const Call& c) { return {ops::divide(c[0], c[1])}; }
template <typename Call> Tensors true_divide(const Call& c) { return {ops::true_divide(c[0], c[1])}; }
template <typename Call> Tensors divide_no_nan(const Call& c) { return {ops::divide_no_nan(c[0], c[1])}; }
template <typename Call> Tensors floor_divide(const Call& c) { return {ops::floor_divide(c[0], c[1])}; }
template <typename Call> Tensors mod(const Call& c) { return {ops::mod(c[0], c[1])}; }
template <typename Call> Tensors fmod(const Call& c) { return {ops::fmod(c[0], c[1])}; }
template <typename Call> Tensors power(const Call& c) { return {ops::power(c[0], c[1])}; }
template <typename Call> Tensors maximum(const Call& c) { return {ops::maximum(c[0], c[1])}; }
template <typename Call> Tensors minimum(const Call& c) { return {ops::minimum(c[0], c[1])}; }
template <typename Call> Tensors fmax(const Call& c) { return {ops::fmax(c[0], c[1])}; }
template <typename Call> Tensors fmin(const Call& c) { return {ops::fmin(c[0], c[1])}; }
template <typename Call> Tensors hypot(const Call& c) { return {ops::hypot(c[0], c[1])}; }
template <typename Call> Tensors logaddexp(const Call& c) { return {ops::logaddexp(c[0], c[1])}; }
template <typename Call> Tensors logaddexp2(const Call& c) { return {ops::logaddexp2(c[0], c[1])}; }
template <typename Call> Tensors heaviside(const Call& c) { return {ops::heaviside(c[0], c[1])}; }
template <typename Call> Tensors arctan2(const Call& c) { return {ops::arctan2(c[0], c[1])}; }
template <typename Call> Tensors equal(const Call& c) { return {ops::equal(c[0], c[1])}; }
template <typename Call> Tensors not_equal(const Call& c) { return {ops::not_equal(c[0], c[1])}; }
template <typename Call> Tensors less(const Call& c) { return {ops::less(c[0], c[1])}; }
template <typename Call> Tensors less_equal(const Call& c) { return {ops::less_equal(c[0], c[1])}; }
template <typename Call> Tensors greater(const Call& c) { return {ops::greater(c[0], c[1])}; }
template <typename Call> Tensors greater_equal(const Call& c) { return {ops::greater_equal(c[0], c[1])}; }
template <typename Call> Tensors isclose(const Call& c) {
  return {ops::isclose(c[0], c[1], is_close_options(c))};
}
template <typename Call> Tensors allclose(const Call& c) {
  return {ops::allclose(c[0], c[1], is_close_options(c))};
}
template <typename Call> Tensors logical_and(const Call& c) { return {ops::logical_and(c[0], c[1])}; }
template <typename Call> Tensors logical_or(const Call& c) { return {ops::logical_or(c[0], c[1])}; }
template <typename Call> Tensors logical_xor(const Call& c) { return {ops::logical_xor(c[0], c[1])}; }
template <typename Call> Tensors logical_not(const Call& c) { return {ops::logical_not(c[0])}; }
template <typename Call> Tensors bitwise_and(const Call& c) { return {ops::bitwise_and(c[0], c[1])}; }
template <typename Call> Tensors bitwise_or(const Call& c) { return {ops::bitwise_or(c[0], c[1])}; }
template <typename Call> Tensors bitwise_xor(const Call& c) { return {ops::bitwise_xor(c[0], c[1])}; }
template <typename Call> Tensors bitwise_not(const Call& c) { return {ops::bitwise_not(c[0])}; }
template <typename Call> Tensors bitwise_invert(const Call& c) { return {ops::bitwise_invert(c[0])}; }
template <typename Call> Tensors bitwise_left_shift(const Call& c) {
  return {ops::bitwise_left_shift(c[0], c[1])};
}
template <typename Call> Tensors bitwise_right_shift(const Call& c) {
  return {ops::bitwise_right_shift(c[0], c[1])};
}
template <typename Call> Tensors left_shift(const Call& c) { return {ops::left_shift(c[0], c[1])}; }
template <typename Call> Tensors right_shift(const Call& c) { return {ops::right_shift(c[0], c[1])}; }
template <typename Call> Tensors negative(const Call& c) { return {ops::negative(c[0])}; }
template <typename Call> Tensors abs(const Call& c) { return {ops::abs(c[0])}; }
template <typename Call> Tensors absolute(const Call& c) { return {ops::absolute(c[0])}; }
template <typename Call> Tensors fabs(const Call& c) { return {ops::fabs(c[0])}; }
template <typename Call> Tensors sign(const Call& c) { return {ops::sign(c[0])}; }
template <typename Call> Tensors signbit(const Call& c) { return {ops::signbit(c[0])}; }
template <typename Call> Tensors reciprocal(const Call& c) { return {ops::reciprocal(c[0])}; }
template <typename Call> Tensors square(const Call& c) { return {ops::square(c[0])}; }
template <typename Call> Tensors exp(const Call& c) { return {ops::exp(c[0])}; }
template <typename Call> Tensors exp2(const Call& c) { return {ops::exp2(c[0])}; }
template <typename Call> Tensors expm1(const Call& c) { return {ops::expm1(c[0])}; }
template <typename Call> Tensors log(const Call& c) { return {ops::log(c[0])}; }
template <typename Call> Tensors log1p(const Call& c) { return {ops::log1p(c[0])}; }
template <typename Call> Tensors log2(const Call& c) { return {ops::log2(c[0])}; }
template <typename Call> Tensors log10(const Call& c) { return {ops::log10(c[0])}; }
template <typename Call> Tensors sqrt(const Call& c) { return {ops::sqrt(c[0])}; }
template <typename Call> Tensors rsqrt(const Call& c) { return {ops::rsqrt(c[0])}; }
template <typename Call> Tensors cbrt(const Call& c) { return {ops::cbrt(c[0])}; }
template <typename Call> Tensors sin(const Call& c) { return {ops::sin(c[0])}; }
template <typename Call> Tensors cos(const Call& c) { return {ops::cos(c[0])}; }
template <typename Call> Tensors tan(const Call& c) { return {ops::tan(c[0])}; }
template <typename Call> Tensors arcsin(const Call& c) { return {ops::arcsin(c[0])}; }
template <typename Call> Tensors arccos(const Call& c) { return {ops::arccos(c[0])}; }
template <typename Call> Tensors arctan(const Call& c) { return {ops::arctan(c[0])}; }
template <typename Call> Tensors sinh(const Call& c) { return {ops::sinh(c[0])}; }
template <typename Call> Tensors cosh(const Call& c) { return {ops::cosh(c[0])}; }
template <typename Call> Tensors tanh(const Call& c) { return {ops::tanh(c[0])}; }
template <typename Call> Tensors arcsinh(const Call& c) { return {ops::arcsinh(c[0])}; }
template <typename Call> Tensors arccosh(const Call& c) { return {ops::arccosh(c[0])}; }
template <typename Call> Tensors arctanh(const Call& c) { return {ops::arctanh(c[0])}; }
template <typename Call> Tensors erf(const Call& c) { return {ops::erf(c[0])}; }
template <typename Call> Tensors erfc(const Call& c) { return {ops::erfc(c[0])}; }
template <typename Call> Tensors erfinv(const Call& c) { return {ops::erfinv(c[0])}; }
template <typename Call> Tensors sinc(const Call& c) { return {ops::sinc(c[0])}; }
template <typename Call> Tensors deg2rad(const Call& c) { return {ops::deg2rad(c[0])}; }
template <typename Call> Tensors rad2deg(const Call& c) { return {ops::rad2deg(c[0])}; }
template <typename Call> Tensors floor(const Call& c) { return {ops::floor(c[0])}; }
template <typename Call> Tensors ceil(const Call& c) { return {ops::ceil(c[0])}; }
template <typename Call> Tensors round(const Call& c) { return {ops::round(c[0], round_options(c))}; }
template <typename Call> Tensors trunc(const Call& c) { return {ops::trunc(c[0])}; }
template <typename Call> Tensors isnan(const Call& c) { return {ops::isnan(c[0])}; }
template <typename Call> Tensors isinf(const Call& c) { return {ops::isinf(c[0])}; }
template <typename Call> Tensors isposinf(const Call& c) { return {ops::isposinf(c[0])}; }
template <typename Call> Tensors isneginf(const Call& c) { return {ops::isneginf(c[0])}; }
template <typename Call> Tensors isfinite(const Call& c) { return {ops::isfinite(c[0])}; }
template <typename Call> Tensors nan_to_num(const Call& c) {
  return {ops::nan_to_num(c[0], nan_to_num_options(c))};
}
template <typename Call> Tensors cast(const Call& c) {
  return {ops::cast(c[0], c.template get<DType>("dtype"))};
}
template <typename Call> Tensors saturate_cast(const Call& c) {
  return {ops::saturate_cast(c[0], c.template get<DType>("dtype"))};
}
template <typename Call> Tensors convert_to_tensor(const Call& c) {
  return {ops::convert_to_tensor(c[0], convert_options(c))};
}
template <typename Call> Tensors copy(const Call& c) { return {ops::copy(c[0])}; }
template <typename Call> Tensors stop_gradient(const Call& c) { return {ops::stop_gradient(c[0])}; }
template <typename Call> Tensors where(const Call& c) { return {ops::where(c[0], c[1], c[2])}; }
template <typename Call> Tensors sum(const Call& c) { return {ops::sum(c[0], reduce_options(c))}; }
template <typename Call> Tensors mean(const Call& c) { return {ops::mean(c[0], reduce_options(c))}; }
template <typename Call> Tensors prod(const Call& c) { return {ops::prod(c[0], prod_options(c))}; }
template <typename Call> Tensors max(const Call& c) { return {ops::max(c[0], extremum_options(c))}; }
template <typename Call> Tensors min(const Call& c) { return {ops::min(c[0], extremum_options(c))}; }
template <typename Call> Tensors amax(const Call& c) { return {ops::amax(c[0], reduce_options(c))}; }
template <typename Call> Tensors amin(const Call& c) { return {ops::amin(c[0], reduce_options(c))}; }
template <typename Call> Tensors ptp(const Call& c) { return {ops::ptp(c[0], reduce_options(c))}; }
template <typename Call> Tensors var(const Call& c) { return {ops::var(c[0], reduce_options(c))}; }
template <typename Call> Tensors std(const Call& c) { return {ops::std(c[0], reduce_options(c))}; }
template <typename Call> Tensors median(const Call& c) { return {ops::median(c[0], reduce_options(c))}; }
template <typename Call> Tensors logsumexp(const Call& c) {
  return {ops::logsumexp(c[0], reduce_options(c))};
}
template <typename Call> Tensors all(const Call& c) { return {ops::all(c[0], reduce_options(c))}; }
template <typename Call> Tensors any(const Call& c) { return {ops::any(c[0], reduce_options(c))}; }
template <typename Call> Tensors count_nonzero(const Call& c) {
  return {ops::count_nonzero(c[0], count_nonzero_options(c))};
}
template <typename Call> Tensors average(const Call& c) { return {ops::average(c[0], average_options(c))}; }
template <typename Call> Tensors argmax(const Call& c) { return {ops::argmax(c[0], arg_options(c))}; }
template <typename Call> Tensors argmin(const Call& c) { return {ops::argmin(c[0], arg_options(c))}; }
template <typename Call> Tensors cumsum(const Call& c) { return {ops::cumsum(c[0], cumulative_options(c))}; }
template <typename Call> Tensors cumprod(const Call& c) {
  return {ops::cumprod(c[0], cumulative_options(c))};
}
template <typename Call> Tensors norm(const Call& c) { return {ops::norm(c[0], norm_options(c))}; }
template <typename Call> Tensors nansum(const Call& c) { return {ops::nansum(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanprod(const Call& c) { return {ops::nanprod(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanmax(const Call& c) { return {ops::nanmax(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanmin(const Call& c) { return {ops::nanmin(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanmean(const Call& c) { return {ops::nanmean(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanvar(const Call& c) { return {ops::nanvar(c[0], reduce_options(c))}; }
template <typename Call> Tensors nanstd(const Call& c) { return {ops::nanstd(c[0], reduce_options(c))}; }
template <typename Call> Tensors nancumsum(const Call& c) {
  return {ops::nancumsum(c[0], cumulative_options(c))};
}
template <typename Call> Tensors nancumprod(const Call& c) {
  return {ops::nancumprod(c[0], cumulative_options(c))};
}
template <typename Call> Tensors nanargmax(const Call& c) { return {ops::nanargmax(c[0], arg_options(c))}; }
template <typename Call> Tensors nanargmin(const Call& c) { return {ops::nanargmin(c[0], arg_options(c))}; }
template <typename Call> Tensors nanmedian(const Call& c) {
  return {ops::nanmedian(c[0], reduce_options(c))};
}
template <typename Call> Tensors size(const Call& c) { return {ops::size(c[0])}; }
template <typename Call> Tensors ndim(const Call& c) { return {ops::ndim(c[0])}; }
template <typename Call> Tensors reshape(const Call& c) {
  return {ops::reshape(c[0], c.template get<Dims>("newshape"))};
}
template <typename Call> Tensors ravel(const Call& c) { return {ops::ravel(c[0])}; }
template <typename Call> Tensors transpose(const Call& c) {
  return {ops::transpose(c[0], transpose_options(c))};
}
template <typename Call> Tensors swapaxes(const Call& c) {
  return {ops::swapaxes(c[0], c.template get<std::int64_t>("axis1"), c.template get<std::int64_t>("axis2"))};
}
template <typename Call> Tensors moveaxis(const Call& c) {
  return {ops::moveaxis(c[0], c.template get<Axes>("source"), c.template get<Axes>("destination"))};
}
template <typename Call> Tensors broadcast_to(const Call& c) {
  return {ops::broadcast_to(c[0], c.template get<Dims>("shape"))};
}
template <typename Call> Tensors expand_dims(const Call& c) {
  return {ops::expand_dims(c[0], c.template get<Axes>("axis"))};
}
template <typename Call> Tensors squeeze(const Call& c) { return {ops::squeeze(c[0], squeeze_options(c))}; }
template <typename Call> Tensors concatenate(const Call& c) {
  return {ops::concatenate(c.tensors("xs"), join_options(c))};
}
template <typename Call> Tensors stack(const Call& c) {
  return {ops::stack(c.tensors("x"), join_options(c))};
}
template <typename Call> Tensors hstack(const Call& c) { return {ops::hstack(c.tensors("xs"))}; }
template <typename Call> Tensors vstack(const Call& c) { return {ops::vstack(c.tensors("xs"))}; }
template <typename Call> Tensors append(const Call& c) {
  return {ops::append(c[0], c[1], append_options(c))};
}
template <typename Call> Tensors unstack(const Call& c) { return ops::unstack(c[0], split_options(c)); }
template <typename Call> Tensors split(const Call& c) {
  return ops::split(c[0], c.template get<IntOrInts>("indices_or_sections"), split_options(c));
}
template <typename Call> Tensors array_split(const Call& c) {
  return ops::array_split(c[0], c.template get<IntOrInts>("indices_or_sections"), split_options(c));
}
template <typename Call> Tensors tile(const Call& c) {
  return {ops::tile(c[0], c.template get<IntOrInts>("repeats"))};
}
template <typename Call> Tensors repeat(const Call& c) {
  return {ops::repeat(c[0], c.template get<IntOrInts>("repeats"), repeat_options(c))};
}
template <typename Call> Tensors flip(const Call& c) { return {ops::flip(c[0], flip_options(c))}; }
template <typename Call> Tensors flipud(const Call& c) { return {ops::flipud(c[0])}; }
template <typename Call> Tensors fliplr(const Call& c) { return {ops::fliplr(c[0])}; }
template <typename Call> Tensors rot90(const Call& c) { return {ops::rot90(c[0], rot90_options(c))}; }
template <typename Call> Tensors roll(const Call& c) {
  return {ops::roll(c[0], c.template get<IntOrInts>("shift"), roll_options(c))};
}
template <typename Call> Tensors diag(const Call& c) { return {ops::diag(c[0], diag_options(c))}; }
template <typename Call> Tensors diagflat(const Call& c) { return {ops::diagflat(c[0], diag_options(c))}; }
template <typename Call> Tensors diagonal(const Call& c) {
  return {ops::diagonal(c[0], diagonal_options(c))};
}
template <typename Call> Tensors trace(const Call& c) { return {ops::trace(c[0], diagonal_options(c))}; }
template <typename Call> Tensors tril(const Call& c) { return {ops::tril(c[0], diag_options(c))}; }
template <typename Call> Tensors triu(const Call& c) { return {ops::triu(c[0], diag_options(c))}; }
template <typename Call> Tensors diff(const Call& c) { return {ops::diff(c[0], diff_options(c))}; }
template <typename Call> Tensors meshgrid(const Call& c) {
  return ops::meshgrid(c.tensors("x"), meshgrid_options(c));
}
template <typename Call> Tensors zeros(const Call& c) {
  return {ops::zeros(c.template get<Dims>("shape"), create_options(c))};
}
template <typename Call> Tensors ones(const Call& c) {
  return {ops::ones(c.template get<Dims>("shape"), create_options(c))};
}
template <typename Call> Tensors empty(const Call& c) {
  return {ops::empty(c.template get<Dims>("shape"), create_options(c))};
}
template <typename Call> Tensors zeros_like(const Call& c) {
  return {ops::zeros_like(c[0], create_like_options(c))};
}
template <typename Call> Tensors ones_like(const Call& c) {
  return {ops::ones_like(c[0], create_like_options(c))};
}
template <typename Call> Tensors empty_like(const Call& c) {
  return {ops::empty_like(c[0], create_like_options(c))};
}
template <typename Call> Tensors full_like(const Call& c) {
  return {ops::full_like(c[0], c[1], create_like_options(c))};
}
template <typename Call> Tensors eye(const Call& c) {
  return {ops::eye(c.template get<std::int64_t>("N"), eye_options(c))};
}
template <typename Call> Tensors identity(const Call& c) {
  return {ops::identity(c.template get<std::int64_t>("n"), create_options(c))};
}
template <typename Call> Tensors tri(const Call& c) {
  return {ops::tri(c.template get<std::int64_t>("N"), eye_options(c))};
}
template <typename Call> Tensors linspace(const Call& c) {
  return {ops::linspace(c[0], c[1], linspace_options(c))};
}
template <typename Call> Tensors take(const Call& c) { return {ops::take(c[0], c[1], take_options(c))}; }
template <typename Call> Tensors take_along_axis(const Call& c) {
  return {ops::take_along_axis(c[0], c[1], take_options(c))};
}
template <typename Call> Tensors scatter(const Call& c) {
  return {ops::scatter(c[0], c[1], c.template get<Dims>("shape"))};
}
template <typename Call> Tensors scatter_update(const Call& c) {
  return {ops::scatter_update(c[0], c[1], c[2], scatter_update_options(c))};
}
template <typename Call> Tensors segment_sum(const Call& c) {
  return {ops::segment_sum(c[0], c[1], segment_options(c))};
}
template <typename Call> Tensors segment_max(const Call& c) {
  return {ops::segment_max(c[0], c[1], segment_options(c))};
}
template <typename Call> Tensors segment_min(const Call& c) {
  return {ops::segment_min(c[0], c[1], segment_options(c))};
}
template <typename Call> Tensors segment_prod(const Call& c) {
  return {ops::segment_prod(c[0], c[1], segment_options(c))};
}
template <typename Call> Tensors one_hot(const Call& c) {
  return {ops::one_hot(c[0], c.template get<std::int64_t>("num_classes"), one_hot_options(c))};
}
template <typename Call> Tensors multi_hot(const Call& c) {
  return {ops::multi_hot(c[0], c.template get<std::int64_t>("num_classes"), one_hot_options(c))};
}
template <typename Call> Tensors sort(const Call& c) { return {ops::sort(c[0], sort_axis_options(c))}; }
template <typename Call> Tensors argsort(const Call& c) {
  return {ops::argsort(c[0], sort_axis_options(c))};
}
template <typename Call> Tensors in_top_k(const Call& c) {
  return {ops::in_top_k(c[0], c[1], c.template get<std::int64_t>("k"))};
}
template <typename Call> Tensors searchsorted(const Call& c) {
  return {ops::searchsorted(c[0], c[1], search_sorted_options(c))};
}
template <typename Call> Tensors bincount(const Call& c) {
  return {ops::bincount(c[0], bincount_options(c))};
}
template <typename Call> Tensors extract_sequences(const Call& c) {
  return {ops::extract_sequences(c[0], c.template get<std::int64_t>("sequence_length"), c.template
      get<std::int64_t>("sequence_stride"))};
}
template <typename Call> Tensors matmul(const Call& c) { return {ops::matmul(c[0], c[1])}; }
template <typename Call> Tensors dot(const Call& c) { return {ops::dot(c[0], c[1])}; }
template <typename Call> Tensors inner(const Call& c) { return {ops::inner(c[0], c[1])}; }
template <typename Call> Tensors outer(const Call& c) { return {ops::outer(c[0], c[1])}; }
template <typename Call> Tensors vdot(const Call& c) { return {ops::vdot(c[0], c[1])}; }
template <typename Call> Tensors kron(const Call& c) { return {ops::kron(c[0], c[1])}; }
template <typename Call> Tensors cross(const Call& c) { return {ops::cross(c[0], c[1], cross_options(c))}; }
template <typename Call> Tensors einsum(const Call& c) {
  return {ops::einsum(c.template get<std::string_view>("subscripts"), c.tensors("operands"))};
}
template <typename Call> Tensors relu(const Call& c) { return {ops::relu(c[0])}; }
template <typename Call> Tensors relu6(const Call& c) { return {ops::relu6(c[0])}; }
template <typename Call> Tensors leaky_relu(const Call& c) {
  return {ops::leaky_relu(c[0], leaky_relu_options(c))};
}
template <typename Call> Tensors elu(const Call& c) { return {ops::elu(c[0], elu_options(c))}; }
template <typename Call> Tensors celu(const Call& c) { return {ops::celu(c[0], elu_options(c))}; }
template <typename Call> Tensors selu(const Call& c) { return {ops::selu(c[0])}; }
template <typename Call> Tensors gelu(const Call& c) { return {ops::gelu(c[0], gelu_options(c))}; }
template <typename Call> Tensors sigmoid(const Call& c) { return {ops::sigmoid(c[0])}; }
template <typename Call> Tensors log_sigmoid(const Call& c) { return {ops::log_sigmoid(c[0])}; }
template <typename Call> Tensors hard_sigmoid(const Call& c) { return {ops::hard_sigmoid(c[0])}; }
template <typename Call> Tensors sparse_sigmoid(const Call& c) { return {ops::sparse_sigmoid(c[0])}; }
template <typename Call> Tensors silu(const Call& c) { return {ops::silu(c[0])}; }
template <typename Call> Tensors swish(const Call& c) { return {ops::swish(c[0])}; }
template <typename Call> Tensors hard_silu(const Call& c) { return {ops::hard_silu(c[0])}; }
template <typename Call> Tensors hard_swish(const Call& c) { return {ops::hard_swish(c[0])}; }
template <typename Call> Tensors softplus(const Call& c) { return {ops::softplus(c[0])}; }
template <typename Call> Tensors softsign(const Call& c) { return {ops::softsign(c[0])}; }
template <typename Call> Tensors soft_shrink(const Call& c) {
  return {ops::soft_shrink(c[0], shrink_options(c))};
}
template <typename Call> Tensors hard_shrink(const Call& c) {
  return {ops::hard_shrink(c[0], shrink_options(c))};
}
template <typename Call> Tensors tanh_shrink(const Call& c) { return {ops::tanh_shrink(c[0])}; }
template <typename Call> Tensors hard_tanh(const Call& c) { return {ops::hard_tanh(c[0])}; }
template <typename Call> Tensors sparse_plus(const Call& c) { return {ops::sparse_plus(c[0])}; }
template <typename Call> Tensors squareplus(const Call& c) {
  return {ops::squareplus(c[0], squareplus_options(c))};
}
template <typename Call> Tensors threshold(const Call& c) {
  return {ops::threshold(c[0], c.template get<double>("threshold"), c.template get<double>("default_value"))};
}
template <typename Call> Tensors glu(const Call& c) { return {ops::glu(c[0], last_axis_options(c))}; }
template <typename Call> Tensors softmax(const Call& c) { return {ops::softmax(c[0], softmax_options(c))}; }
template <typename Call> Tensors log_softmax(const Call& c) {
  return {ops::log_softmax(c[0], softmax_options(c))};
}
template <typename Call> Tensors sparsemax(const Call& c) {
  return {ops::sparsemax(c[0], last_axis_options(c))};
}
template <typename Call> Tensors categorical_crossentropy(const Call& c) {
  return {ops::categorical_crossentropy(c[0], c[1], crossentropy_options(c))};
}
template <typename Call> Tensors sparse_categorical_crossentropy(const Call& c) {
  return {ops::sparse_categorical_crossentropy(c[0], c[1], crossentropy_options(c))};
}
template <typename Call> Tensors binary_crossentropy(const Call& c) {
  return {ops::binary_crossentropy(c[0], c[1], binary_crossentropy_options(c))};
}
template <typename Call> Tensors psnr(const Call& c) {
  return {ops::psnr(c[0], c[1], c.template get<double>("max_val"))};
}
template <typename Call> Tensors normalize(const Call& c) {
  return {ops::normalize(c[0], normalize_options(c))};
}
template <typename Call> Tensors batch_normalization(const Call& c) {
  return {ops::batch_normalization(c[0], c[1], c[2], batch_normalization_options(c))};
}
template <typename Call> Tensors rms_normalization(const Call& c) {
  return {ops::rms_normalization(c[0], rms_normalization_options(c))};
}
template <typename Call> Tensors conv(const Call& c) { return {ops::conv(c[0], c[1], conv_options(c))}; }
template <typename Call> Tensors depthwise_conv(const Call& c) {
  return {ops::depthwise_conv(c[0], c[1], conv_options(c))};
}
template <typename Call> Tensors separable_conv(const Call& c) {
  return {ops::separable_conv(c[0], c[1], c[2], conv_options(c))};
}
template <typename Call> Tensors conv_transpose(const Call& c) {
  return {ops::conv_transpose(c[0], c[1], conv_transpose_options(c))};
}
template <typename Call> Tensors max_pool(const Call& c) {
  return {ops::max_pool(c[0], c.template get<IntOrInts>("pool_size"), pool_options(c))};
}
template <typename Call> Tensors average_pool(const Call& c) {
  return {ops::average_pool(c[0], c.template get<IntOrInts>("pool_size"), pool_options(c))};
}
template <typename Call> Tensors adaptive_max_pool(const Call& c) {
  return {ops::adaptive_max_pool(c[0], c.template get<IntOrInts>("output_size"), adaptive_pool_options(c))};
}
template <typename Call> Tensors adaptive_average_pool(const Call& c) {
  return {ops::adaptive_average_pool(c[0], c.template get<IntOrInts>("output_size"),
      adaptive_pool_options(c))};
}
template <typename Call> Tensors ctc_loss(const Call& c) {
  return {ops::ctc_loss(c[0], c[1], c[2], c[3], ctc_loss_options(c))};
}
template <typename Call> Tensors ctc_decode(const Call& c) {
  const auto result = ops::ctc_decode(c[0], c[1], ctc_decode_options(c));
  return {result.decoded, result.scores};
}
template <typename Call> Tensors hsplit(const Call& c) {
  return ops::hsplit(c[0], c.template get<IntOrInts>("indices_or_sections"));
}
template <typename Call> Tensors vsplit(const Call& c) {
  return ops::vsplit(c[0], c.template get<IntOrInts>("indices_or_sections"));
}
template <typename Call> Tensors dsplit(const Call& c) {
  return ops::dsplit(c[0], c.template get<IntOrInts>("indices_or_sections"));
}
template <typename Call> Tensors dstack(const Call& c) { return {ops::dstack(c.tensors("xs"))}; }
template <typename Call> Tensors depth_to_space(const Call& c) {
  return {ops::depth_to_space(c[0], c.template get<std::int64_t>("block_size"), block_options(c))};
}
template <typename Call> Tensors space_to_depth(const Call& c) {
  return {ops::space_to_depth(c[0], c.template get<std::int64_t>("block_size"), block_options(c))};
}
template <typename Call> Tensors unfold(const Call& c) {
  return {ops::unfold(c[0], c.template get<IntOrInts>("kernel_size"), fold_options(c))};
}
template <typename Call> Tensors fold(const Call& c) {
  return {ops::fold(c[0], c.template get<IntOrInts>("output_size"), c.template get<IntOrInts>("kernel_size"),
      fold_options(c))};
}
template <typename Call> Tensors unravel_index(const Call& c) {
  return ops::unravel_index(c[0], c.template get<Dims>("shape"));
}
template <typename Call> Tensors isin(const Call& c) { return {ops::isin(c[0], c[1], is_in_options(c))}; }
template <typename Call> Tensors histogram(const Call& c) {
  const auto result = ops::histogram(c[0], histogram_options(c));
  return {result.counts, result.edges};
}
template <typename Call> Tensors argpartition(const Call& c) {
  return {ops::argpartition(c[0], c.template get<std::int64_t>("kth"), arg_partition_options(c))};
}
template <typename Call> Tensors nonzero(const Call& c) { return ops::nonzero(c[0], nonzero_options(c)); }
template <typename Call> Tensors cdist(const Call& c) { return {ops::cdist(c[0], c[1])}; }
template <typename Call> Tensors corrcoef(const Call& c) { return {ops::corrcoef(c[0])}; }
template <typename Call> Tensors correlate(const Call& c) {
  return {ops::correlate(c[0], c[1], correlate_options(c))};
}
template <typename Call> Tensors trapezoid(const Call& c) {
  return {ops::trapezoid(c[0], trapezoid_options(c))};
}
template <typename Call> Tensors vander(const Call& c) { return {ops::vander(c[0], vander_options(c))}; }
template <typename Call> Tensors gcd(const Call& c) { return {ops::gcd(c[0], c[1])}; }
template <typename Call> Tensors lcm(const Call& c) { return {ops::lcm(c[0], c[1])}; }
template <typename Call> Tensors ldexp(const Call& c) { return {ops::ldexp(c[0], c[1])}; }
template <typename Call> Tensors nextafter(const Call& c) { return {ops::nextafter(c[0], c[1])}; }
template <typename Call> Tensors i0(const Call& c) { return {ops::i0(c[0])}; }
template <typename Call> Tensors bartlett(const Call& c) {
  return {ops::bartlett(c.template get<std::int64_t>("x"))};
}
template <typename Call> Tensors blackman(const Call& c) {
  return {ops::blackman(c.template get<std::int64_t>("x"))};
}
template <typename Call> Tensors hamming(const Call& c) {
  return {ops::hamming(c.template get<std::int64_t>("x"))};
}
template <typename Call> Tensors hanning(const Call& c) {
  return {ops::hanning(c.template get<std::int64_t>("x"))};
}
template <typename Call> Tensors kaiser(const Call& c) {
  return {ops::kaiser(c.template get<std::int64_t>("x"), c.template get<double>("beta"))};
}
template <typename Call> Tensors logspace(const Call& c) {
  return {ops::logspace(c[0], c[1], logspace_options(c))};
}
template <typename Call> Tensors geomspace(const Call& c) {
  return {ops::geomspace(c[0], c[1], linspace_options(c))};
}
template <typename Call> Tensors fft(const Call& c) { return ops::fft(c.tensors("x")); }
template <typename Call> Tensors fft2(const Call& c) { return ops::fft2(c.tensors("x")); }
template <typename Call> Tensors ifft2(const Call& c) { return ops::ifft2(c.tensors("x")); }
template <typename Call> Tensors rfft(const Call& c) { return ops::rfft(c[0], fft_length_options(c)); }
template <typename Call> Tensors irfft(const Call& c) {
  return {ops::irfft(c.tensors("x"), fft_length_options(c))};
}
template <typename Call> Tensors stft(const Call& c) {
  return ops::stft(c[0], c.template get<std::int64_t>("sequence_length"), c.template
      get<std::int64_t>("sequence_stride"), c.template get<std::int64_t>("fft_length"), stft_options(c));
}
template <typename Call> Tensors istft(const Call& c) {
  return {ops::istft(c.tensors("x"), c.template get<std::int64_t>("sequence_length"), c.template
      get<std::int64_t>("sequence_stride"), c.template get<std::int64_t>("fft_length"), istft_options(c))};
}
template <typename Call> Tensors view_as_complex(const Call& c) { return {ops::view_as_complex(c[0])}; }
template <typename Call> Tensors polar(const Call& c) { return {ops::polar(c[0], c[1])}; }
template <typename Call> Tensors view_as_real(const Call& c) { return {ops::view_as_real(c[0])}; }
template <typename Call> Tensors real(const Call& c) { return {ops::real(c[0])}; }
template <typename Call> Tensors imag(const Call& c) { return {ops::imag(c[0])}; }
template <typename Call> Tensors conjugate(const Call& c) { return {ops::conjugate(c[0])}; }
template <typename Call> Tensors conj(const Call& c) { return {ops::conj(c[0])}; }
template <typename Call> Tensors angle(const Call& c) { return {ops::angle(c[0])}; }
template <typename Call> Tensors isreal(const Call& c) { return {ops::isreal(c[0])}; }
template <typename Call> Tensors cholesky(const Call& c) {
  return {ops::cholesky(c[0], triangle_options(c))};
}
template <typename Call> Tensors cholesky_inverse(const Call& c) {
  return {ops::cholesky_inverse(c[0], triangle_options(c))};
}
template <typename Call> Tensors lu_factor(const Call& c) {
  const auto result = ops::lu_factor(c[0]);
  return {result.lu, result.pivots};
}
template <typename Call> Tensors det(const Call& c) { return {ops::det(c[0])}; }
template <typename Call> Tensors slogdet(const Call& c) {
  const auto result = ops::slogdet(c[0]);
  return {result.sign, result.logdet};
}
template <typename Call> Tensors logdet(const Call& c) { return {ops::logdet(c[0])}; }
template <typename Call> Tensors inv(const Call& c) { return {ops::inv(c[0])}; }
template <typename Call> Tensors solve(const Call& c) { return {ops::solve(c[0], c[1])}; }
template <typename Call> Tensors solve_triangular(const Call& c) {
  return {ops::solve_triangular(c[0], c[1], solve_triangular_options(c))};
}
template <typename Call> Tensors qr(const Call& c) {
  const auto result = ops::qr(c[0], qr_options(c));
  return {result.q, result.r};
}
template <typename Call> Tensors eig(const Call& c) {
  const auto result = ops::eig(c[0]);
  return {result.eigenvalues, result.eigenvectors};
}
template <typename Call> Tensors eigh(const Call& c) {
  const auto result = ops::eigh(c[0]);
  return {result.eigenvalues, result.eigenvectors};
}
template <typename Call> Tensors svd(const Call& c) { return ops::svd(c[0], svd_options(c)); }
template <typename Call> Tensors pinv(const Call& c) { return {ops::pinv(c[0], cutoff_options(c))}; }
template <typename Call> Tensors lstsq(const Call& c) { return {ops::lstsq(c[0], c[1], cutoff_options(c))}; }
template <typename Call> Tensors matrix_rank(const Call& c) {
  return {ops::matrix_rank(c[0], matrix_rank_options(c))};
}
template <typename Call> Tensors rgb_to_grayscale(const Call& c) {
  return {ops::rgb_to_grayscale(c[0], image_options(c))};
}
template <typename Call> Tensors rgb_to_hsv(const Call& c) {
  return {ops::rgb_to_hsv(c[0], image_options(c))};
}
template <typename Call> Tensors hsv_to_rgb(const Call& c) {
  return {ops::hsv_to_rgb(c[0], image_options(c))};
}
template <typename Call> Tensors resize(const Call& c) {
  return {ops::resize(c[0], c.template get<IntOrInts>("size"), resize_options(c))};
}
template <typename Call> Tensors scale_and_translate(const Call& c) {
  return {ops::scale_and_translate(c[0], c.template get<Dims>("output_shape"), c[1], c[2], c.template
      get<Axes>("spatial_dims"), c.template get<std::string_view>("method"), scale_and_translate_options(c))};
}
template <typename Call> Tensors map_coordinates(const Call& c) {
  return {ops::map_coordinates(c[0], c[1], c.template get<std::int64_t>("order"),
      map_coordinates_options(c))};
}
template <typename Call> Tensors affine_transform(const Call& c) {
  return {ops::affine_transform(c[0], c[1], affine_transform_options(c))};
}
template <typename Call> Tensors perspective_transform(const Call& c) {
  return {ops::perspective_transform(c[0], c[1], c[2], perspective_transform_options(c))};
}
template <typename Call> Tensors elastic_transform(const Call& c) {
  return {ops::elastic_transform(c[0], elastic_transform_options(c))};
}
template <typename Call> Tensors gaussian_blur(const Call& c) {
  return {ops::gaussian_blur(c[0], gaussian_blur_options(c))};
}
template <typename Call> Tensors sobel_edges(const Call& c) {
  return {ops::sobel_edges(c[0], image_options(c))};
}
template <typename Call> Tensors pad_images(const Call& c) {
  return {ops::pad_images(c[0], pad_images_options(c))};
}
template <typename Call> Tensors crop_images(const Call& c) {
  return {ops::crop_images(c[0], crop_images_options(c))};
}
template <typename Call> Tensors extract_patches(const Call& c) {
  return {ops::extract_patches(c[0], c.template get<IntOrInts>("size"), extract_patches_options(c))};
}
template <typename Call> Tensors extract_patches_3d(const Call& c) {
  return {ops::extract_patches_3d(c[0], c.template get<IntOrInts>("size"), extract_patches_options(c))};
}
template <typename Call> Tensors ssim(const Call& c) { return {ops::ssim(c[0], c[1], ssim_options(c))}; }

}  // namespace cornu::inline v0::ops::calls
