#include "cornu/keras/trainer/worker_arrays.h"

#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0::keras {

runtime::Buffer* worker_buffer(const Tensor& array) {
  const detail::DeviceValue* const value = array.device_value();
  if (value == nullptr) return nullptr;
  const runtime::DistantClient* const distant = value->client()->distant();
  return distant != nullptr && distant->is_opened(*value->buffer()) ? value->buffer().get() : nullptr;
}

bool has_worker_arrays(const ArrayData& data) {
  bool has = false;
  data.for_each([&](const Tensor& array) { has = has || worker_buffer(array) != nullptr; });
  return has;
}

std::optional<runtime::ValueRange> known_range(const Tensor& array) {
  const runtime::Buffer* const buffer = worker_buffer(array);
  return buffer == nullptr ? std::nullopt : buffer->client()->distant()->range_of(*buffer);
}

std::vector<const std::byte*> bases_here(const ArrayData& data) {
  return has_worker_arrays(data) ? std::vector<const std::byte*>() : data.bases();
}

}  // namespace cornu::inline v0::keras
