#pragma once

#include <string>

namespace cornu::inline v0::backends::remote {

/// A worker's address and the settings of the link.
struct WorkerAddress {
  std::string host_port;            // "10.0.0.2:8470"
  std::string device;               // "", "TPU", "TPU:0", "1"
  std::string token_file;           // its first line is the token
  std::string ca_file;              // certificates that verify the worker's; enables TLS
  std::string cert_file, key_file;  // the client's own
  std::string peer;                 // HOST:PORT for other workers; empty: host_port
  int keep_alive_ms = 5000;         // a worker that is silent for this long counts as lost

  bool has_tls() const { return !ca_file.empty(); }
};

/// Parses "//HOST:PORT[/DEVICE][,FIELD=VALUE...]", the text after "grpc:". Fields: token_file, ca_file,
/// cert_file, key_file, peer, keep_alive (seconds).
/// Errors: InvalidArgument with the given text and the accepted form.
WorkerAddress parse_address(const std::string& text);

/// The first line of a file. Errors: those of read_file; InvalidArgument if it is empty or has more than 4096
/// characters.
std::string read_token(const std::string& path);

/// The worker's token, read from its file now; "" without a token_file. Errors: those of read_token.
std::string token_of(const WorkerAddress& address);

/// True if the text is HOST:PORT with a port from `least_port` to 65535; for listening, port 0 means any free
/// one.
bool is_host_port(const std::string& text, int least_port = 1);

/// True if the host of "HOST:PORT" is this machine: localhost, 127.0.0.0/8 or ::1.
bool is_loopback(const std::string& host_port);

}  // namespace cornu::inline v0::backends::remote
