#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0 {

/// What a variable's handles share: its value, and where it is.
///
/// One place has the authority over the value: a literal in host memory until a program first needs the
/// variable, or after something was assigned that a device has not got yet; else a buffer. Other buffers are
/// copies, valid as long as the bytes that they were made of are still the authority's: bytes of the host are
/// shared by what looks at them and left alone by what writes (Buffer::share), so that their address is as
/// good as a version. Where bytes cannot be shared no copy is taken for valid. A tensor may hold a buffer of
/// a device that the host cannot address; the variable then goes on with a copy when it is written.
/// Threads: as Variable's.
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
    bool is_held_by_tensors() const { return !client->is_addressable() && buffer.use_count() > 1; }
  };

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
  /// Null: host_value has the authority.
  std::atomic<Copy*> authority{nullptr};
  // What follows changes under mutex() alone.
  /// With the authority, but nothing here: zeros that nobody has looked at (detail::zero_variable).
  std::optional<ir::Literal> host_value;
  std::vector<std::unique_ptr<Copy>> copies;

  static std::mutex& mutex();

  /// The buffer at the placement if the authority is there and the buffer can be used so, else null.
  runtime::Buffer* find(const Placement& placement, bool to_write) const {
    const Copy* const now = authority.load(std::memory_order_acquire);
    if (now == nullptr || !now->is_at(placement)) return nullptr;
    return to_write && now->is_held_by_tensors() ? nullptr : now->buffer.get();
  }

  // Under mutex().
  /// A copy there, valid or not, or null.
  Copy* find_copy(const Placement& placement) const;
  bool is_valid(const Copy& copy) const;
  /// The host's value, which has the authority; zeros are made here.
  const ir::Literal& host_literal();
  /// The authority's bytes, if the host can address them; null also for zeros that are not made.
  const std::byte* host_bytes() const;
  /// Chooses who has the authority now that `copy` holds its value. To write: `copy`, and the others go.
  /// To read: who had it, if the host can address that but not `copy`; else `copy`.
  void settle(Copy* copy, bool to_write);
  void make_authority(Copy* copy);
  void erase_copies(const std::function<bool(const Copy&)>& is_over);
  /// Replaces the value by one that no buffer has.
  void set_host_value(ir::Literal value);
  /// Replaces the value by one that is in a device's memory.
  void set_device_value(const detail::DeviceValue& value);
  std::string place_str() const;
};

namespace detail {

enum class Access { kRead, kWrite };

/// Brings variables to a placement: as few round trips as there are clients that take part. To write: to
/// execute programs that have them as state; the other copies are given up.
/// Errors: what clients throw, with all values where they were.
void move_variables(std::span<const Variable> variables, const Placement& placement, Access access);

/// The buffers of variables at a placement, moved if need be. Lifetime: until variable_moves changes, or
/// another placement writes one. `buffers` has as many places.
void find_buffers(std::span<const Variable> variables, const Placement& placement, Access access,
                  runtime::Buffer** buffers);

}  // namespace detail

}  // namespace cornu::inline v0
