#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

struct Batches;

/// Arrays kept on a device that has memory of its own (Client::keeps_rows). From the second pass on (the first,
/// if more are planned) only indices are sent. A device of this machine gets rows sent all the same where those
/// of an execution are few bytes, or where the arrays would take more than half of its memory. Arrays that the
/// device's process has opened itself are there already; those beside them are sent at once.
/// Lifetime: of the arrays. Threads: one thread.
class ResidentRows {
 public:
  /// The buffers of the arrays there, for these batches of them; empty where the rows are to be sent, also
  /// where there is no room. Errors: as Client::write.
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
  std::int64_t num_passes_ = 0;  // 0: nobody knows
};

}  // namespace cornu::inline v0::keras
