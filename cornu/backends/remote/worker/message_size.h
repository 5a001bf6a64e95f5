#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cornu/backends/remote/wire/last_field.h"
#include "cornu/backends/remote/worker/memory_quota.h"

/// Size of a message after parsing. An empty message in a list takes two bytes on the link and 50 to 200 in
/// memory, a number one byte and 24: a message of 64 MiB could become gigabytes.
namespace cornu::inline v0::backends::remote {

/// Numbers of the fields with a known kind; 0: none. All other fields with a length count as lists of
/// messages.
struct FieldKinds {
  std::array<std::uint64_t, 2> bytes = {};    // bytes and texts: as large as in the message
  std::array<std::uint64_t, 7> numbers = {};  // lists of numbers
};

/// An upper bound of the memory for the objects of a parsed message, and the vectors made of its lists. Empty
/// if it is not a message of protobuf.
std::optional<std::size_t> expanded_bytes(const Parts& message, const FieldKinds& kinds);

/// Messages whose objects take at most this much are not counted: with 64 clients and four calls each, they
/// are half of the minimum memory for incoming messages.
inline constexpr std::size_t kUncountedMessageBytes = std::size_t{1} << 20;
/// The maximum number of bytes of objects for one byte of a message.
inline constexpr std::size_t kMostExpansion = 96;

/// True for messages that are too small to be counted.
constexpr bool is_small_message(std::size_t num_bytes) {
  return num_bytes <= kUncountedMessageBytes / kMostExpansion;
}

/// Takes the memory for a message's objects from the quota, before they are made.
/// Errors: InvalidArgument for bytes that are not a message; ResourceExhausted.
QuotaShare count_message(MemoryQuota& quota, const Parts& message, const FieldKinds& kinds);

}  // namespace cornu::inline v0::backends::remote
