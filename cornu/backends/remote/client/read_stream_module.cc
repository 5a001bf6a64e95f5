#include "cornu/backends/remote/client/read_stream.h"

#include <algorithm>
#include <utility>

#include "cornu/backends/remote/wire/slices.h"
#include "cornu/backends/remote/wire/streaming_copy.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Parts of memory that are filled one after another.
class Places {
 public:
  explicit Places(std::span<const std::span<std::byte>> parts) : parts_(parts) {
    for (const auto& part : parts) left_ += part.size();
    is_large_ = left_ >= kStreamingBytes;
  }
  std::size_t left() const { return left_; }

  /// Copies the bytes of a message with a single field of bytes, number 1. False for another message, or if
  /// there is no space.
  bool take(const grpc::ByteBuffer& message) {
    const MessageSlices slices(message);
    const std::optional<SplitMessage> split =
        split_last_field(slices.parts(), proto::ReadReply::kDataFieldNumber);
    if (!split.has_value() || !split->head.empty()) return false;
    PartsReader data(split->data);
    if (data.left() > left_) return false;
    left_ -= data.left();
    while (data.left() > 0) {
      for (; at_ == parts_[part_].size(); ++part_) at_ = 0;
      const std::size_t size = std::min(data.left(), parts_[part_].size() - at_);
      copy(data.take(size), parts_[part_].data() + at_);
      at_ += size;
    }
    return true;
  }

 private:
  void copy(const Parts& from, std::byte* to) const {
    if (!is_large_) return copy_bytes(from, to);
    for (const auto& part : from) {
      streaming_copy(part, to);
      to += part.size();
    }
  }

  std::span<const std::span<std::byte>> parts_;
  std::size_t left_ = 0, part_ = 0, at_ = 0;
  bool is_large_ = false;
};

grpc::ByteBuffer to_buffer(const proto::ReadRequest& request) {
  const grpc::Slice slice(request.SerializeAsString());
  return {&slice, 1};
}

}  // namespace

ReadStream::ReadStream(Connection& connection, const proto::ReadRequest& request) : connection_(connection) {
  connection.add_token(context_);
  context_.set_initial_metadata_corked(true);  // the call begins with the request, which is also its end
  call_ = connection.generic_stub().PrepareCall(&context_, kReadMethod, &events_);
  call_->StartCall(this);
  call_->WriteLast(to_buffer(request), grpc::WriteOptions(), this);
  wait();  // if it fails, so does the read
  call_->Read(&messages_[arriving_], this);
}

ReadStream::~ReadStream() {
  if (!is_finished_) {
    context_.TryCancel();
    while (next() != nullptr) {
    }
    finish();
  }
  events_.Shutdown();
  void* tag = nullptr;
  bool is_ok = false;
  while (events_.Next(&tag, &is_ok)) {
  }
}

bool ReadStream::wait() {
  void* tag = nullptr;
  bool is_ok = false;
  return events_.Next(&tag, &is_ok) && is_ok;
}

grpc::ByteBuffer* ReadStream::next() {
  if (has_ended_) return nullptr;
  has_ended_ = !wait();
  if (has_ended_) return nullptr;
  grpc::ByteBuffer& arrived = messages_[arriving_];
  arriving_ = 1 - arriving_;
  messages_[arriving_].Clear();
  call_->Read(&messages_[arriving_], this);
  return &arrived;
}

void ReadStream::finish() {
  call_->Finish(&status_, this);
  wait();
  connection_.take_clock(context_);
  is_finished_ = true;
}

void ReadStream::read_into(std::span<const std::span<std::byte>> to) {
  Places places(to);
  const std::size_t wanted = places.left();
  const auto refuse = [&] {
    fail(ErrorCode::kInternal, "[grpc] the worker at {} answered a read of {} bytes with something else",
         connection_.address().host_port, wanted);
  };
  while (grpc::ByteBuffer* const message = next()) {
    if (!places.take(*message)) refuse();
    message->Clear();  // its memory is reused for the message after the next
  }
  finish();
  if (!status_.ok()) throw connection_.failed_call(status_);
  if (places.left() > 0) refuse();
}

}  // namespace cornu::inline v0::backends::remote
