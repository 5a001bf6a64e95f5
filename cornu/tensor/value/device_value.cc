#include "cornu/tensor/value/device_value.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::detail {

/// A worker runs later work after the call, as its client numbers both. Other clients may store a result when
/// they wait for its call.
const std::shared_ptr<runtime::Buffer>& DeviceValue::buffer() const {
  if (call_ != nullptr && (client_->distant() == nullptr || call_->is_done())) call_->wait();
  return buffer_;
}

const std::byte* DeviceValue::bytes() const {
  if (const std::byte* known = bytes_.load(std::memory_order_acquire)) return known;
  const std::lock_guard lock(mutex_);
  if (const std::byte* known = bytes_.load(std::memory_order_relaxed)) return known;
  const std::size_t size_bytes = type().size_bytes();
  auto host = std::make_unique_for_overwrite<std::byte[]>(size_bytes == 0 ? 1 : size_bytes);
  try {
    if (call_ != nullptr) call_->wait();
    buffer_->copy_to_host(host.get());
  } catch (const Error& error) {
    throw error.with({.op = "tensor",
                      .notes = fmt::format("the elements of a {} cannot be read from {}", type_str(type()),
                                           client_->name())});
  }
  host_ = std::move(host);
  bytes_.store(host_.get(), std::memory_order_release);
  return host_.get();
}

DeviceInputs::DeviceInputs(const Placement& placement, std::span<const Tensor* const> tensors) {
  runtime::Client& client = *placement.client();
  const int device = placement.device();
  std::vector<runtime::Write> writes;
  held_.reserve(tensors.size());
  buffers_.reserve(tensors.size());
  for (const Tensor* tensor : tensors) {
    const DeviceValue* const value = tensor->device_value();
    if (value != nullptr && value->client() == placement.client()) {
      const bool is_here = value->device() == device;
      held_.push_back(is_here ? value->buffer() : client.copy(*value->buffer(), device));
    } else {
      const std::byte* const bytes = tensor->bytes();  // throws for a symbolic tensor
      held_.push_back(client.allocate(tensor->type(), device));
      writes.push_back({held_.back().get(), bytes});
      uploaded_bytes_ += tensor->type().size_bytes();
    }
    buffers_.push_back(held_.back().get());
  }
  client.write(writes);
}

Tensor on_placement(const Tensor& tensor, const Placement& placement, int device_index) {
  if (placement.client()->is_addressable()) {
    const DeviceValue* const value = tensor.device_value();
    if (value == nullptr) return tensor.on_device(device_index);
    ir::Literal copy(tensor.type());
    const std::byte* const bytes = value->bytes();
    std::copy_n(bytes, copy.bytes().size(), copy.mutable_bytes().data());
    return Tensor(copy).on_device(device_index);
  }
  const DeviceValue* const value = tensor.device_value();
  if (value != nullptr && value->client() == placement.client() && value->device() == placement.device())
    return tensor.on_device(device_index);
  runtime::Client& client = *placement.client();
  std::shared_ptr<runtime::Buffer> buffer;
  if (value != nullptr && value->client() == placement.client()) {
    buffer = client.copy(*value->buffer(), placement.device());
  } else {
    const std::byte* const bytes = tensor.bytes();
    buffer = client.allocate(tensor.type(), placement.device());
    buffer->copy_from_host(bytes);
  }
  return Tensor::on_buffer(std::make_shared<const DeviceValue>(placement.client(), std::move(buffer)),
                           device_index);
}

}  // namespace cornu::inline v0::detail
