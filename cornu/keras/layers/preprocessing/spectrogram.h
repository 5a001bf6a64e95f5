#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct STFTSpectrogramOptions {  // options/layers.toml
  /// Output: "log", the logarithm of the magnitude, "magnitude", "psd", the power spectral density, "real",
  /// "imag", "angle", or "stft", the real parts before the imaginary ones.
  std::string mode = "log";
  /// Length of a frame in samples; must be positive.
  std::int64_t frame_length = 256;
  /// Samples from the beginning of a frame to that of the next; unset: half of frame_length.
  std::optional<std::int64_t> frame_step = {};
  /// Length of the Fourier transform; unset: the power of 2 that is not below frame_length.
  std::optional<std::int64_t> fft_length = {};
  /// Window by its name in SciPy, as of initializers::STFT; unset: none.
  std::optional<std::string> window = "hann";
  /// True: the window of a periodic signal; false: a symmetric one.
  bool periodic = false;
  /// Divisor of the window w: "density" for the root of sum(w * w), "spectrum" for sum(abs(w)); unset: 1.
  std::optional<std::string> scaling = "density";
  /// "valid": only whole frames; "same": the output has ceil(time / frame_step) frames.
  std::string padding = "valid";
  /// True: the output has an axis for the frequencies and one for the channels.
  bool expand_dims = false;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(STFTSpectrogramOptions, mode, frame_length, frame_step, fft_length, window, periodic, scaling,
             padding, expand_dims, data_format, name, trainable, dtype, input_shape)

/// The short-time Fourier transform of signals, by convolutions with trained kernels that begin as the
/// transform's (initializers::STFT). Each channel is transformed alone.
///
/// Shapes:  [batch, time, channels] -> [batch, frames, channels * frequencies], or with expand_dims [batch,
///          frames, frequencies, channels]; frequencies are fft_length / 2 + 1, twice as many with mode
///          "stft". With data_format "channels_first" the channels are axis 1.
/// Errors:  InvalidArgument unless 1 <= frame_step <= frame_length <= fft_length, for an unknown mode,
///          scaling, padding or window, and for signals shorter than a frame with padding "valid".
class STFTSpectrogram : public LayerHandle {
 public:
  explicit STFTSpectrogram(STFTSpectrogramOptions options = {});
  explicit STFTSpectrogram(NoOptions) : STFTSpectrogram() {}
};

struct MelSpectrogramOptions {  // options/layers.toml
  /// Length of the Fourier transform; must be positive.
  std::int64_t fft_length = 2048;
  /// Samples from the beginning of a sequence to that of the next; must be positive.
  std::int64_t sequence_stride = 512;
  /// Length of the window in samples, at most fft_length; unset: fft_length.
  std::optional<std::int64_t> sequence_length = {};
  /// Window that sequences are multiplied by: "hann", "hamming", or empty for none.
  std::string window = "hann";
  /// Samples a second; must be positive.
  std::int64_t sampling_rate = 16000;
  /// Number of bands; must be positive.
  std::int64_t num_mel_bins = 128;
  /// Lowest frequency in hertz.
  double min_freq = 20.0;
  /// Highest frequency in hertz; unset: half of sampling_rate.
  std::optional<double> max_freq = {};
  /// True: powers in decibels.
  bool power_to_db = true;
  /// Decibels below the largest value of a batch to which smaller ones are raised.
  double top_db = 80.0;
  /// Power of the magnitude: 1 for energy, 2 for power.
  double mag_exp = 2.0;
  /// Smallest power, and smallest ref_power.
  double min_power = 1e-10;
  /// Power of 0 decibels.
  double ref_power = 1.0;
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(MelSpectrogramOptions, fft_length, sequence_stride, sequence_length, window, sampling_rate,
             num_mel_bins, min_freq, max_freq, power_to_db, top_db, mag_exp, min_power, ref_power, name,
             trainable, dtype, input_shape)

/// The spectrogram of signals on the mel scale, in decibels unless power_to_db is false. Decibels are limited
/// to top_db below the largest of the whole batch, as in Keras.
///
/// Shapes:  [time] -> [num_mel_bins, frames], or with a batch before both; frames are 1 + time /
///          sequence_stride. Keras's compute_output_shape() promises one more frame where time + 1 is a
///          multiple of the stride; here it has the frames that the layer computes.
/// Errors:  InvalidArgument unless 0 < sequence_length <= fft_length, sequence_stride, sampling_rate and
///          num_mel_bins are positive, and the window is known.
class MelSpectrogram : public LayerHandle {
 public:
  explicit MelSpectrogram(MelSpectrogramOptions options = {});
  explicit MelSpectrogram(NoOptions) : MelSpectrogram() {}
};

}  // namespace cornu::inline v0::keras::layers
