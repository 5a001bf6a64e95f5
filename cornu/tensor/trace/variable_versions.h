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

/// The values that variables had at one moment, as buffers that programs only read. Who writes a variable
/// while some run uses a version with its value takes care that this stays (VariableVersions::on_write).
class VariableVersion {
 public:
  explicit VariableVersion(std::span<const Variable> variables)
      : numbers_(variables.size()), held_(variables.size()), buffers_(variables.size()) {}
  std::span<runtime::Buffer* const> buffers() const { return buffers_; }

 private:
  friend class VariableVersions;
  friend class VersionLease;
  void look_at(std::size_t i, const std::byte* bytes);

  std::vector<runtime::HostView> views_;  // of host memory; none where buffers are a device's
  std::vector<std::uint64_t> numbers_;    // that views look at
  /// Values that were written since. Under Variable::State::mutex().
  std::vector<std::shared_ptr<const void>> held_;
  std::vector<runtime::Buffer*> buffers_;
  std::atomic<int> num_users_{0};
  std::atomic<bool> holds_values_{false};  // so the last user gives them back
};

/// A share in a version; copies are shares in the same one.
/// Lifetime: within that of the VariableVersions that gave it.
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
  /// In the order of the variables.
  std::span<runtime::Buffer* const> buffers() const;

 private:
  friend class VariableVersions;
  struct Mixed;
  explicit VersionLease(VariableVersion* version) : version_(version) {}

  VariableVersion* version_ = nullptr;
  std::shared_ptr<const Mixed> mixed_;  // what is taken from an earlier version of other programs' variables
};

/// Versions of the variables that one program only reads. A run takes the version that is there now, with one
/// lock for some instructions and without looking at the variables, unless one was written since the run
/// before.
/// Threads: safe.
class VariableVersions {
 public:
  /// Lifetime: that of `variables`. `placement`: the program's.
  VariableVersions(std::span<const Variable> variables, Placement placement);
  ~VariableVersions();
  VariableVersions(const VariableVersions&) = delete;
  VariableVersions& operator=(const VariableVersions&) = delete;

  /// The values as they are now, moved to the placement if need be. It waits only while another thread's
  /// program updates one of the variables.
  /// Errors: what clients throw; FailedPrecondition where another thread's run writes one (VariableClaim).
  VersionLease take();
  /// The same with the values that `earlier`, a version of another program, has for its variables.
  VersionLease take(const VersionLease& earlier, const VariableVersions& versions_of_earlier);

  /// One of the variables is about to be written, in place or not. Under Variable::State::mutex().
  void on_write();

 private:
  /// Looks at the variables anew; false where a value is not at the placement. Under the mutex.
  bool look(std::vector<std::shared_ptr<const void>>& over);
  bool look_at_variable(std::size_t i);
  /// Keeps the values of `now_` for those that use it, whatever is written.
  void hold_values();
  VariableVersion& unused_version(std::vector<std::shared_ptr<const void>>& over);
  std::size_t index_of(const Variable& variable, std::size_t guess) const;
  /// Whether two leases' buffers of a variable hold one value.
  bool has_same_value(const Variable& variable, const runtime::Buffer& before,
                      const runtime::Buffer& now) const;

  std::span<const Variable> variables_;
  Placement placement_;
  bool is_addressable_;
  // Under Variable::State::mutex().
  bool is_current_ = false;  // nothing was written since `now_` was looked at
  VariableVersion* now_ = nullptr;
  std::vector<std::unique_ptr<VariableVersion>> all_;  // as many as there were at a time
};

}  // namespace cornu::inline v0::detail
