#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// A recording: samples of all channels one after the other, in [-1, 1].
struct Wav {
  std::int64_t num_samples = 0;  // of each channel
  std::int64_t num_channels = 0;
  std::int64_t sampling_rate = 0;   // samples a second
  std::vector<float> samples = {};  // num_samples * num_channels
};

/// Decodes a WAV file of integers of 8, 16, 24 or 32 bits, or floats of 32 bits, without compression. Integers
/// are divided by half of their range, as TensorFlow's decode_wav does with 16 bits.
/// Errors: DataLoss, with the name, for another format and a damaged file; ResourceExhausted beyond the limit.
Wav decode_wav(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
