#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cornu::inline v0::io {

/// The MD5 or SHA-256 digest of bytes that are added piece by piece, to recognize a file. MD5 does not protect
/// against files that were made on purpose.
class Digest {
 public:
  enum class Algorithm { kMd5, kSha256 };
  explicit Digest(Algorithm algorithm);

  void add(std::span<const std::byte> bytes);
  /// The digest of all bytes so far, in hexadecimal; no bytes may be added afterwards.
  std::string hex();

 private:
  void add_block(const std::uint8_t* block);
  void add_md5_block(const std::uint8_t* block);
  void add_sha256_block(const std::uint8_t* block);

  static constexpr std::size_t kBlockBytes = 64;

  bool is_md5_;
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, kBlockBytes> pending_ = {};
  std::uint64_t size_bytes_ = 0;
};

}  // namespace cornu::inline v0::io
