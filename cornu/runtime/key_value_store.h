#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0::runtime {

/// Bytes by name that all processes of a group see. Libraries that connect devices of several processes find
/// each other by it. Each key is put once.
/// Threads: safe.
class KeyValueStore {
 public:
  KeyValueStore() = default;
  virtual ~KeyValueStore() = default;
  KeyValueStore(const KeyValueStore&) = delete;
  KeyValueStore& operator=(const KeyValueStore&) = delete;

  /// Errors: kUnavailable, naming the process, when the one that keeps the keys is gone. The functions
  ///         below throw that too.
  virtual void put(std::string_view key, std::string_view value) = 0;
  /// Waits until somebody has put it, for at most `timeout`; below 0, for as long as processes wait for each
  /// other at all.
  /// Errors: kUnavailable that names the key and who is missing, when the time is over, a process has
  ///         ended, or one has given up.
  virtual std::string get(std::string_view key, std::chrono::milliseconds timeout) = 0;
  /// Nothing where nobody has put it yet.
  virtual std::optional<std::string> try_get(std::string_view key) = 0;

  /// Says that this process will not put what the others wait for, and why: those that wait for a key get an
  /// error with that reason. Throws nothing.
  virtual void give_up(const std::string& why) noexcept = 0;
  /// Says that all processes have met since, so that what was given up before no longer holds.
  virtual void go_on() = 0;
  /// Errors: kUnavailable, naming it, when a process has ended, cannot be reached any more or has given up.
  virtual void check_peers() = 0;
};

/// A process among those whose clients of one kind know each other's devices ("node" is what PJRT calls it).
struct ClientNode {
  int id = 0;
  int count = 1;
  /// Its place among the processes on the same machine that see the same devices. In this order each takes
  /// `num_devices` of them; 0: as many as the client's settings say, else one.
  int place_on_host = 0;
  int num_devices = 0;
  std::shared_ptr<KeyValueStore> keys = nullptr;
};

}  // namespace cornu::inline v0::runtime
