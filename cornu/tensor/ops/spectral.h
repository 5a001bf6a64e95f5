#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/tensor.h"

/// Fourier transforms, and parts of complex numbers, under their names in keras.ops.
///
/// As in Keras, the transforms take and return complex numbers as a pair {real part, imaginary part} of
/// tensors of one shape.
/// Types:     f32 and f64. rfft converts other numbers to f32.
/// Errors:    InvalidArgument with the function's name and the shapes.
namespace cornu::inline v0::ops {

/// The discrete Fourier transform along the last axis: [..., n] -> [..., n].
/// Errors: InvalidArgument unless x is a pair of floats of one shape with at least one axis.
std::vector<Tensor> fft(const TensorList& x);
/// The discrete Fourier transform along the last two axes.
std::vector<Tensor> fft2(const TensorList& x);
/// The inverse of fft2.
std::vector<Tensor> ifft2(const TensorList& x);

struct FftLengthOptions {  // options/ops.toml
  /// Number of real numbers of a line; unset: it follows from the last extent.
  std::optional<std::int64_t> fft_length = {};
};
/// The Fourier transform of real numbers along the last axis: [..., n] -> {[..., n / 2 + 1], the same}.
/// Lines are cut off or filled up with zeros to fft_length. The other half of the transform is the conjugate of this one.
/// Errors: InvalidArgument for a scalar, and unless fft_length is positive.
std::vector<Tensor> rfft(const Tensor& x, const FftLengthOptions& options = {});
/// The inverse of rfft: {[..., n / 2 + 1], the same} -> [..., n]; without fft_length, n is even.
/// Errors: InvalidArgument unless x is a pair of floats of one shape, and fft_length is positive.
Tensor irfft(const TensorList& x, const FftLengthOptions& options = {});

struct StftOptions {  // options/ops.toml
  /// Window that sequences are multiplied by: "hann", "hamming", or "" for none.
  std::string_view window = "hann";
  /// True: x is extended on both sides by its reflection, so that sequence t is centered at t *
  /// sequence_stride.
  bool center = true;
};
/// Fourier transforms of overlapping sequences of a signal: [..., n] -> {[..., sequences, fft_length / 2 + 1], the same}.
/// A window that is shorter than fft_length is in the middle of the sequence.
/// Errors: InvalidArgument unless x is f32 or f64, 0 < sequence_length <= fft_length, and the signal has a sequence.
std::vector<Tensor> stft(const Tensor& x, std::int64_t sequence_length, std::int64_t sequence_stride,
                         std::int64_t fft_length, const StftOptions& options = {});
struct IstftOptions {  // options/ops.toml
  /// Length of the signal; unset: as many numbers as the sequences cover.
  std::optional<std::int64_t> length = {};
  /// Window that sequences are multiplied by: "hann", "hamming", or "" for none.
  std::string_view window = "hann";
  /// True: the reflections that stft added are left out.
  bool center = true;
};
/// The signal of which these are Fourier transforms: {[..., sequences, fft_length / 2 + 1], the same} -> [..., n].
/// Sequences are multiplied by the window and added; the sum is divided by that of the squared windows.
/// Without a window Keras multiplies by fft_length / sequence_stride, and so does this function.
/// Errors: InvalidArgument unless x is a pair of floats of one shape with 2 axes, and the lengths fit.
Tensor istft(const TensorList& x, std::int64_t sequence_length, std::int64_t sequence_stride,
             std::int64_t fft_length, const IstftOptions& options = {});

/// Complex numbers of pairs along the last axis: [..., 2] -> [...], complex64 or complex128.
/// Errors: InvalidArgument unless x is real with a last extent of 2.
Tensor view_as_complex(const Tensor& x);
/// The complex numbers abs * (cos(angle) + i sin(angle)), complex64 or complex128.
Tensor polar(const Tensor& abs, const Tensor& angle);
/// The real and the imaginary part along a new last axis: [...] -> [..., 2].
Tensor view_as_real(const Tensor& x);
/// The real part; x itself if it is real.
Tensor real(const Tensor& x);
/// The imaginary part; zeros if x is real.
Tensor imag(const Tensor& x);
/// The complex conjugate; x itself if it is real.
Tensor conjugate(const Tensor& x);
/// conjugate.
Tensor conj(const Tensor& x);
/// The angle in the complex plane in radians; of real numbers 0, or pi for negative ones.
Tensor angle(const Tensor& x);
/// True where the imaginary part is 0.
Tensor isreal(const Tensor& x);

}  // namespace cornu::inline v0::ops
