#include "cornu/io/wav.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::io {
namespace {

void put(std::string& text, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
}

/// A file of two channels with a chunk before the format.
std::string wav_of(std::uint32_t kind, std::uint32_t bits, const std::string& data) {
  std::string text = "RIFF....WAVELIST";
  put(text, 3, 4);
  text += "abc";
  text += '\0';
  text += "fmt ";
  put(text, 16, 4);
  put(text, kind, 2);
  put(text, 2, 2);
  put(text, 8000, 4);
  put(text, 0, 4);
  put(text, bits / 4, 2);
  put(text, bits, 2);
  text += "data";
  put(text, static_cast<std::uint32_t>(data.size()), 4);
  return text + data;
}

Wav decoded(const std::string& text) { return decode_wav(std::as_bytes(std::span(text)), "a.wav"); }

TEST(WavTest, SamplesAreSharesOfHalfOfTheirRange) {
  const Wav eight = decoded(wav_of(1, 8, std::string("\x80\xC0\x00\xFF", 4)));
  EXPECT_EQ(eight.num_samples, 2);
  EXPECT_EQ(eight.num_channels, 2);
  EXPECT_EQ(eight.sampling_rate, 8000);
  EXPECT_EQ(eight.samples, (std::vector<float>{0, 0.5F, -1, 127.0F / 128}));
  EXPECT_EQ(decoded(wav_of(1, 16, std::string("\x00\x80\x00\x40", 4))).samples,
            (std::vector<float>{-1, 0.5F}));
  EXPECT_EQ(decoded(wav_of(1, 24, std::string("\x00\x00\x80\x00\x00\x40", 6))).samples,
            (std::vector<float>{-1, 0.5F}));
  std::string floats;
  put(floats, std::bit_cast<std::uint32_t>(0.125F), 4);
  put(floats, std::bit_cast<std::uint32_t>(-2.0F), 4);
  EXPECT_EQ(decoded(wav_of(3, 32, floats)).samples, (std::vector<float>{0.125F, -2}));
}

TEST(WavTest, RefusesOtherFormatsAndDamage) {
  const std::string good = wav_of(1, 16, std::string(8, '\x01'));
  for (std::size_t size = 0; size < good.size() - 8; ++size)
    EXPECT_THROW((void)decoded(good.substr(0, size)), Error) << size;
  EXPECT_EQ(decoded(good.substr(0, good.size() - 1)).num_samples, 1) << "whole samples of a cut file";
  EXPECT_THROW((void)decoded(wav_of(2, 4, "abcd")), Error);
  EXPECT_THROW((void)decoded(wav_of(1, 12, "abcd")), Error);
  EXPECT_THROW((void)decode_wav(std::as_bytes(std::span(good)), "a.wav", {.max_size_bytes = 8}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::io
