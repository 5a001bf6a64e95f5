#include "cornu/backends/remote/worker/origins.h"

#include <netinet/in.h>

namespace cornu::inline v0::backends::remote {
namespace {

constexpr std::size_t kSiteBytes = 6, kNetworkBytes = 8;

using Prefix = std::array<std::uint8_t, 16>;

/// The origin of an address: the first `num_bytes` bytes of an IPv6 address; an IPv4 address whole, in mapped
/// form.
Prefix prefix_of(const sockaddr_storage& address, std::size_t num_bytes) {
  Prefix prefix{};
  if (address.ss_family == AF_INET6) {
    const in6_addr& from = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    std::copy_n(from.s6_addr, IN6_IS_ADDR_V4MAPPED(&from) ? prefix.size() : num_bytes, prefix.begin());
  } else if (address.ss_family == AF_INET) {
    const auto* const from =
        reinterpret_cast<const std::uint8_t*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr);
    prefix[10] = prefix[11] = 0xff;
    std::copy_n(from, sizeof(in_addr), prefix.begin() + 12);
  }
  return prefix;
}

}  // namespace

Origins::Origin Origins::add(const sockaddr_storage& address) {
  const Origin origin{.site = sites_.try_emplace(prefix_of(address, kSiteBytes)).first,
                      .network = networks_.try_emplace(prefix_of(address, kNetworkBytes)).first};
  ++origin.site->second;
  ++origin.network->second;
  return origin;
}

void Origins::remove(const Origin& origin) {
  if (--origin.site->second == 0) sites_.erase(origin.site);
  if (--origin.network->second == 0) networks_.erase(origin.network);
}

}  // namespace cornu::inline v0::backends::remote
