#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/temporary_folder.h"
#include "cornu/runtime/client.h"

/// Workers in processes of their own, for tests.
namespace cornu::inline v0 {

/// A process of `cornu worker` on loopback that ends with this object. What it says to the error output is
/// kept.
class WorkerProcess {
 public:
  /// `more`: further arguments; `port`: "0" for a free one.
  explicit WorkerProcess(std::vector<std::string> more = {}, const std::string& port = "0");
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  const std::string& address() const { return address_; }
  std::string port() const { return address_.substr(address_.find(':') + 1); }
  std::string url(const std::string& more = "") const { return "grpc://" + address_ + more; }
  pid_t id() const { return id_; }
  void signal(int number) const;
  /// Stops all its threads, and returns when they have.
  void freeze() const;
  /// Sends the signal and returns the exit code, or minus the signal that it died of.
  int end(int number);
  /// All that it printed, once it has ended.
  std::string output();

 private:
  pid_t id_ = -1;
  FILE* out_ = nullptr;
  std::string address_, first_line_;
};

/// A worker that is always at the same port.
struct ReturningWorker {
  explicit ReturningWorker(std::vector<std::string> words = {}) : arguments(std::move(words)) {}
  void kill_and_start_again();
  /// Once it has ended.
  void start_again() { worker = std::make_unique<WorkerProcess>(arguments, port); }

  std::vector<std::string> arguments;
  std::unique_ptr<WorkerProcess> worker = std::make_unique<WorkerProcess>(arguments);
  std::string port = worker->port();
};

/// The devices of a client as long as this object lives.
struct Connected {
  explicit Connected(const std::string& url);
  ~Connected();
  Connected(const Connected&) = delete;
  Connected& operator=(const Connected&) = delete;
  std::shared_ptr<runtime::Client> client;
  std::string name;
};

/// A folder of files for a worker, removed with this object.
class WorkerFiles {
 public:
  std::string file(const std::string& name) const { return folder_.path() / name; }
  /// Writes it and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  TemporaryFolder folder_{"remote-test-"};
};

}  // namespace cornu::inline v0
