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

class VariableVersions;

/// What a thread has a claim on, or waits for (VariableClaim).
struct ClaimTurn;
struct ClaimMark {
  const ClaimTurn* turn;
  bool writes;
};

/// A variable's value as it was at one moment, wherever it is; later writes leave it alone.
struct SeenValue {
  std::shared_ptr<const ir::Literal> literal = {};  // in host memory that no device has
  std::shared_ptr<const std::byte> bytes = {};      // in a buffer that the host addresses
  std::optional<std::uint64_t> number = {};         // the bytes of a number in such a buffer, copied
  std::shared_ptr<runtime::Client> client = {};     // of `buffer`, which is in a device's memory
  std::shared_ptr<runtime::Buffer> buffer = {};
};

}  // namespace detail

/// What a variable's handles share: its value, and where it is.
///
/// One place has the authority over the value: a literal in host memory until a program first needs the
/// variable, or after something was assigned that a device has not got yet; else a buffer. Other buffers are
/// copies, valid as long as the bytes that they were made of are still the authority's: bytes of the host are
/// shared by what looks at them and left alone by what writes (Buffer::share), so that their address is as
/// good as a version. Where bytes cannot be shared no copy is taken for valid. A tensor or a run may hold a
/// buffer of a device that the host cannot address; the variable then goes on with a copy when it is written.
///
/// Threads: a value that is replaced is replaced at once to all that look. What updates a value in place has
///          a VariableClaim on it, for which readers and writers of other threads wait, or by which they are
///          refused.
struct Variable::State {
  struct Copy {
    std::shared_ptr<runtime::Client> client;  // outlives the buffer
    std::shared_ptr<runtime::Buffer> buffer;
    /// Holds the bytes at `made_of_bytes`. Null: the copy is not valid, unless it is the authority.
    std::shared_ptr<const void> made_of;
    const std::byte* made_of_bytes = nullptr;

    bool is_at(const Placement& placement) const {
      return client == placement.client() && buffer->device() == placement.device();
    }
    bool is_held() const { return !client->is_addressable() && buffer.use_count() > 1; }
  };
  using Copies = std::vector<std::unique_ptr<Copy>>;

  std::string name;
  std::string path;
  TensorType type;
  bool trainable = true;
  bool autocast = true;  // floating-point ones only
  std::function<Tensor(const Tensor&)> constraint;
  VariableAggregation aggregation = VariableAggregation::kNone;
  VariableSynchronization synchronization = VariableSynchronization::kAuto;
  int device = 0;
  std::shared_ptr<const ReplicaSet> replicas;  // in whose scope it was made; null: in none
  /// False for the counter of the process's random generator: all runs draw from it, so the claim of a run
  /// leaves it out, and each of its executions claims it.
  bool is_claimed_by_runs = true;

  /// Held for some instructions with mutex() by what changes the next three. Either of the two is enough to
  /// look at them, and neither is needed by the thread that has a claim on the variable.
  mutable SpinLock lock;
  /// Null: host_value has the authority.
  std::atomic<Copy*> authority{nullptr};
  /// With the authority, but nothing here: zeros that nobody has looked at (detail::zero_variable).
  std::shared_ptr<const ir::Literal> host_value;
  Copies copies;
  /// How often a value was given by something else than a program. Threads: safe.
  std::atomic<std::uint64_t> num_writes{0};
  /// How often a program or an optimizer has claimed it to write it. Threads: safe.
  std::atomic<std::uint64_t> num_claims{0};

  // Under mutex() alone.
  std::vector<detail::VariableVersions*> versions;  // of programs that read it
  bool is_watched = false;  // whether one of those has looked at the value since it was written
  std::vector<detail::ClaimMark> claim_marks;

  /// One for all variables, held for some instructions: what runs together sees values that were given
  /// together.
  static std::mutex& mutex();

  /// One element that a processor reads and writes whole. Numbers are copied where others are shared, so that
  /// they are always written in place.
  bool is_number() const { return type.size_bytes() <= sizeof(std::uint64_t) && type.num_elements() == 1; }

  // Under mutex() or `lock`, or for the thread that has a claim.
  /// The buffer at the placement if the authority is there and the buffer can be used so, else null.
  runtime::Buffer* find(const Placement& placement, bool to_write) const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    if (now == nullptr || !now->is_at(placement)) return nullptr;
    return to_write && now->is_held() ? nullptr : now->buffer.get();
  }
  /// Whether the authority is a buffer that only its client can read.
  bool is_in_device_buffer() const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    return now != nullptr && !now->client->is_addressable();
  }
  /// Whether the authority is a buffer that the host addresses.
  bool is_in_host_buffer() const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    return now != nullptr && now->client->is_addressable();
  }
  /// A copy there, valid or not, or null.
  Copy* find_copy(const Placement& placement) const;
  bool is_valid(const Copy& copy) const;
  /// The authority's bytes, if the host can address them; null also for zeros that are not made.
  const std::byte* host_bytes() const;
  detail::SeenValue seen();
  std::string place_str() const;

  /// Called before the value is written, in place or not, or leaves a buffer: runs that have begun keep what
  /// they have. Under mutex().
  void before_write() {
    if (is_watched) tell_versions();
  }

  // Under mutex() and `lock`. What is not needed any more goes to `over`, to be freed without them.
  /// The host's value, which has the authority; zeros are made here.
  const std::shared_ptr<const ir::Literal>& host_literal();
  /// Chooses who has the authority now that `copy` holds its value. To write: `copy`, and the others go.
  /// To read: who had it, if the host can address that but not `copy`; else `copy`.
  void settle(Copy* copy, bool to_write, Copies& over);
  void make_authority(Copy* copy);
  void erase_copies(const std::function<bool(const Copy&)>& is_over, Copies& over);
  /// Replaces the value by one that no buffer has.
  void set_host_value(std::shared_ptr<const ir::Literal>& value);
  /// Replaces the value by that of a buffer of its own.
  void set_copy(std::unique_ptr<Copy> copy, Copies& over);

 private:
  void tell_versions();
};

namespace detail {

enum class Access { kRead, kWrite };

/// The value as it is now. Errors: FailedPrecondition where another thread's run writes it (VariableClaim).
SeenValue seen_value(const Variable& variable);
/// A tensor of a value that was seen; of one in a device's memory it is labelled with that device.
Tensor tensor_of(const Variable::State& state, const SeenValue& seen);

/// Brings variables to a placement: as few round trips as there are clients that take part. To write: to
/// execute programs that have them as state; the other copies are given up.
/// Errors: what clients throw, with all values where they were; FailedPrecondition where another thread's run
///         writes one (VariableClaim).
void move_variables(std::span<const Variable> variables, const Placement& placement, Access access);

/// The buffers of variables at a placement, moved if need be. `buffers` has as many places.
/// Lifetime: until variable_moves changes, or another placement writes one.
/// Threads:  the caller has a VariableClaim on the variables, or no other thread works with them.
void find_buffers(std::span<const Variable> variables, const Placement& placement, Access access,
                  runtime::Buffer** buffers);

/// Of buffers that find_buffers gave to read, holds those of numbers in a device's memory. Other threads may
/// write a number beside a run that reads it (Wanted::kSingle): whatever moves the new value there then makes
/// a buffer of its own and leaves the held one as it is.
std::vector<std::shared_ptr<runtime::Buffer>> hold_numbers(std::span<const Variable> variables,
                                                           const Placement& placement,
                                                           runtime::Buffer** buffers);

}  // namespace detail

}  // namespace cornu::inline v0
