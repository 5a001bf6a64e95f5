#include "cornu/plugin/buffer.h"

#include <algorithm>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/plugin/strided_copy.h"

namespace cornu::inline v0::plugin {
namespace {

/// Programs read elements at any address that is a multiple of their size; NumPy aligns arrays to 16 bytes.
constexpr std::uintptr_t kViewAlignment = 16;

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % kViewAlignment == 0; }

PJRT_Event* make_event(std::shared_ptr<Signal> signal) { return new PJRT_Event{std::move(signal)}; }

PJRT_Memory* memory_of(PJRT_Client& client, PJRT_Device* device, PJRT_Memory* memory) {
  if (memory != nullptr) return memory;
  return (device != nullptr ? device : client.device_list[0])->memories[0];
}

/// A block that has its memory.
std::shared_ptr<Block> new_block(PJRT_Client& client, std::size_t size_bytes) {
  auto block = std::make_shared<Block>(client.pool, size_bytes);
  block->data();
  return block;
}

void buffer_from_host(PJRT_Client_BufferFromHostBuffer_Args& args) {
  const std::span<const std::int64_t> dims(args.dims, args.num_dims);
  const std::size_t size = size_in_bytes(args.type, dims), element = element_size(args.type);
  if (args.num_byte_strides != 0 && args.num_byte_strides != args.num_dims)
    invalid_argument("[buffer_from_host] {} byte strides do not fit a tensor of {} dimensions",
                     args.num_byte_strides, args.num_dims);
  strides_of(args.device_layout, dims, element);  // buffers are row-major; other layouts are of no effect
  const std::span<const std::int64_t> strides(args.byte_strides, args.num_byte_strides);
  auto* const data = static_cast<std::byte*>(const_cast<void*>(args.data));
  const bool may_view = args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy ||
                        args.host_buffer_semantics == PJRT_HostBufferSemantics_kMutableZeroCopy;
  std::shared_ptr<Block> block;
  std::shared_ptr<Signal> host_is_free = Signal::done();
  if (may_view && size > 0 && is_aligned(data) && is_row_major(dims, strides, element)) {
    host_is_free = std::make_shared<Signal>();
    block = std::make_shared<Block>(data, size,
                                    args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy,
                                    [host_is_free] { host_is_free->set(); });
  } else {
    block = new_block(*args.client, size);
    const Dims own = row_major_strides(dims, element);
    if (size > 0) copy_strided(block->data(), own, data, strides.empty() ? own : strides, dims, element);
  }
  args.done_with_host_buffer = make_event(std::move(host_is_free));
  args.buffer = new PJRT_Buffer(memory_of(*args.client, args.device, args.memory), args.type,
                                Dims(dims.begin(), dims.end()), {std::move(block), Signal::done()});
}

void view_of_memory(PJRT_Client_CreateViewOfDeviceBuffer_Args& args) {
  const std::span<const std::int64_t> dims(args.dims, args.num_dims);
  const std::size_t size = size_in_bytes(args.element_type, dims), element = element_size(args.element_type);
  if (args.layout != nullptr && !is_row_major(dims, strides_of(args.layout, dims, element), element))
    fail(ErrorCode::kUnimplemented, "[view_of_memory] buffers are row-major");
  if (!is_aligned(args.device_buffer_ptr))
    invalid_argument("[view_of_memory] the address must be a multiple of {}", kViewAlignment);
  std::function<void()> release;
  if (args.on_delete_callback != nullptr)
    release = [callback = args.on_delete_callback, data = args.device_buffer_ptr,
               user = args.on_delete_callback_arg] { callback(data, user); };
  auto block = std::make_shared<Block>(static_cast<std::byte*>(args.device_buffer_ptr), size,
                                       /*is_immutable=*/true, std::move(release));
  args.buffer = new PJRT_Buffer(memory_of(*args.client, args.device, args.memory), args.element_type,
                                Dims(dims.begin(), dims.end()), {std::move(block), Signal::done()});
}

void uninitialized_buffer(PJRT_Client_CreateUninitializedBuffer_Args& args) {
  const std::span<const std::int64_t> dims(args.shape_dims, args.shape_num_dims);
  const std::size_t size = size_in_bytes(args.shape_element_type, dims);
  args.buffer =
      new PJRT_Buffer(memory_of(*args.client, args.device, args.memory), args.shape_element_type,
                      Dims(dims.begin(), dims.end()), {new_block(*args.client, size), Signal::done()});
}

/// Runs `copy` when the contents are there: at once, or in the queue after the work that writes them.
std::shared_ptr<Signal> copy_when_ready(PJRT_Client& client, const Contents& contents,
                                        std::function<void()> copy) {
  if (contents.ready->is_ready() && contents.ready->failure() == nullptr) {
    copy();
    return Signal::done();
  }
  auto copied = std::make_shared<Signal>();
  client.queue.submit([contents, copied, copy = std::move(copy)] {
    const PJRT_Error* const failure = contents.ready->failure();
    if (failure == nullptr) copy();
    copied->set(failure == nullptr ? std::nullopt : std::optional(*failure));
  });
  return copied;
}

void to_host(PJRT_Buffer_ToHostBuffer_Args& args) {
  const PJRT_Buffer& buffer = *args.src;
  const std::size_t size = size_in_bytes(buffer.type, buffer.dims), element = element_size(buffer.type);
  if (args.dst == nullptr) {
    args.dst_size = size;
    return;
  }
  if (args.dst_size < size)
    invalid_argument("[to_host] the tensor has {} bytes; the destination has {}", size, args.dst_size);
  Dims strides = strides_of(args.host_layout, buffer.dims, element);
  const Contents contents = buffer.contents("[to_host]");
  auto copy = [to = static_cast<std::byte*>(args.dst), strides = std::move(strides), dims = buffer.dims,
               block = contents.block, element] {
    if (block->size_bytes() > 0)
      copy_strided(to, strides, block->data(), row_major_strides(dims, element), dims, element);
  };
  args.event = make_event(copy_when_ready(*buffer.device->client, contents, std::move(copy)));
}

void raw_to_host(PJRT_Buffer_CopyRawToHost_Args& args) {
  const Contents contents = args.buffer->contents("[raw_to_host]");
  const auto size = static_cast<std::int64_t>(contents.block->size_bytes());
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > size ||
      args.transfer_size > size - args.offset)
    invalid_argument("[raw_to_host] {} bytes from byte {} are not inside {} bytes", args.transfer_size,
                     args.offset, size);
  auto copy = [to = args.dst, block = contents.block, offset = args.offset, count = args.transfer_size] {
    if (count > 0) std::memcpy(to, block->data() + offset, static_cast<std::size_t>(count));
  };
  args.event = make_event(copy_when_ready(*args.buffer->device->client, contents, std::move(copy)));
}

/// A buffer in another memory of the same client shares its bytes; of another client it is a copy.
PJRT_Buffer* copy_to(const PJRT_Buffer& buffer, PJRT_Memory& memory) {
  PJRT_Client& client = *memory.device->client;
  Contents contents = buffer.contents("[copy_to_device]");
  if (&client == buffer.device->client)
    return new PJRT_Buffer(&memory, buffer.type, buffer.dims, std::move(contents));
  contents.ready->wait();
  if (const PJRT_Error* const failure = contents.ready->failure())
    fail(ErrorCode::kFailedPrecondition, "[copy_to_device] the buffer's program failed: {}",
         failure->message);
  auto block = new_block(client, contents.block->size_bytes());
  std::memcpy(block->data(), contents.block->data(), block->size_bytes());
  return new PJRT_Buffer(&memory, buffer.type, buffer.dims, {std::move(block), Signal::done()});
}

void add_properties(PJRT_Api& api) {
  set_entry(api.PJRT_Buffer_ElementType, [](auto& args) { args.type = args.buffer->type; });
  set_entry(api.PJRT_Buffer_Dimensions, [](auto& args) {
    args.dims = args.buffer->dims.data();
    args.num_dims = args.buffer->dims.size();
  });
  set_entry(api.PJRT_Buffer_UnpaddedDimensions, [](auto& args) {
    args.unpadded_dims = args.buffer->dims.data();
    args.num_dims = args.buffer->dims.size();
  });
  set_entry(api.PJRT_Buffer_DynamicDimensionIndices, [](auto& args) {
    args.dynamic_dim_indices = nullptr;
    args.num_dynamic_dims = 0;
  });
  set_entry(api.PJRT_Buffer_OnDeviceSizeInBytes, [](auto& args) {
    args.on_device_size_in_bytes = size_in_bytes(args.buffer->type, args.buffer->dims);
  });
  set_entry(api.PJRT_Buffer_Device, [](auto& args) { args.device = args.buffer->device; });
  set_entry(api.PJRT_Buffer_Memory, [](auto& args) { args.memory = args.buffer->memory; });
  set_entry(api.PJRT_Buffer_IsOnCpu, [](auto& args) { args.is_on_cpu = true; });
  set_entry(api.PJRT_Buffer_IsDeleted, [](auto& args) { args.is_deleted = args.buffer->is_deleted(); });
}

}  // namespace

std::size_t element_size(PJRT_Buffer_Type type) {
  switch (type) {
    case PJRT_Buffer_Type_INVALID:
    case PJRT_Buffer_Type_TOKEN:
      fail(ErrorCode::kUnimplemented, "[pjrt_plugin] there are no buffers of type {}",
           static_cast<int>(type));
    case PJRT_Buffer_Type_S16:
    case PJRT_Buffer_Type_U16:
    case PJRT_Buffer_Type_F16:
    case PJRT_Buffer_Type_BF16: return 2;
    case PJRT_Buffer_Type_S32:
    case PJRT_Buffer_Type_U32:
    case PJRT_Buffer_Type_F32: return 4;
    case PJRT_Buffer_Type_S64:
    case PJRT_Buffer_Type_U64:
    case PJRT_Buffer_Type_F64:
    case PJRT_Buffer_Type_C64: return 8;
    case PJRT_Buffer_Type_C128: return 16;
    default: return 1;
  }
}

std::size_t size_in_bytes(PJRT_Buffer_Type type, std::span<const std::int64_t> dims) {
  for (const std::int64_t extent : dims)
    if (extent < 0) invalid_argument("[pjrt_plugin] an extent must not be negative; got {}", extent);
  const CheckedSize size = CheckedSize::product(dims) * CheckedSize(element_size(type));
  return static_cast<std::size_t>(size.value("[pjrt_plugin] a buffer"));
}

void add_buffer_functions(PJRT_Api& api) {
  add_properties(api);
  set_work(api.PJRT_Client_BufferFromHostBuffer, [](auto& args) { buffer_from_host(args); });
  set_work(api.PJRT_Client_CreateViewOfDeviceBuffer, [](auto& args) { view_of_memory(args); });
  set_work(api.PJRT_Client_CreateUninitializedBuffer, [](auto& args) { uninitialized_buffer(args); });
  set_release(api.PJRT_Buffer_Destroy, [](auto& args) { delete args.buffer; });
  set_release(api.PJRT_Buffer_Delete, [](auto& args) { args.buffer->delete_contents(); });
  set_work(api.PJRT_Buffer_ToHostBuffer, [](auto& args) { to_host(args); });
  set_work(api.PJRT_Buffer_CopyRawToHost, [](auto& args) { raw_to_host(args); });
  set_work(api.PJRT_Buffer_CopyToDevice,
           [](auto& args) { args.dst_buffer = copy_to(*args.buffer, *args.dst_device->memories[0]); });
  set_work(api.PJRT_Buffer_CopyToMemory,
           [](auto& args) { args.dst_buffer = copy_to(*args.buffer, *args.dst_memory); });
  set_entry(api.PJRT_Buffer_ReadyEvent,
            [](auto& args) { args.event = make_event(args.buffer->contents("[ready_event]").ready); });
  set_entry(api.PJRT_Buffer_UnsafePointer, [](auto& args) {
    args.buffer_pointer =
        reinterpret_cast<std::uintptr_t>(args.buffer->contents("[unsafe_pointer]").block->data());
  });
  set_entry(api.PJRT_Buffer_OpaqueDeviceMemoryDataPointer, [](auto& args) {
    args.device_memory_ptr = args.buffer->contents("[memory_pointer]").block->data();
  });
  set_entry(api.PJRT_Buffer_IncreaseExternalReferenceCount, [](auto& args) { args.buffer->add_reference(); });
  set_release(api.PJRT_Buffer_DecreaseExternalReferenceCount,
              [](auto& args) { args.buffer->drop_reference(); });
}

}  // namespace cornu::inline v0::plugin

using cornu::plugin::BlockOwner;
using cornu::plugin::Contents;

Contents PJRT_Buffer::contents(std::string_view user) const {
  const std::lock_guard lock(mutex_);
  if (owner_.block() == nullptr) cornu::invalid_argument("{} the buffer was deleted or donated", user);
  return {owner_.block(), ready_};
}

PJRT_Buffer::Taken PJRT_Buffer::take(std::string_view user) {
  const std::lock_guard lock(mutex_);
  if (owner_.block() == nullptr) cornu::invalid_argument("{} the buffer was deleted or donated", user);
  Taken taken = {{owner_.block(), ready_}, owner_.block()->can_be_donated()};
  owner_.reset();
  return taken;
}

void PJRT_Buffer::restore(Contents contents) {
  const std::lock_guard lock(mutex_);
  owner_ = BlockOwner(std::move(contents.block));
}

void PJRT_Buffer::delete_contents() {
  BlockOwner owner;
  const std::lock_guard lock(mutex_);
  owner = std::move(owner_);
}

bool PJRT_Buffer::is_deleted() const {
  const std::lock_guard lock(mutex_);
  return owner_.block() == nullptr;
}

void PJRT_Buffer::add_reference() {
  const std::lock_guard lock(mutex_);
  if (owner_.block() == nullptr) cornu::invalid_argument("[add_reference] the buffer was deleted or donated");
  references_.emplace_back(owner_.block());
}

void PJRT_Buffer::drop_reference() {
  BlockOwner reference;  // released without the lock: the host's callback may wait for other threads
  const std::lock_guard lock(mutex_);
  if (references_.empty()) cornu::invalid_argument("[drop_reference] the buffer has no references");
  reference = std::move(references_.back());
  references_.pop_back();
}
