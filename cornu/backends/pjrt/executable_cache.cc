#include "cornu/backends/pjrt/executable_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace cornu::inline v0::backends::pjrt {
namespace {

/// 256 bits that depend on every byte. If two texts had the same key, the text stored in an entry would
/// distinguish them.
std::string key_of(std::string_view identity) {
  std::array<std::uint64_t, 4> state = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
                                        0xd6e8feb86659fd93};
  const auto mix = [&](std::uint64_t word) {
    for (std::uint64_t& part : state) {
      part = (part ^ word) * 0xff51afd7ed558ccd;
      part ^= part >> 29;
      word = word * 0x9e3779b97f4a7c15 + part;
    }
  };
  for (std::size_t i = 0; i < identity.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, identity.data() + i, std::min(sizeof word, identity.size() - i));
    mix(word);
  }
  mix(identity.size());
  mix(0);
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", state[0], state[1], state[2], state[3]);
}

}  // namespace

ExecutableCache::ExecutableCache(const std::string& folder) : cache_({.folder = folder}) {}

std::optional<std::string> ExecutableCache::get(std::string_view identity) const {
  if (!is_on()) return std::nullopt;
  std::optional<std::string> entry = cache_.get(key_of(identity));
  if (!entry || !std::string_view(*entry).starts_with(identity)) return std::nullopt;
  entry->erase(0, identity.size());
  return entry;
}

void ExecutableCache::put(std::string_view identity, std::string_view executable) const {
  if (!is_on()) return;
  cache_.put(key_of(identity), fmt::format("{}{}", identity, executable));
}

}  // namespace cornu::inline v0::backends::pjrt
