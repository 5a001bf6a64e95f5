#include "cornu/ops/fft/fft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace fft_folder {
namespace {

using Complex = std::complex<double>;

constexpr std::array<std::string_view, 4> kTypes = {"FFT", "IFFT", "RFFT", "IRFFT"};

FftType read_type(const ir::Attributes& attributes) {
  const auto& name = attributes.get<std::string>("fft_type");
  const auto found = std::find(kTypes.begin(), kTypes.end(), name);
  if (found == kTypes.end())
    invalid_argument("(I2) fft_type must be one of {}; got \"{}\"", fmt::join(kTypes, ", "), name);
  return static_cast<FftType>(found - kTypes.begin());
}

std::int64_t half_extent(std::int64_t extent) { return extent == 0 ? 0 : extent / 2 + 1; }

/// The extents of the result for the operand's.
ir::Dims result_dims(const ir::TensorType& operand, FftType type, const ir::Dims& length) {
  if (length.empty() || length.size() > 3)
    invalid_argument("(C3) fft_length must have 1 to 3 entries; got {}", length.size());
  if (length.size() > operand.dims.size())
    invalid_argument("(C1) fft_length {} has more entries than {} dimensions", length, operand.str());
  ir::Dims expected = length;
  if (type == FftType::kIrfft) expected.back() = half_extent(length.back());
  if (!std::equal(expected.rbegin(), expected.rend(), operand.dims.rbegin()))
    invalid_argument("({}) the operand of {} with fft_length {} must end in the extents {}; got {}",
                     type == FftType::kRfft ? "C4" : "C5", fft_type_name(type), length, expected,
                     operand.str());
  ir::Dims dims = operand.dims;
  if (type == FftType::kRfft) dims.back() = half_extent(length.back());
  if (type == FftType::kIrfft) dims.back() = length.back();
  return dims;
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const FftType type = read_type(context.attributes);
  const ir::TensorType& operand = context.type(0);
  const bool is_real = operand.dtype == ir::DType::kF32 || operand.dtype == ir::DType::kF64;
  if (type == FftType::kRfft ? !is_real : !ir::is_complex(operand.dtype))
    invalid_argument("(C2) the operand of {} must be of {}; got {}", fft_type_name(type),
                     type == FftType::kRfft ? "f32 or f64" : "complex numbers", operand.str());
  ir::DType dtype = operand.dtype;
  if (type == FftType::kRfft) dtype = ir::complex_dtype(dtype);
  if (type == FftType::kIrfft) dtype = ir::real_dtype(dtype);
  return {{dtype, result_dims(operand, type, context.attributes.get<ir::Dims>("fft_length"))}};
}

/// The transform of one line by definition.
std::vector<Complex> transformed(const std::vector<Complex>& line, bool inverse) {
  const std::size_t n = line.size();
  std::vector<Complex> roots(n), result(n);
  for (std::size_t k = 0; k < n; ++k)
    roots[k] = std::polar(
        1.0, (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t at = 0;  // j k modulo n
    for (std::size_t j = 0; j < n; ++j, at = (at + k) % n) result[k] += line[j] * roots[at];
    if (inverse) result[k] /= static_cast<double>(n);
  }
  return result;
}

/// A tensor of complex numbers while its dimensions are transformed.
struct Work {
  ir::Dims dims;
  std::vector<Complex> values;

  /// Replaces each line along `dimension` by `change(line)`, whose results have `extent` elements.
  template <typename F>
  void change_lines(std::size_t dimension, std::int64_t extent, const F& change) {
    std::int64_t inner = 1;
    for (std::size_t d = dimension + 1; d < dims.size(); ++d) inner *= dims[d];
    const std::int64_t before = dims[dimension];
    const std::int64_t outer =
        before * inner == 0 ? 0 : static_cast<std::int64_t>(values.size()) / (before * inner);
    std::vector<Complex> changed(static_cast<std::size_t>(outer * extent * inner));
    std::vector<Complex> line(static_cast<std::size_t>(before));
    for (std::int64_t i = 0; i < outer * inner; ++i) {
      const std::int64_t o = i / inner, at = i % inner;
      for (std::int64_t k = 0; k < before; ++k)
        line[static_cast<std::size_t>(k)] = values[static_cast<std::size_t>((o * before + k) * inner + at)];
      const std::vector<Complex> result = change(line);
      for (std::int64_t k = 0; k < extent; ++k)
        changed[static_cast<std::size_t>((o * extent + k) * inner + at)] =
            result[static_cast<std::size_t>(k)];
    }
    values = std::move(changed);
    dims[dimension] = extent;
  }
};

/// All n elements of the half that a real line's transform is given by.
std::vector<Complex> whole_line(const std::vector<Complex>& half, std::size_t n) {
  std::vector<Complex> whole(n);
  for (std::size_t k = 0; k < n; ++k) whole[k] = k < half.size() ? half[k] : std::conj(half[n - k]);
  whole[0] = whole[0].real();  // as the transform of real numbers has it
  if (n % 2 == 0) whole[n / 2] = whole[n / 2].real();
  return whole;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const FftType type = fft_type(context.op);
  const ir::Dims& length = fft_length(context.op);
  const ir::Literal& x = context.operands[0];
  Work work{x.type().dims, std::vector<Complex>(static_cast<std::size_t>(x.type().num_elements()))};
  for (std::size_t i = 0; i < work.values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    work.values[i] = type == FftType::kRfft ? Complex(x.at(at)) : ir::complex_at(x, at);
  }
  ir::Literal result(context.op.result().type());
  if (result.type().num_elements() == 0) return {result};
  const bool inverse = type == FftType::kIfft || type == FftType::kIrfft;
  const std::size_t last = work.dims.size() - 1;
  const auto transform = [inverse](const std::vector<Complex>& line) { return transformed(line, inverse); };
  if (type == FftType::kRfft) work.change_lines(last, result.type().dims.back(), transform);
  const bool is_real = type == FftType::kRfft || type == FftType::kIrfft;
  for (std::size_t i = is_real ? 1 : 0; i < length.size(); ++i)
    work.change_lines(last - i, work.dims[last - i], transform);
  const auto n = static_cast<std::size_t>(length.back());
  if (type == FftType::kIrfft)
    work.change_lines(last, length.back(),
                      [&](const std::vector<Complex>& half) { return transform(whole_line(half, n)); });
  for (std::size_t i = 0; i < work.values.size(); ++i) {
    if (type == FftType::kIrfft && result.type().dtype == ir::DType::kF32)
      result.mutable_data<float>()[i] = static_cast<float>(work.values[i].real());
    else if (type == FftType::kIrfft)
      result.mutable_data<double>()[i] = work.values[i].real();
    else
      ir::visit_complex_dtype(result.type().dtype, [&]<typename T>() {
        result.mutable_data<T>()[i] = static_cast<T>(work.values[i]);
      });
  }
  return {result};
}

/// Zeros at the end of the last dimension, or elements taken from there.
ir::Value resized(ir::Builder& b, ir::Value x, std::int64_t extent) {
  const std::int64_t more = extent - x.dims().back();
  if (more == 0) return x;
  ir::Dims none(x.dims().size(), 0), high = none;
  high.back() = more;
  return pad(b, x, full(b, {x.dtype(), {}}, 0), none, high, none);
}

/// The transpose of RFFT: its result's gradient, with zeros for the half that was cut off, transformed.
ir::Value rfft_gradient(ir::Builder& b, ir::Value g, const ir::Dims& length) {
  return real(b, fft(b, resized(b, g, length.back()), FftType::kFft, length));
}

/// The transpose of IRFFT: each element but the first and, if the length is even, the last of the last
/// dimension is in the result twice.
ir::Value irfft_gradient(ir::Builder& b, ir::Value g, const ir::Dims& length) {
  const std::int64_t n = length.back(), half = half_extent(n);
  std::int64_t count = 1;
  for (const std::int64_t extent : length) count *= extent;
  ir::Literal weights(ir::TensorType{g.dtype(), {half}});
  for (std::int64_t k = 0; k < half; ++k) {
    const double weight = (k == 0 || 2 * k == n ? 1.0 : 2.0) / static_cast<double>(count);
    const ir::Literal element = ir::Literal::scalar(g.dtype(), weight);
    std::copy(element.bytes().begin(), element.bytes().end(),
              weights.mutable_bytes().begin() + k * static_cast<std::ptrdiff_t>(element.bytes().size()));
  }
  const ir::Value spectrum = fft(b, g, FftType::kRfft, length);
  const ir::Value spread = broadcast_in_dim(b, constant(b, weights), spectrum.dims(), {spectrum.rank() - 1});
  return complex(b, multiply(b, real(b, spectrum), spread),
                 negate(b, multiply(b, imag(b, spectrum), spread)));
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return {g};
  ir::Builder& b = context.builder;
  const ir::Dims& length = fft_length(context.op);
  switch (fft_type(context.op)) {
    case FftType::kRfft: return {rfft_gradient(b, g, length)};
    case FftType::kIrfft: return {irfft_gradient(b, g, length)};
    default: return {fft(b, g, fft_type(context.op), length)};
  }
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("fft_length = array<i64: {}>, fft_type = #stablehlo<fft_type {}>",
                     fmt::join(fft_length(op), ", "), fft_type_name(fft_type(op)));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"fft_type", text.word({"fft_type", "type"})},
          {"fft_length", text.integers({"fft_length", "length"})}};
}

const ir::OpDef kFft = {.name = "fft",
                        .infer = infer,
                        .gradient = gradient,
                        .reference = reference,
                        .print_attributes = print_attributes,
                        .read_attributes = read_attributes};

std::vector<ir::TensorType> infer_parts(const ir::InferContext& context) {
  const FftType type = read_type(context.attributes);
  check_operands(context, 1);
  ir::TensorType operand = context.type(0);
  if (operand.dtype != ir::DType::kF32 && operand.dtype != ir::DType::kF64)
    invalid_argument("(C2) the operand must be of f32 or f64; got {}", operand.str());
  if (type != FftType::kRfft) {
    if (operand.rank() == 0 || operand.dims.back() != 2)
      invalid_argument("(I1) {} takes pairs of parts, [..., 2]; got {}", fft_type_name(type), operand.str());
    operand.dims.pop_back();
  }
  ir::TensorType result{operand.dtype,
                        result_dims(operand, type, context.attributes.get<ir::Dims>("fft_length"))};
  if (type != FftType::kIrfft) result.dims.push_back(2);
  return {result};
}

std::vector<ir::Value> decompose_parts(ir::Builder& b, std::span<const ir::Value> operands,
                                       const ir::Attributes& attributes) {
  const FftType type = read_type(attributes);
  ir::Value operand = operands[0];
  if (type != FftType::kRfft) {
    const std::vector<ir::Value> parts = split_parts(b, operand);
    operand = complex(b, parts[0], parts[1]);
  }
  const ir::Value result = fft(b, operand, type, attributes.get<ir::Dims>("fft_length"));
  return {type == FftType::kIrfft ? result : join_parts(b, real(b, result), imag(b, result))};
}

const ir::OpDef kParts = {.name = "cornu.fft_parts", .infer = infer_parts, .decompose = decompose_parts};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kFft, kParts>(); }

}  // namespace fft_folder

std::string_view fft_type_name(FftType type) { return fft_folder::kTypes[static_cast<std::size_t>(type)]; }

FftType fft_type(const ir::Op& op) { return fft_folder::read_type(op.attributes()); }
const ir::Dims& fft_length(const ir::Op& op) { return op.attributes().get<ir::Dims>("fft_length"); }

ir::Value fft(ir::Builder& b, ir::Value operand, FftType type, ir::Dims fft_length) {
  return b
      .create(fft_folder::kFft, {operand},
              {{"fft_type", std::string(fft_type_name(type))}, {"fft_length", std::move(fft_length)}})
      .result();
}

ir::Value fft_parts(ir::Builder& b, ir::Value operand, FftType type, ir::Dims fft_length) {
  return b
      .create(fft_folder::kParts, {operand},
              {{"fft_type", std::string(fft_type_name(type))}, {"fft_length", std::move(fft_length)}})
      .result();
}

}  // namespace cornu::inline v0::ops
