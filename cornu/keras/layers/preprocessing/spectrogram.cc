#include "cornu/keras/layers/preprocessing/spectrogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/conv.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/ops/spectral.h"

namespace cornu::inline v0::keras::layers {
namespace {

class STFTSpectrogramLayer : public SpatialLayer {
 public:
  explicit STFTSpectrogramLayer(const STFTSpectrogramOptions& options)
      : SpatialLayer(layer_settings("STFTSpectrogram", options), 1, options.data_format), options_(options) {
    choice_option("mode", options.mode, {"log", "magnitude", "psd", "real", "imag", "angle", "stft"});
    choice_option("padding", options.padding, {"valid", "same"});
    check_positive("frame_length", options.frame_length);
    step_ = options.frame_step.value_or(options.frame_length / 2);
    if (step_ < 1 || step_ > options.frame_length)
      option_error("frame_step", fmt::format("must be in [1, frame_length = {}]", options.frame_length),
                   fmt::format("{}", step_));
    const std::int64_t fft_length = options.fft_length.value_or(
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(options.frame_length))));
    if (fft_length < options.frame_length)
      option_error("fft_length", fmt::format("must be at least frame_length = {}", options.frame_length),
                   fmt::format("{}", fft_length));
    num_frequencies_ = fft_length / 2 + 1;
    kernel("real");  // checks window and scaling
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    const std::int64_t batch = input_shape.at(0), signals = channels(input_shape);
    const std::int64_t frames = count_windows(input_shape, {options_.frame_length}, {step_},
                                              options_.padding == "same", "a frame")[0];
    const std::int64_t frequencies = num_frequencies_ * (options_.mode == "stft" ? 2 : 1);
    if (options_.expand_dims)
      return is_channels_first() ? Dims{batch, signals, frames, frequencies}
                                 : Dims{batch, frames, frequencies, signals};
    const std::int64_t features = signals == kUnknown ? kUnknown : signals * frequencies;
    return is_channels_first() ? Dims{batch, features, frames} : Dims{batch, frames, features};
  }

 protected:
  DType output_dtype(DType) const override { return compute_dtype(); }
  void build(const Dims&) override {
    if (has_real()) real_kernel_ = add_kernel("real_kernel", "real");
    if (has_imag()) imag_kernel_ = add_kernel("imag_kernel", "imag");
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    const std::string& mode = options_.mode;
    const Tensor signals = ops::cast(input, compute_dtype());
    const Tensor real = has_real() ? transformed(signals, real_kernel_) : Tensor(),
                 imag = has_imag() ? transformed(signals, imag_kernel_) : Tensor();
    if (mode == "real") return arranged(real);
    if (mode == "imag") return arranged(imag);
    if (mode == "angle") return arranged(ops::arctan2(imag, real));
    if (mode == "stft") return arranged(ops::concatenate({real, imag}, 2));
    const Tensor power = ops::square(real) + ops::square(imag);
    if (mode == "psd") return arranged(power + inner_frequencies(power));
    const double least = cornu::detail::small_number();
    const Tensor magnitude = arranged(ops::sqrt(ops::maximum(power, least)));
    return mode == "magnitude" ? magnitude : ops::log(ops::maximum(magnitude, least));
  }

 private:
  bool has_real() const { return options_.mode != "imag"; }
  bool has_imag() const { return options_.mode != "real"; }

  initializers::STFT kernel(const char* side) const {
    return initializers::STFT({.side = side,
                               .window = options_.window,
                               .scaling = options_.scaling,
                               .periodic = options_.periodic});
  }
  Variable add_kernel(const char* name, const char* side) {
    return add_weight(
        {.name = name, .shape = {options_.frame_length, 1, num_frequencies_}, .initializer = kernel(side)});
  }

  /// Signals as frames: [batch, channels, frequencies, frames].
  Tensor transformed(const Tensor& signals, const Variable& weight) const {
    const std::int64_t num_channels = channels(signals.shape()), time = spatial(signals.shape(), 0);
    const Tensor lines = is_channels_first() ? signals : ops::transpose(signals, {0, 2, 1});
    const Tensor frames =
        ops::conv(ops::reshape(lines, {-1, time, 1}), ops::cast(weight.value(), signals.dtype()),
                  {.strides = step_, .padding = options_.padding, .data_format = "channels_last"});
    const Tensor by_frequency = ops::transpose(frames, {0, 2, 1});
    return ops::reshape(by_frequency,
                        {signals.shape()[0], num_channels, num_frequencies_, by_frequency.shape()[2]});
  }

  /// The frequencies without the first and the last one, which have no conjugate; else zeros.
  static Tensor inner_frequencies(const Tensor& power) {
    const Dims& shape = power.shape();
    const std::int64_t inner = std::max<std::int64_t>(shape[2] - 2, 0);
    const std::int64_t after = shape[2] - inner - 1;
    return ops::pad(ops::slice(power, {0, 0, 1, 0}, {shape[0], shape[1], inner, shape[3]}),
                    {{0, 0}, {0, 0}, {1, after}, {0, 0}});
  }

  /// The layer's output of [batch, channels, frequencies, frames].
  Tensor arranged(const Tensor& x) const {
    if (options_.expand_dims)
      return ops::transpose(x, is_channels_first() ? Dims{0, 1, 3, 2} : Dims{0, 3, 2, 1});
    const Dims& shape = x.shape();
    const Tensor joined = ops::reshape(x, {shape[0], shape[1] * shape[2], shape[3]});
    return is_channels_first() ? joined : ops::transpose(joined, {0, 2, 1});
  }

  STFTSpectrogramOptions options_;
  std::int64_t step_ = 0, num_frequencies_ = 0;
  Variable real_kernel_, imag_kernel_;
};

constexpr double kMelBreakHertz = 700.0, kMelFactor = 1127.0;  // of the natural logarithm

double mel_of(double hertz) { return kMelFactor * std::log(1.0 + hertz / kMelBreakHertz); }

/// Weights [num_frequencies, num_bins] of triangles on the mel scale; the first frequency, 0, has none.
std::vector<float> mel_weights(std::int64_t num_frequencies, std::int64_t num_bins, double nyquist,
                               double lower, double upper) {
  std::vector<float> weights(static_cast<std::size_t>(num_frequencies * num_bins));
  const double first = mel_of(lower), step = (mel_of(upper) - first) / static_cast<double>(num_bins + 1);
  for (std::int64_t i = 1; i < num_frequencies; ++i) {
    const double mel = mel_of(nyquist * static_cast<double>(i) / static_cast<double>(num_frequencies - 1));
    for (std::int64_t bin = 0; bin < num_bins; ++bin) {
      const double rising = (mel - first) / step - static_cast<double>(bin);
      weights[static_cast<std::size_t>(i * num_bins + bin)] =
          static_cast<float>(std::max(0.0, std::min(rising, 2.0 - rising)));
    }
  }
  return weights;
}

MelSpectrogramOptions resolved(MelSpectrogramOptions options) {
  if (options.sequence_length.value_or(0) == 0) options.sequence_length = options.fft_length;
  if (options.max_freq.value_or(0) == 0) options.max_freq = static_cast<double>(options.sampling_rate / 2);
  return options;
}

class MelSpectrogramLayer : public Layer, public RowsTogether {
 public:
  explicit MelSpectrogramLayer(const MelSpectrogramOptions& options)
      : Layer(layer_settings("MelSpectrogram", options)), options_(options) {
    const auto positive = [&](const char* option, std::int64_t value) {
      if (value < 1) option_error(option, "must be positive", fmt::format("{}", value));
    };
    positive("fft_length", options.fft_length);
    positive("sequence_stride", options.sequence_stride);
    positive("sequence_length", *options.sequence_length);
    positive("sampling_rate", options.sampling_rate);
    positive("num_mel_bins", options.num_mel_bins);
    if (options.fft_length < *options.sequence_length)
      option_error("fft_length",
                   fmt::format("must be at least sequence_length = {}", *options.sequence_length),
                   fmt::format("{}", options.fft_length));
    if (!options.window.empty() && options.window != "hann" && options.window != "hamming")
      option_error("window", "must be \"hann\", \"hamming\" or empty", fmt::format("\"{}\"", options.window));
    set_input_spec({.min_ndim = 1, .max_ndim = 2});
    set_type_rule(TypeRule::kCast);
  }

  bool takes_rows_together() const override { return options_.power_to_db; }

  Dims compute_output_shape(const Dims& input_shape) const override {
    const std::int64_t time = input_shape.back();
    const std::int64_t border = options_.fft_length / 2;
    const std::int64_t frames =
        time == kUnknown ? kUnknown
                         : 1 + (time + 2 * border - options_.fft_length) / options_.sequence_stride;
    Dims shape(input_shape.begin(), input_shape.end() - 1);
    shape.insert(shape.end(), {options_.num_mel_bins, frames});
    return shape;
  }

 protected:
  void build(const Dims&) override {}
  Tensor call(const Tensor& input, const CallContext& context) override {
    if (options_.power_to_db)
      context.rows.require_exact(fmt::format("layer \"{}\" compares with the largest of a batch", name()));
    const DType dtype = compute_dtype() == DType::kF64 ? DType::kF64 : DType::kF32;
    const std::vector<Tensor> parts =
        ops::stft(ops::cast(input, dtype), *options_.sequence_length, options_.sequence_stride,
                  options_.fft_length, {.window = options_.window});
    const Tensor squares = ops::square(parts[0]) + ops::square(parts[1]);
    const Tensor spectrum = options_.mag_exp == 2 ? squares : ops::power(squares, options_.mag_exp / 2);
    const std::int64_t num_frequencies = spectrum.shape().back();
    const Tensor weights = Tensor::adopt(
        {num_frequencies, options_.num_mel_bins},
        mel_weights(num_frequencies, options_.num_mel_bins, static_cast<double>(options_.sampling_rate) / 2,
                    options_.min_freq, *options_.max_freq));
    Tensor bands = ops::tensordot(spectrum, ops::cast(weights, dtype), 1);
    if (options_.power_to_db) bands = decibels(bands);
    return ops::cast(ops::swapaxes(bands, -1, -2), compute_dtype());
  }

 private:
  Tensor decibels(const Tensor& bands) const {
    const double reference = 10.0 * std::log10(std::max(std::fabs(options_.ref_power), options_.min_power));
    const Tensor power = ops::log10(ops::maximum(bands, options_.min_power)) * 10.0 - reference;
    return ops::maximum(power, ops::max(power) - options_.top_db);
  }

  MelSpectrogramOptions options_;
};

}  // namespace

STFTSpectrogram::STFTSpectrogram(STFTSpectrogramOptions options)
    : LayerHandle(std::make_shared<STFTSpectrogramLayer>(options)) {}
MelSpectrogram::MelSpectrogram(MelSpectrogramOptions options)
    : LayerHandle(std::make_shared<MelSpectrogramLayer>(resolved(std::move(options)))) {}

}  // namespace cornu::inline v0::keras::layers
