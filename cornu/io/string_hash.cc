#include "cornu/io/string_hash.h"

#include <farmhash.h>
#include <highwayhash/sip_hash.h>

namespace cornu::inline v0::io {
namespace {

std::uint64_t shift_mix(std::uint64_t value) { return value ^ (value >> 47); }

}  // namespace

std::uint64_t fingerprint64(std::string_view text) { return util::Fingerprint64(text.data(), text.size()); }

std::uint64_t fingerprint_of_pair(std::uint64_t first, std::uint64_t second) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995ULL;  // MurmurHash's
  std::uint64_t mixed = first ^ kFactor;
  mixed ^= shift_mix(second * kFactor) * kFactor;
  mixed *= kFactor;
  return shift_mix(shift_mix(mixed) * kFactor);
}

std::uint64_t sip_hash(const std::array<std::uint64_t, 2>& key, std::string_view text) {
  const highwayhash::HH_U64 words[2] = {key[0], key[1]};
  return highwayhash::SipHash(words, text.data(), text.size());
}

}  // namespace cornu::inline v0::io
