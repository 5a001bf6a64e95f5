#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace cornu::benchmarks {

/// A process that says "... 127.0.0.1:PORT..." in its first line and ends with this object.
class Listener {
 public:
  explicit Listener(std::vector<std::string> words);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  const std::string& address() const { return address_; }

 private:
  pid_t id_ = -1;
  int out_ = -1;
  std::string address_;
};

/// Serves echo.proto on a free port until it is killed.
int run_echo_server();

}  // namespace cornu::benchmarks
