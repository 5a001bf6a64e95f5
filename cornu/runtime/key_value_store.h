#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0::runtime {

/// Bytes by name that all processes of a group see: what libraries that connect devices of several processes tell
/// each other by. A key is put once.
/// Threads: safe.
class KeyValueStore {
 public:
  KeyValueStore() = default;
  virtual ~KeyValueStore() = default;
  KeyValueStore(const KeyValueStore&) = delete;
  KeyValueStore& operator=(const KeyValueStore&) = delete;

  /// Errors: kUnavailable, naming the process, when who keeps the keys is gone. This holds for all that follows.
  virtual void put(std::string_view key, std::string_view value) = 0;
  /// Waits until somebody has put it. `timeout` below 0: as long as processes wait for each other at all.
  /// Errors: kUnavailable that names the key and who is missing, when the time is over, a process has ended, or one has
  ///         given up.
  virtual std::string get(std::string_view key, std::chrono::milliseconds timeout) = 0;
  /// Nothing where nobody has put it yet.
  virtual std::optional<std::string> try_get(std::string_view key) = 0;

  /// This process does not come to what the others wait for, and says why: those that wait for a key get an error that
  /// has it. Throws nothing.
  virtual void give_up(const std::string& why) noexcept = 0;
  /// All processes have met since, and are told so: what was given up before holds no more.
  virtual void go_on() = 0;
  /// Errors: kUnavailable, naming it, when a process has ended, cannot be reached any more or has given up.
  virtual void check_peers() = 0;
};

/// A process among those whose clients of one kind know each other's devices ("node" is what PJRT calls it).
struct ClientNode {
  int id = 0;
  int count = 1;
  /// Among those on the same machine that see the same devices. Each takes `num_devices` of them, in this order; 0: as
  /// many as the client's settings say, else one.
  int place_on_host = 0;
  int num_devices = 0;
  std::shared_ptr<KeyValueStore> keys = nullptr;
};

}  // namespace cornu::inline v0::runtime
