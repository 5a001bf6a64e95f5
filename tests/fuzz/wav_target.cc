#include "cornu/io/wav.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

void wav_once(Bytes bytes) {
  const io::Wav wav = io::decode_wav(bytes, "input", {.max_size_bytes = 1 << 22});
  require(wav.num_samples * wav.num_channels == static_cast<std::int64_t>(wav.samples.size()),
          "a recording has another number of samples than it claims");
  require(wav.samples.size() <= bytes.size(), "a recording has more samples than the file has bytes");
}

}  // namespace

void wav(Bytes bytes) { parse(wav_once, bytes); }

}  // namespace cornu::inline v0::fuzz
