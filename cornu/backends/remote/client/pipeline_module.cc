#include "cornu/backends/remote/client/pipeline.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/backends/remote/client/connection.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// As protobuf's wire format has it.
void append_varint(std::string& text, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  text += static_cast<char>(value);
}
constexpr int kBytesField = 2;  // the kind of a field that says its length

/// Goes through a message's slices.
class SliceReader {
 public:
  explicit SliceReader(const grpc::ByteBuffer& message) { is_good_ = message.Dump(&slices_).ok(); }
  bool is_good() const { return is_good_; }

  bool read(std::span<std::byte> to) {
    while (!to.empty()) {
      if (slice_ == slices_.size()) return false;
      const std::size_t count = std::min(to.size(), slices_[slice_].size() - at_);
      std::memcpy(to.data(), slices_[slice_].begin() + at_, count);
      to = to.subspan(count);
      at_ += count;
      if (at_ < slices_[slice_].size()) continue;
      ++slice_;
      at_ = 0;
    }
    return true;
  }
  bool read_varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      std::byte byte{};
      if (!read({&byte, 1})) return false;
      value |= static_cast<std::uint64_t>(byte & std::byte{0x7f}) << shift;
      if ((byte & std::byte{0x80}) == std::byte{0}) return true;
    }
    return false;
  }

 private:
  std::vector<grpc::Slice> slices_;
  std::size_t slice_ = 0, at_ = 0;
  bool is_good_;
};

}  // namespace

struct Pipeline::Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer reply;
  grpc::Status status;
  std::function<void(grpc::ByteBuffer&)> take;
};

Pipeline::Pipeline(Connection& connection, const char* method)
    : connection_(connection), method_(std::string("/cornu.remote.v1.Worker/") + method) {}

Pipeline::~Pipeline() {
  wait_for_all();
  events_.Shutdown();
  void* tag = nullptr;
  bool is_ok = false;
  while (events_.Next(&tag, &is_ok)) {
  }
}

grpc::Slice Pipeline::lend(std::span<const std::byte> memory) {
  {
    const std::lock_guard lock(lent_->mutex);
    ++lent_->count;
  }
  const auto give_back = [](void* data) {
    const std::unique_ptr<std::shared_ptr<Lent>> owner(static_cast<std::shared_ptr<Lent>*>(data));
    Lent& lent = **owner;
    const std::lock_guard lock(lent.mutex);
    --lent.count;
    lent.given_back.notify_all();
  };
  // gRPC only reads it.
  return {const_cast<std::byte*>(memory.data()), memory.size(), give_back,
          std::make_unique<std::shared_ptr<Lent>>(lent_).release()};
}

void Pipeline::begin(std::string head, int number, const Parts& data,
                     std::function<void(grpc::ByteBuffer&)> take) {
  while (num_calls_ >= kMostCalls) finish_one();
  if (error_ != nullptr) finish();
  std::size_t num_bytes = 0;
  for (const auto& part : data) num_bytes += part.size();
  std::vector<grpc::Slice> slices;
  if (num_bytes > 0) {
    append_varint(head, (static_cast<std::uint64_t>(number) << 3) | kBytesField);
    append_varint(head, num_bytes);
  }
  slices.emplace_back(head);
  for (const auto& part : data)
    if (!part.empty()) slices.push_back(lend(part));
  const grpc::ByteBuffer request(slices.data(), slices.size());
  slices.clear();
  auto call = std::make_unique<Call>();
  call->take = std::move(take);
  connection_.add_token(call->context);
  call->reader = connection_.generic_stub().PrepareUnaryCall(&call->context, method_, request, &events_);
  call->reader->StartCall();
  call->reader->Finish(&call->reply, &call->status, call.get());
  call.release();  // finish_one() gets it back
  ++num_calls_;
}

void Pipeline::finish_one() {
  void* tag = nullptr;
  bool is_ok = false;
  events_.Next(&tag, &is_ok);
  --num_calls_;
  const std::unique_ptr<Call> call(static_cast<Call*>(tag));
  if (error_ != nullptr) return;
  try {
    if (!call->status.ok()) throw call_error(call->status, connection_.address());
    if (call->take) call->take(call->reply);
  } catch (...) {
    error_ = std::current_exception();
  }
}

/// Memory is the caller's again: a link that hangs with some of it is ended by its keep-alive.
void Pipeline::wait_for_all() {
  while (num_calls_ > 0) finish_one();
  std::unique_lock lock(lent_->mutex);
  lent_->given_back.wait(lock, [this] { return lent_->count == 0; });
}

void Pipeline::finish() {
  wait_for_all();
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

bool copy_data(const grpc::ByteBuffer& message, std::span<const std::span<std::byte>> to) {
  std::size_t wanted = 0;
  for (const auto& part : to) wanted += part.size();
  SliceReader reader(message);
  std::uint64_t tag = 0, size = 0;
  if (!reader.is_good() || !reader.read_varint(tag) || tag != ((1U << 3) | kBytesField) ||
      !reader.read_varint(size) || size != wanted)
    return false;
  return std::all_of(to.begin(), to.end(), [&](const auto& part) { return reader.read(part); });
}

}  // namespace cornu::inline v0::backends::remote
