// Common parts of all clients: checks and counts around a backend's functions, and the defaults for
// addressable devices.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"
#include "cornu/base/undefined.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/eager_program.h"
#include "cornu/runtime/host_memory.h"

namespace cornu::inline v0::runtime {
namespace {

int next_client_id() {
  static std::atomic<int> last{0};
  return ++last;
}

}  // namespace

void Buffer::copy_from_host(const void* source) {
  if (client_ == nullptr) return copy_host_memory(writable_host_data(), source, type_.size_bytes());
  const Write write{this, source};
  client_->write({&write, 1});
}

void Buffer::copy_to_host(void* destination) const {
  if (client_ == nullptr) return copy_host_memory(destination, host_data(), type_.size_bytes());
  const Read read{this, destination};
  client_->read({&read, 1});
}

struct Client::Counts {
  std::mutex mutex;
  TransferStatistics sums;
};

Client::Client(std::vector<DeviceInfo> devices)
    : devices_(std::move(devices)),
      is_addressable_(std::all_of(devices_.begin(), devices_.end(),
                                  [](const DeviceInfo& device) { return device.is_addressable; })),
      id_(next_client_id()),
      counts_(std::make_unique<Counts>()) {
  CORNU_CHECK(!devices_.empty(), "a client without devices");
}

Client::~Client() = default;

std::unique_ptr<EagerProgram> Client::prepare(const ir::Function&) { return nullptr; }

bool Client::is_simulated() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const DeviceInfo& device) { return device.is_simulated; });
}

std::string Client::name() const { return fmt::format("{} (client {})", platform(), id_); }

double Client::now() const { return steady_seconds(); }

void Client::refuse_foreign(const Buffer& buffer, std::string_view what) const {
  if (buffer.client() == nullptr)
    invalid_argument("[{}] {} is host memory, which {} cannot address: copy it into a buffer of that client",
                     platform(), what, name());
  invalid_argument("[{}] {} belongs to {}, not to {}: copy it through the host", platform(), what,
                   buffer.client()->name(), name());
}

template <typename F>
void Client::counted(CallTotal TransferStatistics::* kind, std::size_t num_buffers, std::size_t num_bytes,
                     const F& work) {
  if (is_addressable_) return work();
  const double start = now();
  work();
  note(kind, {.calls = 1,
              .items = static_cast<std::int64_t>(num_buffers),
              .bytes = static_cast<std::int64_t>(num_bytes),
              .seconds = now() - start});
}

void Client::note(CallTotal TransferStatistics::* kind, const CallTotal& call) {
  const std::lock_guard lock(counts_->mutex);
  CallTotal& count = counts_->sums.*kind;
  count.calls += call.calls;
  count.items += call.items;
  count.bytes += call.bytes;
  count.seconds += call.seconds;
}

TransferStatistics Client::counts() const {
  const std::lock_guard lock(counts_->mutex);
  return counts_->sums;
}

std::unique_ptr<Buffer> Client::allocate(const ir::TensorType& type, int device) {
  if (device < 0 || static_cast<std::size_t>(device) >= devices_.size())
    invalid_argument("[{}] there is no device {}: {} has {}", platform(), device, name(), devices_.size());
  return do_allocate(type, device);
}

std::unique_ptr<Buffer> Client::copy(const Buffer& buffer, int device) {
  require_own(buffer, "the buffer to copy");
  if (device < 0 || static_cast<std::size_t>(device) >= devices_.size())
    invalid_argument("[{}] there is no device {}: {} has {}", platform(), device, name(), devices_.size());
  std::unique_ptr<Buffer> result;
  counted(&TransferStatistics::copies, 1, buffer.type().size_bytes(),
          [&] { result = do_copy(buffer, device); });
  return result;
}

void Client::write(std::span<const Write> writes) {
  std::size_t num_bytes = 0;
  for (const Write& write : writes) {
    Buffer& to = require_defined(write.to, "buffer");
    require_own(to, "a buffer to write");
    if (write.from == nullptr && to.type().size_bytes() > 0) throw_undefined("host memory");
    num_bytes += to.type().size_bytes();
  }
  if (!writes.empty())
    counted(&TransferStatistics::writes, writes.size(), num_bytes, [&] { do_write(writes); });
}

void Client::read(std::span<const Read> reads) {
  std::size_t num_bytes = 0;
  for (const Read& read : reads) {
    const Buffer& from = require_defined(read.from, "buffer");
    require_own(from, "a buffer to read");
    if (read.to == nullptr && from.type().size_bytes() > 0) throw_undefined("host memory");
    num_bytes += from.type().size_bytes();
  }
  if (!reads.empty()) counted(&TransferStatistics::reads, reads.size(), num_bytes, [&] { do_read(reads); });
}

void Client::do_write(std::span<const Write> writes) {
  for (const Write& write : writes)
    copy_host_memory(write.to->writable_host_data(), write.from, write.to->type().size_bytes());
}

void Client::do_read(std::span<const Read> reads) {
  for (const Read& read : reads)
    copy_host_memory(read.to, read.from->host_data(), read.from->type().size_bytes());
}

std::unique_ptr<Buffer> Client::do_copy(const Buffer& buffer, int device) {
  std::vector<std::byte> bytes(buffer.type().size_bytes());
  const Read read{&buffer, bytes.data()};
  do_read({&read, 1});
  std::unique_ptr<Buffer> result = do_allocate(buffer.type(), device);
  const Write write{result.get(), bytes.data()};
  do_write({&write, 1});
  return result;
}

}  // namespace cornu::inline v0::runtime
