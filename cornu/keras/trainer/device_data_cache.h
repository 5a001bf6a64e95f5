#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

struct Batches;

/// A cache of arrays on a device that has memory of its own (Client::keeps_rows). Arrays are uploaded in the
/// second pass, or in the first if more are planned; from then on only indices are sent. On a device of this
/// machine, rows are sent each time if an execution's rows are few bytes, or if the arrays would take more
/// than half of the device's memory. Arrays that the device's process has opened itself are there already;
/// arrays used together with them are uploaded at once.
/// Lifetime: the arrays must outlive it. Threads: one thread.
class DeviceDataCache {
 public:
  /// The arrays' buffers on the device, for these batches; empty if rows are to be sent, also if the device
  /// has no memory left. Errors: those of Client::write.
  std::span<runtime::Buffer* const> find(const Placement& placement, const Batches& batches);

  void expect_passes(std::int64_t num_passes) { num_passes_ = num_passes; }

 private:
  /// The arrays on one device.
  struct Place {
    std::shared_ptr<runtime::Client> client;
    int device = 0;
    std::uint64_t generation = 0;
    std::int64_t num_rows_sent = 0;
    bool has_room = true;
    std::vector<std::unique_ptr<runtime::Buffer>> made = {};
    std::vector<runtime::Buffer*> buffers = {};
  };

  Place& place_of(const Placement& placement, std::uint64_t generation);
  static void upload(Place& place, const Batches& batches);

  std::vector<std::unique_ptr<Place>> places_;
  std::int64_t num_passes_ = 0;  // 0: not known
};

}  // namespace cornu::inline v0::keras
