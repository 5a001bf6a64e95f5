#include "cornu/backends/remote/wire/address.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::backends::remote {
namespace {

[[noreturn]] void refuse(const std::string& text, std::string_view why) {
  invalid_argument(
      "[grpc] \"grpc:{}\": {}; write grpc://HOST:PORT or grpc://HOST:PORT/DEVICE, e.g. "
      "grpc://10.0.0.2:8470/TPU:0",
      text, why);
}

bool is_port(std::string_view text, int least) {
  const std::optional<int> port = parse_number<int>(text);
  return port.has_value() && *port >= least && *port < 65536;
}

void set_field(WorkerAddress& address, const std::string& text, std::string_view name, std::string value) {
  struct Field {
    std::string_view name;
    std::string WorkerAddress::* member;
  };
  constexpr Field kFields[] = {{"token_file", &WorkerAddress::token_file},
                               {"ca_file", &WorkerAddress::ca_file},
                               {"cert_file", &WorkerAddress::cert_file},
                               {"key_file", &WorkerAddress::key_file},
                               {"peer", &WorkerAddress::peer}};
  for (const Field& field : kFields)
    if (field.name == name) {
      address.*field.member = std::move(value);
      return;
    }
  if (name != "keep_alive") {
    std::vector<std::string> known = {"keep_alive"};
    for (const Field& field : kFields) known.emplace_back(field.name);
    refuse(text, fmt::format("there is no field \"{}\"; {}", name, name_proposal(name, known)));
  }
  const std::optional<double> seconds = parse_number<double>(value);
  if (!seconds.has_value() || !(*seconds >= 0.1 && *seconds <= 3600))
    refuse(text, fmt::format("keep_alive is seconds, 0.1 to 3600; got \"{}\"", value));
  address.keep_alive_ms = static_cast<int>(*seconds * 1000);
}

}  // namespace

WorkerAddress parse_address(const std::string& text) {
  std::string_view rest = text;
  if (!rest.starts_with("//")) refuse(text, "an address begins with grpc://");
  rest.remove_prefix(2);
  const std::size_t comma = std::min(rest.find(','), rest.size());
  std::string_view place = rest.substr(0, comma), fields = rest.substr(comma);
  const std::size_t slash = std::min(place.find('/'), place.size());
  WorkerAddress address{.host_port = std::string(place.substr(0, slash)),
                        .device = std::string(place.substr(std::min(slash + 1, place.size())))};
  if (!is_host_port(address.host_port)) refuse(text, "there is no HOST:PORT with a port from 1 to 65535");
  while (!fields.empty()) {
    fields.remove_prefix(1);
    const std::size_t end = std::min(fields.find(','), fields.size());
    const std::string_view field = fields.substr(0, end);
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) refuse(text, fmt::format("\"{}\" is not a FIELD=VALUE", field));
    set_field(address, text, field.substr(0, equals), std::string(field.substr(equals + 1)));
    fields.remove_prefix(end);
  }
  if (!address.peer.empty() && !is_host_port(address.peer))
    refuse(text,
           fmt::format("peer is the HOST:PORT by which other workers reach it; got \"{}\"", address.peer));
  if (address.cert_file.empty() != address.key_file.empty())
    refuse(text, "a client's certificate and its key go together: cert_file and key_file");
  if (!address.cert_file.empty() && !address.has_tls())
    refuse(text, "a client's certificate needs TLS: give ca_file, which the worker's is checked by");
  return address;
}

std::string read_token(const std::string& path) {
  constexpr std::size_t kMostBytes = 4096;
  const std::vector<std::byte> bytes = io::read_file(path, {.max_size_bytes = kMostBytes});
  std::string token(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  token = token.substr(0, token.find_first_of("\r\n"));
  if (token.empty()) invalid_argument("[grpc] the first line of \"{}\" must be the token; it is empty", path);
  return token;
}

std::string token_of(const WorkerAddress& address) {
  return address.token_file.empty() ? std::string() : read_token(address.token_file);
}

bool is_host_port(const std::string& text, int least_port) {
  constexpr std::size_t kMostBytes = 300;
  const std::size_t colon = text.rfind(':');
  if (text.size() > kMostBytes || colon == std::string::npos || colon == 0) return false;
  const std::string_view host = std::string_view(text).substr(0, colon);
  const bool has_brackets = host.starts_with('[') && host.ends_with(']');
  return (has_brackets || host.find(':') == std::string_view::npos) &&
         is_port(std::string_view(text).substr(colon + 1), least_port);
}

bool is_loopback(const std::string& host_port) {
  const std::string host = host_port.substr(0, host_port.rfind(':'));
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace cornu::inline v0::backends::remote
