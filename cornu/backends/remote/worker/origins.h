#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace cornu::inline v0::backends::remote {

/// Counts connections by origin, so that a flood evicts its own connections rather than others'. An origin
/// has a site and a network in it. IPv6: a site is a prefix of 48 bits, which one customer gets, and a
/// network one of the 65,536 prefixes of 64 bits in it. IPv4: both are the address.
/// Threads: one.
class Origins {
 public:
  using Counts = std::map<std::array<std::uint8_t, 16>, std::size_t>;
  /// The counts that include a connection; valid until it is removed.
  struct Origin {
    Counts::iterator site, network;
  };

  Origin add(const sockaddr_storage& address);
  void remove(const Origin& origin);

  /// The first connection, in order, from the network with the most connections in the site with the most.
  /// `connections`: a list of structs with a member `origin`.
  template <typename Connections>
  static auto most_crowded(Connections& connections) {
    return std::max_element(connections.begin(), connections.end(),
                            [](const auto& a, const auto& b) { return crowd(a.origin) < crowd(b.origin); });
  }

 private:
  static std::pair<std::size_t, std::size_t> crowd(const Origin& origin) {
    return {origin.site->second, origin.network->second};
  }

  Counts sites_, networks_;
};

}  // namespace cornu::inline v0::backends::remote
