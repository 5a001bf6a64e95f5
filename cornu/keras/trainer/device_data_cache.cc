#include "cornu/keras/trainer/device_data_cache.h"

#include <algorithm>
#include <utility>

#include "cornu/base/error.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/worker_arrays.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::keras {
namespace {

/// Smaller batches are sent to a device of this machine: that takes less time than to launch the gather
/// there.
constexpr std::size_t kBytesWorthGathering = std::size_t{128} << 10;

/// The bytes of the rows of some batches.
std::size_t bytes_of(const Batches& batches) {
  std::size_t row_bytes = 0;
  batches.arrays->for_each([&](const Tensor& array) {
    row_bytes +=
        array.type().size_bytes() / static_cast<std::size_t>(std::max<std::int64_t>(array.shape()[0], 1));
  });
  return row_bytes * static_cast<std::size_t>(batches.num_rows);
}

/// True if a device of this machine has enough memory for the arrays besides the training.
bool has_room_for(const runtime::Client& client, int device, const Batches& batches) {
  std::size_t bytes = 0;
  batches.arrays->for_each([&](const Tensor& array) { bytes += array.type().size_bytes(); });
  const std::size_t memory = client.devices()[static_cast<std::size_t>(device)].memory_bytes;
  return memory == 0 || bytes <= memory / 2;
}

}  // namespace

DeviceDataCache::Place& DeviceDataCache::place_of(const Placement& placement, std::uint64_t generation) {
  Place fresh{.client = placement.client(), .device = placement.device(), .generation = generation};
  for (const std::unique_ptr<Place>& place : places_) {
    if (place->client != fresh.client || place->device != fresh.device) continue;
    if (place->generation != generation) *place = std::move(fresh);
    return *place;
  }
  return *places_.emplace_back(std::make_unique<Place>(std::move(fresh)));
}

void DeviceDataCache::upload(Place& place, const Batches& batches) {
  std::vector<runtime::Write> writes;
  try {
    batches.arrays->for_each([&](const Tensor& array) {
      runtime::Buffer* const there = worker_buffer(array);
      if (there != nullptr && there->client() == place.client.get()) {
        place.buffers.push_back(there);
        return;
      }
      place.buffers.push_back(
          place.made.emplace_back(place.client->allocate(array.type(), place.device)).get());
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

std::span<runtime::Buffer* const> DeviceDataCache::find(const Placement& placement, const Batches& batches) {
  runtime::Client& client = *placement.client();
  if (!client.keeps_rows()) return {};
  runtime::DistantClient* const distant = client.distant();
  Place& place = place_of(placement, distant == nullptr ? 0 : distant->generation());
  const bool is_worth_it = distant != nullptr || bytes_of(batches) >= kBytesWorthGathering;
  if (!place.has_room || (!place.buffers.empty() && is_worth_it)) return place.buffers;
  // Sending rows costs nothing extra until each row was sent once, unless it is known that rows are used
  // again.
  const bool are_new = num_passes_ < 2 && !batches.bases.empty() &&
                       place.num_rows_sent + batches.num_rows <= batches.arrays->num_rows();
  if (are_new) place.num_rows_sent += batches.num_rows;
  if (are_new || !is_worth_it) return {};
  if (distant == nullptr && !has_room_for(client, place.device, batches))
    place.has_room = false;
  else
    upload(place, batches);
  return place.buffers;
}

}  // namespace cornu::inline v0::keras
