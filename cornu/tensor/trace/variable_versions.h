#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cornu/runtime/host_view.h"
#include "cornu/tensor/trace/variable_state.h"

namespace cornu::inline v0::detail {

/// The values that variables had at one moment, as read-only buffers. Writing a variable while a run uses a
/// version with its value preserves that value (VariableVersions::on_write).
class VariableVersion {
 public:
  explicit VariableVersion(std::span<const Variable> variables)
      : numbers_(variables.size()), held_(variables.size()), buffers_(variables.size()) {}
  std::span<runtime::Buffer* const> buffers() const { return buffers_; }

 private:
  friend class VariableVersions;
  friend class VersionLease;
  void look_at(std::size_t i, const std::byte* bytes);

  std::vector<runtime::HostView> views_;  // views of host memory; empty if buffers are a device's
  std::vector<std::uint64_t> numbers_;    // storage of numbers behind the views
  /// Values that were written since, kept alive. Under Variable::State::mutex().
  std::vector<std::shared_ptr<const void>> held_;
  std::vector<runtime::Buffer*> buffers_;
  std::atomic<int> num_users_{0};
  std::atomic<bool> holds_values_{false};  // true: the last user releases them
};

/// A share of a version; copies share the same one.
/// Lifetime: that of its VariableVersions.
class VersionLease {
 public:
  VersionLease() = default;
  VersionLease(const VersionLease& other);
  VersionLease(VersionLease&& other) noexcept
      : version_(std::exchange(other.version_, nullptr)), mixed_(std::move(other.mixed_)) {}
  VersionLease& operator=(VersionLease other) noexcept {
    std::swap(version_, other.version_);
    std::swap(mixed_, other.mixed_);
    return *this;
  }
  ~VersionLease();

  bool defined() const { return version_ != nullptr; }
  /// The buffers in the order of the variables.
  std::span<runtime::Buffer* const> buffers() const;

 private:
  friend class VariableVersions;
  struct Mixed;
  explicit VersionLease(VariableVersion* version) : version_(version) {}

  VariableVersion* version_ = nullptr;
  std::shared_ptr<const Mixed> mixed_;  // values taken from an earlier version of another program's variables
};

/// Versions of the variables that one program only reads. A run takes the current version under one short
/// lock and without reading the variables, unless one was written since the last run.
/// Threads: safe.
class VariableVersions {
 public:
  /// Lifetime: `variables` outlive it. `placement`: the program's.
  VariableVersions(std::span<const Variable> variables, Placement placement);
  ~VariableVersions();
  VariableVersions(const VariableVersions&) = delete;
  VariableVersions& operator=(const VariableVersions&) = delete;

  /// The current values, moved to the placement if needed. It waits only while another thread's program
  /// updates one of the variables.
  /// Errors: those of the clients; FailedPrecondition if another thread's run writes one (VariableClaim).
  VersionLease take();
  /// The current values, except for variables of `earlier`, a version of another program, whose values are
  /// taken from there.
  VersionLease take(const VersionLease& earlier, const VariableVersions& versions_of_earlier);

  /// Called before one of the variables is written, in place or not. Under Variable::State::mutex().
  void on_write();

 private:
  /// Reads the variables again; false if a value is not at the placement. Under the mutex.
  bool look(std::vector<std::shared_ptr<const void>>& over);
  bool look_at_variable(std::size_t i);
  /// Keeps the values of `now_` for its users, despite later writes.
  void hold_values();
  VariableVersion& unused_version(std::vector<std::shared_ptr<const void>>& over);
  std::size_t index_of(const Variable& variable, std::size_t guess) const;
  /// True if two leases' buffers of a variable hold the same value.
  bool has_same_value(const Variable& variable, const runtime::Buffer& before,
                      const runtime::Buffer& now) const;

  std::span<const Variable> variables_;
  Placement placement_;
  bool is_addressable_;
  // Guarded by Variable::State::mutex().
  bool is_current_ = false;  // true if nothing was written since `now_` was made
  VariableVersion* now_ = nullptr;
  std::vector<std::unique_ptr<VariableVersion>> all_;  // the largest number of simultaneous versions
};

}  // namespace cornu::inline v0::detail
