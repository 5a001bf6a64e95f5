#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::remote {

struct WorkerOptions {
  std::string listen = "127.0.0.1:8470";       // port 0: a free one
  std::vector<std::string> devices = {"cpu"};  // as runtime::make_client takes them
  runtime::ClientOptions client_options;
  std::string cert_file, key_file, client_ca_file;
  std::string peer_ca_file;  // by which it checks other workers that it calls, with TLS
  std::string token_file;
  std::size_t memory_limit_bytes = 0;  // 0: none
  int max_clients = 64;
  /// Seconds that running executions may take once the worker ends; then they stop between two steps.
  double drain_seconds = 30;
  /// The folder whose files clients may have opened, and backups written to; empty: none.
  std::string data_root;
};

}  // namespace cornu::inline v0::backends::remote
