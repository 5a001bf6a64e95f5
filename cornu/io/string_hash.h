#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cornu::inline v0::io {

/// TensorFlow's hashes of texts; the same on every machine, and for ever.

/// FarmHash's Fingerprint64: what `tf.strings.to_hash_bucket_fast` takes the rest of.
std::uint64_t fingerprint64(std::string_view text);
/// The fingerprint of a pair of fingerprints, as crossed features have it.
std::uint64_t fingerprint_of_pair(std::uint64_t first, std::uint64_t second);
/// SipHash-2-4 with a key of 128 bits: `tf.strings.to_hash_bucket_strong`.
std::uint64_t sip_hash(const std::array<std::uint64_t, 2>& key, std::string_view text);

}  // namespace cornu::inline v0::io
