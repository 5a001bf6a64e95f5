#include "cornu/tensor/ops/spectral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/arrays.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

using namespace internal;

/// The pair of real and imaginary parts in one dtype, f32 or f64.
std::array<Tensor, 2> complex_pair(const char* op, const TensorList& x, std::int64_t min_rank) {
  const std::span<const Tensor> parts = x.span();
  if (parts.size() != 2)
    invalid_argument({.argument = "x"}, "[{}] x must be a pair of real and imaginary parts; got {} tensors",
                     op, parts.size());
  if (parts[0].shape() != parts[1].shape() || parts[0].rank() < min_rank)
    invalid_argument({.argument = "x"},
                     "[{}] real and imaginary parts must have one shape of at least {} axes; got {} and {}",
                     op, min_rank, ir::shape_str(parts[0].shape()), ir::shape_str(parts[1].shape()));
  if (!ir::is_float(parts[0].dtype()) || !ir::is_float(parts[1].dtype()))
    invalid_argument({.argument = "x"}, "[{}] real and imaginary parts must be floats; got {} and {}", op,
                     ir::numpy_name(parts[0].dtype()), ir::numpy_name(parts[1].dtype()));
  const DType dtype = accumulation_dtype(promote(parts[0], parts[1]));
  return {as_dtype(parts[0], dtype), as_dtype(parts[1], dtype)};
}

/// A transform of complex numbers to complex numbers along the last `num_axes` axes.
std::vector<Tensor> transformed(const char* op, const TensorList& x, FftType type, std::int64_t num_axes) {
  const std::array<Tensor, 2> parts = complex_pair(op, x, num_axes);
  const Dims lengths(parts[0].shape().end() - num_axes, parts[0].shape().end());
  return run_op_many(OpKey(op, lengths), parts, [&](ir::Builder& b, Values v) {
    const ir::Value result = fft(b, complex(b, v[0], v[1]), type, lengths);
    return std::vector<ir::Value>{real(b, result), imag(b, result)};
  });
}

/// Lines of `size` elements: the first ones, or all and zeros.
Tensor resized_lines(const Tensor& x, std::int64_t size) {
  const std::int64_t given = x.shape().back();
  if (given == size) return x;
  if (given > size) {
    Dims shape = x.shape();
    shape.back() = size;
    return slice(x, Dims(shape.size(), 0), shape);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(x.rank()), {0, 0});
  widths.back().second = size - given;
  return pad(x, widths);
}

void check_positive(const char* op, const char* argument, std::int64_t value) {
  if (value < 1)
    invalid_argument({.argument = argument}, "[{0}] {1} must be positive; got {1} = {2}", op, argument,
                     value);
}

/// The lengths of the sequences of a transform.
struct Sequences {
  std::int64_t length, stride, fft_length;
};

void check_sequence_lengths(const char* op, const Sequences& sequences) {
  check_positive(op, "sequence_length", sequences.length);
  check_positive(op, "sequence_stride", sequences.stride);
  if (sequences.fft_length < sequences.length)
    invalid_argument({.argument = "fft_length"},
                     "[{}] fft_length must be at least sequence_length; got fft_length = {} and "
                     "sequence_length = {}",
                     op, sequences.fft_length, sequences.length);
}

/// One period of the window, with zeros around it up to fft_length; ones without a window.
std::vector<double> window_of(const char* op, std::string_view name, const Sequences& sequences) {
  if (name.empty()) return std::vector<double>(static_cast<std::size_t>(sequences.fft_length), 1.0);
  if (name != "hann" && name != "hamming")
    invalid_argument({.argument = "window"},
                     "[{}] window must be \"hann\", \"hamming\" or \"\"; got window = \"{}\"", op, name);
  const double mean = name == "hann" ? 0.5 : 0.54;
  std::vector<double> window(static_cast<std::size_t>(sequences.fft_length), 0.0);
  const std::int64_t begin = (sequences.fft_length - sequences.length) / 2;
  for (std::int64_t i = 0; i < sequences.length; ++i) {
    const double turn = static_cast<double>(i) / static_cast<double>(sequences.length);
    const double value = mean - (1 - mean) * std::cos(2 * std::numbers::pi * turn);
    window[static_cast<std::size_t>(begin + i)] = sequences.length == 1 ? 1.0 : value;
  }
  return window;
}

Tensor host_vector(const std::vector<double>& values, DType dtype) {
  const auto size = static_cast<std::int64_t>(values.size());
  if (dtype == DType::kF64) return Tensor::adopt({size}, values);
  return Tensor::adopt({size}, std::vector<float>(values.begin(), values.end()));
}

/// The sums of sequences [..., count, size] that begin `stride` apart: [..., size + (count - 1) * stride].
/// Each sequence is split into parts of `stride` elements; those at the same position of their sequences are moved by as
/// many parts, so few tensors are added.
Tensor overlap_add(const Tensor& sequences, std::int64_t stride) {
  const Dims& dims = sequences.shape();
  const std::int64_t size = dims.back(), count = dims[dims.size() - 2];
  const std::int64_t num_parts = (size + stride - 1) / stride, length = size + (count - 1) * stride;
  const Tensor whole =
      pad(reshape(sequences, {-1, count, size}), {{0, 0}, {0, 0}, {0, num_parts * stride - size}});
  const std::vector<Tensor> parts = unstack(reshape(whole, {-1, count, num_parts, stride}), 2);
  Tensor sum;
  for (std::int64_t i = 0; i < num_parts; ++i) {
    const Tensor moved = pad(parts[static_cast<std::size_t>(i)], {{0, 0}, {i, num_parts - 1 - i}, {0, 0}});
    sum = i == 0 ? moved : sum + moved;
  }
  const Tensor line = reshape(sum, {-1, (count + num_parts - 1) * stride});
  Dims shape(dims.begin(), dims.end() - 2);
  shape.push_back(length);
  return reshape(slice(line, {0, 0}, {line.shape()[0], length}), shape);
}

/// 1 / the sums of the squared windows; 1 where they are 0.
std::vector<double> window_scale(const std::vector<double>& window, std::int64_t count, std::int64_t stride) {
  const auto size = static_cast<std::int64_t>(window.size());
  std::vector<double> scale(static_cast<std::size_t>(size + (count - 1) * stride), 0.0);
  for (std::int64_t k = 0; k < count; ++k)
    for (std::int64_t i = 0; i < size; ++i) {
      const double value = window[static_cast<std::size_t>(i)];
      scale[static_cast<std::size_t>(k * stride + i)] += value * value;
    }
  for (double& value : scale) value = value > 1e-10 ? 1 / value : 1;
  return scale;
}

}  // namespace

std::vector<Tensor> fft(const TensorList& x) { return transformed("fft", x, FftType::kFft, 1); }
std::vector<Tensor> fft2(const TensorList& x) { return transformed("fft2", x, FftType::kFft, 2); }
std::vector<Tensor> ifft2(const TensorList& x) { return transformed("ifft2", x, FftType::kIfft, 2); }

std::vector<Tensor> rfft(const Tensor& x, const FftLengthOptions& options) {
  if (x.rank() < 1) invalid_argument("[rfft] x must have at least one axis; got a scalar");
  const std::int64_t length = options.fft_length.value_or(x.shape().back());
  check_positive("rfft", "fft_length", length);
  const Tensor given = as_float(x);
  const std::array lines = {resized_lines(as_dtype(given, accumulation_dtype(given.dtype())), length)};
  return run_op_many(OpKey("rfft", length), lines, [&](ir::Builder& b, Values v) {
    const ir::Value result = fft(b, v[0], FftType::kRfft, {length});
    return std::vector<ir::Value>{real(b, result), imag(b, result)};
  });
}

Tensor irfft(const TensorList& x, const FftLengthOptions& options) {
  const std::array<Tensor, 2> parts = complex_pair("irfft", x, 1);
  const std::int64_t length = options.fft_length.value_or(2 * (parts[0].shape().back() - 1));
  check_positive("irfft", "fft_length", length);
  const std::array lines = {resized_lines(parts[0], length / 2 + 1), resized_lines(parts[1], length / 2 + 1)};
  return run_op(OpKey("irfft", length), lines, [&](ir::Builder& b, Values v) {
    return fft(b, complex(b, v[0], v[1]), FftType::kIrfft, {length});
  });
}

std::vector<Tensor> stft(const Tensor& x, std::int64_t sequence_length, std::int64_t sequence_stride,
                         std::int64_t fft_length, const StftOptions& options) {
  const Sequences sequences = {sequence_length, sequence_stride, fft_length};
  check_sequence_lengths("stft", sequences);
  if (x.rank() < 1 || (x.dtype() != DType::kF32 && x.dtype() != DType::kF64))
    invalid_argument({.argument = "x"}, "[stft] x must be signals of float32 or float64; got {}",
                     type_str(x.type()));
  const std::vector<double> window = window_of("stft", options.window, sequences);
  Tensor signal = x;
  if (options.center) {
    std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(x.rank()), {0, 0});
    widths.back() = {fft_length / 2, fft_length / 2};
    signal = pad(x, widths, {.mode = "reflect"});
  }
  if (signal.shape().back() < fft_length)
    invalid_argument({.argument = "fft_length"},
                     "[stft] a signal must have at least fft_length = {} numbers; got x of shape {}",
                     fft_length, ir::shape_str(x.shape()));
  const Tensor parts = extract_sequences(signal, fft_length, sequence_stride);
  return rfft(options.window.empty() ? parts : parts * host_vector(window, x.dtype()));
}

Tensor istft(const TensorList& x, std::int64_t sequence_length, std::int64_t sequence_stride,
             std::int64_t fft_length, const IstftOptions& options) {
  const Sequences sequences = {sequence_length, sequence_stride, fft_length};
  check_sequence_lengths("istft", sequences);
  const std::array<Tensor, 2> given = complex_pair("istft", x, 2);
  const std::vector<double> window = window_of("istft", options.window, sequences);
  const Dims& dims = given[0].shape();
  const std::int64_t count = dims[dims.size() - 2];
  check_positive("istft", "the number of sequences", count);
  const DType dtype = given[0].dtype();
  Tensor lines = irfft(given, {.fft_length = fft_length});
  lines = options.window.empty()
              ? lines * (static_cast<double>(fft_length) / static_cast<double>(sequence_stride))
              : lines * host_vector(window, dtype);
  const Tensor signal =
      overlap_add(lines, sequence_stride) * host_vector(window_scale(window, count, sequence_stride), dtype);
  const std::int64_t size = signal.shape().back(), border = options.center ? fft_length / 2 : 0;
  if (options.length && *options.length < 0)
    invalid_argument({.argument = "length"}, "[istft] length must not be negative; got length = {}",
                     *options.length);
  const std::int64_t end = options.length ? std::min(size, border + *options.length) : size - border;
  Dims start(signal.shape().size(), 0), shape = signal.shape();
  start.back() = std::min(border, size);
  shape.back() = std::max<std::int64_t>(end - start.back(), 0);
  return slice(signal, start, shape);
}

Tensor view_as_complex(const Tensor& x) {
  if (x.rank() < 1 || x.shape().back() != 2 || ir::is_complex(x.dtype()))
    invalid_argument({.argument = "x"}, "[view_as_complex] x must be pairs of real numbers [..., 2]; got {}",
                     type_str(x.type()));
  const Tensor given = as_float(x);
  const std::vector<Tensor> parts = unstack(as_dtype(given, accumulation_dtype(given.dtype())), -1);
  return run_op(OpKey("view_as_complex"), parts,
                [](ir::Builder& b, Values v) { return complex(b, v[0], v[1]); });
}

Tensor polar(const Tensor& abs, const Tensor& angle) {
  return view_as_complex(stack({abs * cos(angle), abs * sin(angle)}, -1));
}

Tensor view_as_real(const Tensor& x) { return stack({real(x), imag(x)}, -1); }

Tensor real(const Tensor& x) {
  if (!ir::is_complex(x.dtype())) return x;
  return unary("real", x, [](ir::Builder& b, ir::Value v) { return real(b, v); });
}
Tensor imag(const Tensor& x) {
  if (!ir::is_complex(x.dtype())) return zeros_like(x);
  return unary("imag", x, [](ir::Builder& b, ir::Value v) { return imag(b, v); });
}
Tensor conjugate(const Tensor& x) {
  if (!ir::is_complex(x.dtype())) return x;
  return unary("conjugate", x, [](ir::Builder& b, ir::Value v) { return conjugate(b, v); });
}
Tensor conj(const Tensor& x) { return conjugate(x); }
Tensor angle(const Tensor& x) {
  const Tensor given = ir::is_complex(x.dtype()) ? x : as_float(x);
  return arctan2(imag(given), real(given));
}
Tensor isreal(const Tensor& x) { return equal(imag(x), 0); }

}  // namespace cornu::inline v0::ops
