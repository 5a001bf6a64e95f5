#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

enum class FftType { kFft, kIfft, kRfft, kIrfft };

/// StableHLO's name: "FFT", "IFFT", "RFFT", "IRFFT".
std::string_view fft_type_name(FftType type);

/// Discrete Fourier transform along the last dimensions.
///
/// Semantics: along each transformed dimension of n elements, result[k] = sum over j of
///            operand[j] e^(-2 pi i j k / n); the inverse has +2 pi and divides by n. RFFT takes real numbers
///            and returns the first n / 2 + 1 results along the last dimension, which determine the others;
///            IRFFT is its inverse, for which `fft_length` gives the last extent.
/// Shapes:    operand: [batch..., d...]; result: the same, but the last extent n of RFFT's operand and of
///            IRFFT's result is n / 2 + 1 on the complex side.
/// Types:     FFT, IFFT: complex; RFFT: f32, f64 to complex; IRFFT: complex to f32, f64.
/// Errors:    InvalidArgument when
///            (C1) fft_length has more entries than the operand dimensions,
///            (C2) the operand's dtype does not fit fft_type,
///            (C3) fft_length has no entry or more than 3,
///            (C4) the operand of RFFT does not end in fft_length,
///            (C5) the operand of FFT, IFFT or IRFFT does not end in the extents that fft_length gives.
/// Gradient:  the transform is linear: FFT and IFFT are their own gradients (the matrix is symmetric).
/// Source:    StableHLO specification, fft.
ir::Value fft(ir::Builder& b, ir::Value operand, FftType type, ir::Dims fft_length);

/// The transform on interleaved complex numbers, a composite: complex tensors of shape [d...] are real ones of shape
/// [d..., 2].
ir::Value fft_parts(ir::Builder& b, ir::Value operand, FftType type, ir::Dims fft_length);

/// Attributes of an fft or a cornu.fft_parts op.
FftType fft_type(const ir::Op& op);
const ir::Dims& fft_length(const ir::Op& op);

namespace fft_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
