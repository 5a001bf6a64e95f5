#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cornu::inline v0::io {

/// TensorFlow's hashes of texts; equal on all machines and in all versions.

/// FarmHash's Fingerprint64; `tf.strings.to_hash_bucket_fast` takes its remainder.
std::uint64_t fingerprint64(std::string_view text);
/// The fingerprint of a pair of fingerprints, for crossed features.
std::uint64_t fingerprint_of_pair(std::uint64_t first, std::uint64_t second);
/// SipHash-2-4 with a key of 128 bits, as in `tf.strings.to_hash_bucket_strong`.
std::uint64_t sip_hash(const std::array<std::uint64_t, 2>& key, std::string_view text);

}  // namespace cornu::inline v0::io
