#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0::runtime {

/// Rendezvous store: bytes by name, visible to all processes of a group. Libraries that connect devices of
/// several processes find each other by it. Each key is put once.
/// Threads: safe.
class KeyValueStore {
 public:
  KeyValueStore() = default;
  virtual ~KeyValueStore() = default;
  KeyValueStore(const KeyValueStore&) = delete;
  KeyValueStore& operator=(const KeyValueStore&) = delete;

  /// Errors: kUnavailable, with the process's name, if the process that keeps the keys is gone. The functions
  ///         below throw it too.
  virtual void put(std::string_view key, std::string_view value) = 0;
  /// Waits until a process has put the key, for at most `timeout`; if negative, for the default time that
  /// processes wait for each other.
  /// Errors: kUnavailable with the key and the missing process, after the timeout, or if a process has ended
  ///         or called give_up().
  virtual std::string get(std::string_view key, std::chrono::milliseconds timeout) = 0;
  /// Empty if the key has not been put yet.
  virtual std::optional<std::string> try_get(std::string_view key) = 0;

  /// Announces that this process will not put its keys, and why: calls that wait for a key get an error with
  /// that reason. Throws nothing.
  virtual void give_up(const std::string& why) noexcept = 0;
  /// Withdraws earlier give_up() calls. Call after all processes have synchronized.
  virtual void go_on() = 0;
  /// Errors: kUnavailable, with the process's name, if a process has ended, can no longer be reached, or has
  ///         called give_up().
  virtual void check_peers() = 0;
};

}  // namespace cornu::inline v0::runtime
