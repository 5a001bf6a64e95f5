#pragma once

#include <string>

namespace cornu::inline v0::backends::remote {

/// Where a worker is and how to speak to it.
struct WorkerAddress {
  std::string host_port;            // "10.0.0.2:8470"
  std::string device;               // "", "TPU", "TPU:0", "1"
  std::string token_file;           // whose first line is the token
  std::string ca_file;              // certificates that the worker's is checked by; with it
                                    // the link is TLS
  std::string cert_file, key_file;  // the client's own
  std::string peer;                 // HOST:PORT by which other workers reach it; empty: host_port
  int keep_alive_ms = 5000;         // a worker that is silent for so long is gone

  bool has_tls() const { return !ca_file.empty(); }
};

/// "//HOST:PORT[/DEVICE][,FIELD=VALUE...]", as it stands behind "grpc:".
/// Fields: token_file, ca_file, cert_file, key_file, peer, keep_alive (seconds).
/// Errors: InvalidArgument that says what was given and what would work.
WorkerAddress parse_address(const std::string& text);

/// The first line of a file. Errors: those of read_file; InvalidArgument when
/// it is empty or has more than 4096 characters.
std::string read_token(const std::string& path);

/// The token for the worker, as its file has it now; "" without a token_file. Errors: those of read_token.
std::string token_of(const WorkerAddress& address);

/// Whether the text is HOST:PORT with a port from `least_port` to 65535; 0 is a free one, where one listens.
bool is_host_port(const std::string& text, int least_port = 1);

/// The host of "HOST:PORT" is this machine itself: localhost, 127.0.0.0/8 or ::1.
bool is_loopback(const std::string& host_port);

}  // namespace cornu::inline v0::backends::remote
