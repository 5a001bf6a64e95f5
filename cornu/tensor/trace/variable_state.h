#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/spin_lock.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0 {

namespace detail {

class VariableStorage;
class VariableVersions;
struct VariableParts;

/// A thread's claim or waiting access (VariableClaim).
struct ClaimTurn;
struct ClaimMark {
  const ClaimTurn* turn;
  bool writes;
};

/// A variable's value at one moment, in any memory; later writes do not change it.
struct SeenValue {
  std::shared_ptr<const ir::Literal> literal = {};  // in host memory that no device has
  std::shared_ptr<const std::byte> bytes = {};      // in a buffer that the host addresses
  std::optional<std::uint64_t> number = {};         // the bytes of a number in such a buffer, copied
  std::shared_ptr<runtime::Client> client = {};     // of `buffer`, which is in a device's memory
  std::shared_ptr<runtime::Buffer> buffer = {};
};

}  // namespace detail

/// The state shared by a variable's handles: its value and location.
///
/// One location has the authority over the value: a literal in host memory until a program first needs the
/// variable, or after an assignment that has not been sent to a device; else a buffer. Other buffers are
/// copies, valid as long as the bytes that they were copied from are still the authority's. Writes do not
/// change shared host bytes (Buffer::share), so the address of these bytes serves as a version. If bytes
/// cannot be shared no copy counts as valid. A tensor or a run may hold a buffer of a device that the host
/// cannot address; the next write to the variable then uses a copy.
///
/// Threads: a value is replaced atomically for all readers. An in-place update has a VariableClaim; other
///          threads' readers and writers wait for it or get an error.
struct Variable::State {
  struct Copy {
    std::shared_ptr<runtime::Client> client;  // outlives the buffer
    std::shared_ptr<runtime::Buffer> buffer;
    /// Keeps the bytes at `made_of_bytes` alive. Null: the copy is not valid, unless it is the authority.
    std::shared_ptr<const void> made_of;
    const std::byte* made_of_bytes = nullptr;

    bool is_at(const Placement& placement, int device) const {
      return client == placement.client() && buffer->device() == device;
    }
    bool is_held() const { return !client->is_addressable() && buffer.use_count() > 1; }
  };
  using Copies = std::vector<std::unique_ptr<Copy>>;

  std::string name;
  std::string path;
  TensorType type;
  bool trainable = true;
  bool autocast = true;  // for floating-point variables only
  std::function<Tensor(const Tensor&)> constraint;
  VariableAggregation aggregation = VariableAggregation::kNone;
  VariableSynchronization synchronization = VariableSynchronization::kAuto;
  bool is_table = false;
  int device = 0;
  std::shared_ptr<const ReplicaSet> replicas;  // the scope in which it was made; null: none
  /// Not null: the parts have the value, and the other members that hold a value are unused (VariableParts).
  std::shared_ptr<const detail::VariableParts> parts;
  /// Parts of a variable only: index of the client's device that holds it, instead of the placement's; else
  /// -1.
  int core = -1;
  /// False for the counter of the process's random generator: all runs draw from it, so the claim of a run
  /// omits it, and each of its executions claims it.
  bool is_claimed_by_runs = true;
  /// Memory that the value never leaves, a file; null: the value moves to the devices that use it. Its buffer
  /// has the authority at all times and is written in place.
  std::shared_ptr<const detail::VariableStorage> storage;

  /// Held briefly, with mutex(), to change the next three members. Either of the two is enough to read them;
  /// the thread that has a claim on the variable needs neither.
  mutable SpinLock lock;
  /// Null: host_value has the authority.
  std::atomic<Copy*> authority{nullptr};
  /// If it has the authority but is null: zeros that have not been made yet (detail::zero_variable).
  std::shared_ptr<const ir::Literal> host_value;
  Copies copies;
  /// The number of values assigned other than by a program. Threads: safe.
  std::atomic<std::uint64_t> num_writes{0};
  /// The number of claims for writing by programs or optimizers. Threads: safe.
  std::atomic<std::uint64_t> num_claims{0};

  // Guarded by mutex() alone.
  std::vector<detail::VariableVersions*> versions;  // of programs that read it
  bool is_watched = false;  // true if one of them has read the value since it was written
  std::vector<detail::ClaimMark> claim_marks;

  /// One for all variables, held briefly: programs see values together that were assigned together.
  static std::mutex& mutex();

  /// True for one element that a processor reads and writes atomically. Numbers are copied where others are
  /// shared, so that they are always written in place.
  bool is_number() const { return type.size_bytes() <= sizeof(std::uint64_t) && type.num_elements() == 1; }

  /// The device of a placement's client that holds the variable.
  int device_at(const Placement& placement) const {
    const bool is_elsewhere =
        core >= 0 && static_cast<std::size_t>(core) < placement.client()->devices().size();
    return is_elsewhere ? core : placement.device();
  }

  /// True for a part of a table that other processes read (runtime::ProcessMemoryScope).
  bool is_read_by_processes() const {
    return core >= 0 && is_table && replicas != nullptr && replicas->num_processes > 1;
  }

  // Requires mutex() or `lock`, or a claim of this thread.
  /// The buffer at the placement if it has the authority and can be used directly, else null.
  runtime::Buffer* find(const Placement& placement, bool to_write) const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    if (now == nullptr || !now->is_at(placement, device_at(placement))) return nullptr;
    return to_write && now->is_held() ? nullptr : now->buffer.get();
  }
  /// True if the authority is a buffer that only its client can read.
  bool is_in_device_buffer() const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    return now != nullptr && !now->client->is_addressable();
  }
  /// True if the authority is a buffer that the host can address.
  bool is_in_host_buffer() const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    return now != nullptr && now->client->is_addressable();
  }
  /// The copy at the placement, valid or not, or null.
  Copy* find_copy(const Placement& placement) const;
  bool is_valid(const Copy& copy) const;
  /// The authority's bytes, if the host can address them; null also for zeros that have not been made.
  const std::byte* host_bytes() const;
  detail::SeenValue seen();
  std::string place_str() const;

  /// Preserves the value for running programs. Called under mutex() before the value is written, in place or
  /// not, or leaves a buffer.
  void before_write() {
    if (is_watched) report_versions();
  }

  // Requires mutex() and `lock`. Objects that are no longer needed go to `over`, to be freed without the
  // locks.
  /// The authority's host value; zeros are made here.
  const std::shared_ptr<const ir::Literal>& host_literal();
  /// Chooses the authority after `copy` got its value. To write: `copy`, and the other copies are dropped. To
  /// read: the old authority, if the host can address it but not `copy`; else `copy`.
  void settle(Copy* copy, bool to_write, Copies& over);
  void make_authority(Copy* copy);
  void erase_copies(const std::function<bool(const Copy&)>& is_over, Copies& over);
  /// Replaces the value by one in host memory.
  void set_host_value(std::shared_ptr<const ir::Literal>& value);
  /// Replaces the value in its storage.
  void write_stored(const std::byte* value);
  /// Replaces the value by that of a new buffer.
  void set_copy(std::unique_ptr<Copy> copy, Copies& over);

 private:
  void report_versions();
};

namespace detail {

enum class Access { kRead, kWrite };

/// The current value. Errors: FailedPrecondition if another thread's run writes it (VariableClaim).
SeenValue seen_value(const Variable& variable);
/// Makes a tensor of a value from seen_value; a value in a device's memory is labelled with that device.
Tensor tensor_of(const Variable::State& state, const SeenValue& seen);

/// Moves variables to a placement, with one round trip for each client involved. To write: to execute
/// programs that have them as state; the other copies are dropped.
/// Errors: those of the clients, with all values where they were; FailedPrecondition if another thread's run
///         writes one (VariableClaim).
void move_variables(std::span<const Variable> variables, const Placement& placement, Access access);

/// Writes the variables' buffers at a placement, moved if needed, to `buffers`, which has as many elements.
/// Lifetime: until variable_moves changes, or another placement writes one.
/// Threads:  the caller has a VariableClaim on the variables, or no other thread uses them.
void find_buffers(std::span<const Variable> variables, const Placement& placement, Access access,
                  runtime::Buffer** buffers);

/// Holds the buffers of numbers in a device's memory, among those that find_buffers returned to read. Other
/// threads may write a number during a run that reads it (Wanted::kSingle): moving the new value there then
/// makes a new buffer and leaves the held one unchanged.
std::vector<std::shared_ptr<runtime::Buffer>> hold_numbers(std::span<const Variable> variables,
                                                           const Placement& placement,
                                                           runtime::Buffer** buffers);

}  // namespace detail

}  // namespace cornu::inline v0
