#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::keras {

struct Batches;

/// Arrays kept on a device that has memory of its own (Client::keeps_rows). From the second pass on (the first,
/// if more are planned) only indices are sent, to a device of this machine where the rows of an execution are
/// many bytes. Arrays that the device's process has opened itself are there already; those beside them are sent
/// at once.
/// Lifetime: of the arrays. Threads: one thread.
class ResidentRows {
 public:
  /// The buffers of the arrays there, for these batches of them; empty where the rows are to be sent, also
  /// where there is no room. Errors: as Client::write.
  std::span<runtime::Buffer* const> find(const std::shared_ptr<runtime::Client>& client,
                                         const Batches& batches);

  void expect_passes(std::int64_t num_passes) { num_passes_ = num_passes; }

 private:
  /// The arrays on one client's device.
  struct Place {
    std::shared_ptr<runtime::Client> client;
    std::uint64_t generation = 0;
    std::int64_t num_rows_sent = 0;
    bool has_room = true;
    std::vector<std::unique_ptr<runtime::Buffer>> made;
    std::vector<runtime::Buffer*> buffers;
  };

  Place& place_of(const std::shared_ptr<runtime::Client>& client, std::uint64_t generation);
  static void upload(Place& place, const Batches& batches);

  std::vector<std::unique_ptr<Place>> places_;
  std::int64_t num_passes_ = 0;  // 0: nobody knows
};

}  // namespace cornu::inline v0::keras
