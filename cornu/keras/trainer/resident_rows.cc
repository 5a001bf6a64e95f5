#include "cornu/keras/trainer/resident_rows.h"

#include <algorithm>

#include "cornu/base/error.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/worker_arrays.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::keras {
namespace {

/// Below it rows are sent to a device of this machine in the time that the launch which gathers them there
/// takes to begin.
constexpr std::size_t kBytesWorthGathering = std::size_t{128} << 10;

/// Of the rows of some batches.
std::size_t bytes_of(const Batches& batches) {
  std::size_t row_bytes = 0;
  batches.arrays->for_each([&](const Tensor& array) {
    row_bytes +=
        array.type().size_bytes() / static_cast<std::size_t>(std::max<std::int64_t>(array.shape()[0], 1));
  });
  return row_bytes * static_cast<std::size_t>(batches.num_rows);
}

}  // namespace

ResidentRows::Place& ResidentRows::place_of(const std::shared_ptr<runtime::Client>& client,
                                            std::uint64_t generation) {
  for (const std::unique_ptr<Place>& place : places_) {
    if (place->client != client) continue;
    if (place->generation != generation) *place = {.client = client, .generation = generation};
    return *place;
  }
  return *places_.emplace_back(new Place{.client = client, .generation = generation});
}

void ResidentRows::upload(Place& place, const Batches& batches) {
  std::vector<runtime::Write> writes;
  try {
    batches.arrays->for_each([&](const Tensor& array) {
      runtime::Buffer* const there = worker_buffer(array);
      if (there != nullptr && there->client() == place.client.get()) {
        place.buffers.push_back(there);
        return;
      }
      place.buffers.push_back(place.made.emplace_back(place.client->allocate(array.type())).get());
      writes.push_back({place.buffers.back(), array.bytes()});
    });
    if (!writes.empty()) place.client->write(writes);
  } catch (const Error& error) {
    place.buffers.clear();
    place.made.clear();
    if (error.code() != ErrorCode::kResourceExhausted) throw;
    place.has_room = false;
  }
}

std::span<runtime::Buffer* const> ResidentRows::find(const std::shared_ptr<runtime::Client>& client,
                                                     const Batches& batches) {
  if (!client->keeps_rows()) return {};
  runtime::DistantClient* const distant = client->distant();
  Place& place = place_of(client, distant == nullptr ? 0 : distant->generation());
  if (!place.has_room || !place.buffers.empty()) return place.buffers;
  if (distant == nullptr && bytes_of(batches) < kBytesWorthGathering) return {};
  // Until each row was sent once nothing is lost by sending rows, unless it is known that they come again.
  if (num_passes_ < 2 && !batches.bases.empty() &&
      place.num_rows_sent + batches.num_rows <= batches.arrays->num_rows()) {
    place.num_rows_sent += batches.num_rows;
    return {};
  }
  upload(place, batches);
  return place.buffers;
}

}  // namespace cornu::inline v0::keras
