#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Messages between a process and the rendezvous store (rendezvous_store_support.h): a header, then its bytes. The
/// processes have the same version of Cornu and the same byte order, so numbers are sent as they are.
namespace cornu::inline v0::distribute {

/// Larger sizes are rejected before memory is allocated.
inline constexpr std::uint64_t kMostKeyBytes = 64 << 10, kMostValueBytes = std::uint64_t{1} << 30;

/// Delay before an ended process is reported as lost: a process that ends normally closes its connection in
/// the same way as one that dies.
inline constexpr auto kUntilMissed = std::chrono::seconds(1);

struct KeyRequest {
  enum class Kind : std::uint32_t { kPut, kGet, kTryGet, kGiveUp };

  Kind kind = Kind::kPut;
  std::uint32_t meeting = 0;    // number of meetings of all processes so far
  std::int64_t timeout_ms = 0;  // of kGet; negative: none
  std::uint64_t key_size = 0, value_size = 0;

  std::uint64_t num_bytes() const { return key_size + value_size; }
  bool is_sane() const { return key_size <= kMostKeyBytes && value_size <= kMostValueBytes; }
};

struct KeyAnswer {
  enum class Kind : std::uint32_t { kValue, kNone, kFailed };

  Kind kind = Kind::kValue;
  std::uint32_t meeting = 0;  // of kFailed: valid until the process meets the others again; kForEver
  std::uint64_t num_bytes = 0;

  bool is_sane() const { return num_bytes <= kMostValueBytes; }
};

inline constexpr std::uint32_t kForEver = ~std::uint32_t{0};

/// A message in the format in which it is sent.
template <typename Header>
std::string message_of(const Header& header, std::string_view first, std::string_view second = {}) {
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes += first;
  bytes += second;
  return bytes;
}

inline std::string answer_of(KeyAnswer::Kind kind, std::string_view text, std::uint32_t meeting = 0) {
  return message_of(KeyAnswer{.kind = kind, .meeting = meeting, .num_bytes = text.size()}, text);
}

}  // namespace cornu::inline v0::distribute
