#include <algorithm>
#include <utility>

#include "cornu/backends/remote/client/client.h"
#include "cornu/backends/remote/client/connection.h"
#include "cornu/backends/remote/client/files.h"
#include "cornu/backends/remote/client/pipeline.h"
#include "cornu/backends/remote/client/read_stream.h"
#include "cornu/backends/remote/client/remote_buffer.h"
#include "cornu/backends/remote/client/remote_executable.h"
#include "cornu/backends/remote/client/worker_group.h"
#include "cornu/base/check.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/late_reads.h"
#include "cornu/runtime/pass_listener.h"
#include "cornu/runtime/virtual_clock.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// A client of a worker's device, or of several of them as one.
class RemoteClient final : public runtime::Client,
                           public runtime::DistantClient,
                           public runtime::DeviceGroup,
                           public runtime::PassListener,
                           public runtime::VirtualClock,
                           public runtime::LateReads {
 public:
  explicit RemoteClient(std::shared_ptr<Connection> connection)
      : Client({to_device_info(connection->hello().device())}), connection_(std::move(connection)) {}

  std::string platform() const override { return "grpc://" + connection_->address().host_port; }
  std::string description() const override {
    return fmt::format("worker {}: {}", connection_->hello().version(), connection_->hello().description());
  }
  /// The time of the last reply if the worker's device has a virtual clock.
  double now() const override {
    const std::optional<double> told = connection_->clock().now();
    return told.has_value() ? *told : Client::now();
  }
  bool has_virtual_clock() const override { return connection_->clock().now().has_value(); }
  void begin_pass() override { connection_->begin_pass(); }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<RemoteExecutable>(program, *this, connection_);
  }
  std::int64_t size() const override { return connection_->hello().num_replicas(); }
  std::unique_ptr<runtime::Executable> compile_parts(const runtime::StepProgram& program,
                                                     std::int64_t batch) override {
    return std::make_unique<RemoteExecutable>(program, *this, connection_, batch);
  }
  void write_members(std::span<const runtime::MemberWrite> writes) override;
  void read_members(std::span<const runtime::MemberRead> reads) override;
  std::shared_ptr<runtime::Client> group(std::span<const std::shared_ptr<runtime::Client>> all) override;
  void reconnect(std::uint64_t lost) override {
    const std::lock_guard lock(connection_->order());
    connection_->reconnect(lost);
  }
  std::uint64_t generation() const override { return connection_->generation(); }
  bool has_lost_devices() const override { return connection_->has_lost_session(); }
  std::vector<std::unique_ptr<runtime::Buffer>> open(const runtime::DistantFiles& files) override;
  bool is_opened(const runtime::Buffer& buffer) const override {
    return remote_buffer(buffer).origin() != nullptr;
  }
  std::optional<runtime::ValueRange> range_of(const runtime::Buffer& buffer) const override {
    const FileOrigin* const origin = remote_buffer(buffer).origin();
    return origin == nullptr ? std::nullopt : origin->range;
  }
  runtime::Event read_later(std::span<const runtime::Read> reads) override;
  void save(const std::string& path, std::uint64_t mark,
            std::span<const runtime::NamedBuffer> buffers) override;
  void load(const std::string& path, std::uint64_t mark,
            std::span<const runtime::NamedBuffer> buffers) override;
  runtime::DistantClient* distant() override { return this; }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    ir::check_type(type);
    return std::make_unique<RemoteBuffer>(type, this, connection_);
  }
  void do_write(std::span<const runtime::Write> writes) override;
  void do_read(std::span<const runtime::Read> reads) override;
  bool put_off(std::span<const runtime::Write> writes);
  std::unique_ptr<runtime::Buffer> do_copy(const runtime::Buffer& buffer, int device) override;

 private:
  std::shared_ptr<Connection> connection_;
};

/// Opens a session on all devices if they belong to one worker; else one on each worker.
std::shared_ptr<runtime::Client> RemoteClient::group(std::span<const std::shared_ptr<runtime::Client>> all) {
  std::vector<WorkerAddress> addresses;
  bool is_one_worker = true;
  for (const std::shared_ptr<runtime::Client>& client : all) {
    const auto* const remote = dynamic_cast<const RemoteClient*>(client.get());
    if (remote == nullptr)
      invalid_argument("[grpc] devices of {} and of {} are no group", name(), client->name());
    addresses.push_back(remote->connection_->address());
    is_one_worker = is_one_worker && remote->platform() == platform();
  }
  if (!is_one_worker) return make_worker_group(addresses);
  WorkerAddress address = connection_->address();
  address.device.clear();
  for (const WorkerAddress& one : addresses)
    address.device +=
        (address.device.empty() ? "" : "+") + (one.device.empty() ? std::string("0") : one.device);
  return std::make_shared<RemoteClient>(std::make_shared<Connection>(std::move(address)));
}

void set_piece(proto::Piece& piece, std::uint64_t buffer, std::size_t offset, std::size_t size,
               std::uint32_t member) {
  piece.set_buffer(buffer);
  piece.set_offset(offset);
  piece.set_size(size);
  piece.set_member(member);
}

/// Defers small writes to the next execution, so that resetting metrics costs no call.
bool RemoteClient::put_off(std::span<const runtime::Write> writes) {
  std::size_t total = 0;
  for (const runtime::Write& write : writes) {
    const std::size_t num_bytes = write.to->type().size_bytes();
    total += num_bytes;
    if (num_bytes > kSmallBytes || total > kMaxSmallBytes) return false;
  }
  for (const runtime::Write& write : writes) {
    RemoteBuffer& to = remote_buffer(*write.to);
    const std::string_view bytes(static_cast<const char*>(write.from), to.type().size_bytes());
    if (!connection_->put_off(to.number(), to.type(), bytes)) return false;
    to.set_written();
    to.set_known(std::string(bytes));
  }
  // The base class counts one for each write; this one is not made yet.
  note(&runtime::TransferStatistics::writes, {.calls = -1});
  return true;
}

/// Writes pieces of buffers by calls, several of them in flight.
class WriteCalls {
 public:
  explicit WriteCalls(Connection& connection)
      : connection_(connection), pipeline_(connection, kWriteMethod), transfer_(connection.next_number()) {}

  /// `member`: see Piece in worker.proto.
  void add(const runtime::Write& write, std::uint32_t member = 0) {
    const RemoteBuffer& to = remote_buffer(*write.to);
    const std::size_t num_bytes = to.type().size_bytes();
    std::size_t offset = 0;
    do {
      const std::size_t size = std::min(num_bytes - offset, piece_bytes_ - data_bytes_);
      proto::WriteRequest::Item& item = *request_.add_items();
      set_piece(*item.mutable_piece(), to.number(), offset, size, member);
      *item.mutable_type() = remote::to_proto(to.type());
      data_.push_back({static_cast<const std::byte*>(write.from) + offset, size});
      data_bytes_ += size;
      offset += size;
      if (data_bytes_ == piece_bytes_) send();
    } while (offset < num_bytes);
  }
  void finish() {
    if (request_.items_size() > 0) send();
    pipeline_.finish();
  }

 private:
  void send() {
    connection_.fill(request_);
    request_.set_transfer(transfer_);
    pipeline_.begin(request_.SerializeAsString(), proto::WriteRequest::kDataFieldNumber, data_, nullptr);
    request_.Clear();
    data_.clear();
    data_bytes_ = 0;
    piece_bytes_ = connection_.pace().piece_bytes();
  }

  Connection& connection_;
  Pipeline pipeline_;
  const std::uint64_t transfer_;
  proto::WriteRequest request_;
  Parts data_;
  std::size_t piece_bytes_ = connection_.pace().piece_bytes();
  std::size_t data_bytes_ = 0;
};

void RemoteClient::do_write(std::span<const runtime::Write> writes) {
  const std::lock_guard lock(connection_->order());
  if (put_off(writes)) return;
  connection_->send_pending();
  WriteCalls calls(*connection_);
  for (const runtime::Write& write : writes) {
    remote_buffer(*write.to).set_written();
    calls.add(write);
  }
  calls.finish();
}

void RemoteClient::do_read(std::span<const runtime::Read> reads) {
  const std::lock_guard lock(connection_->order());
  for (const runtime::Read& read : reads) remote_buffer(*read.from).make_alive();
  const auto has_unknown = [&] {
    return std::any_of(reads.begin(), reads.end(), [](const runtime::Read& read) {
      return !remote_buffer(*read.from).known().has_value();
    });
  };
  if (has_unknown()) connection_->run_stream().finish();  // replies bring values
  const bool is_call = has_unknown();
  if (is_call) connection_->send_pending();
  proto::ReadRequest request;
  std::vector<std::span<std::byte>> places;
  for (const runtime::Read& read : reads) {
    const RemoteBuffer& from = remote_buffer(*read.from);
    const std::size_t num_bytes = from.type().size_bytes();
    if (from.known().has_value()) {
      std::copy(from.known()->begin(), from.known()->end(), static_cast<char*>(read.to));
    } else if (num_bytes > 0) {
      set_piece(*request.add_pieces(), from.number(), 0, num_bytes, 0);
      places.push_back({static_cast<std::byte*>(read.to), num_bytes});
    }
  }
  // The base class counts one for each read; values returned with an execution are not reads.
  if (!is_call) note(&runtime::TransferStatistics::reads, {.calls = -1});
  if (places.empty()) return;
  connection_->fill(request);
  ReadStream(*connection_, request).read_into(places);
}

/// Values that replies to executions bring. Replies arrive in order, so all are there with the last one.
class LateReadEvent final : public runtime::Event::State {
 public:
  LateReadEvent(std::shared_ptr<Connection> connection, std::shared_ptr<SentExecution> last,
                std::shared_ptr<const std::size_t> num_missing)
      : last_(std::move(connection), std::move(last)), num_missing_(std::move(num_missing)) {}
  bool is_ready() override { return last_.is_ready(); }
  void wait() override {
    last_.wait();
    if (*num_missing_ > 0)
      fail(ErrorCode::kInternal, "[grpc] a worker has answered an execution without {} of its values",
           *num_missing_);
  }

 private:
  SentExecutionEvent last_;
  std::shared_ptr<const std::size_t> num_missing_;
};

runtime::Event RemoteClient::read_later(std::span<const runtime::Read> reads) {
  {
    const std::lock_guard lock(connection_->order());
    for (const runtime::Read& read : reads) remote_buffer(*read.from).make_alive();
    const std::shared_ptr<SentExecution> last = connection_->run_stream().last();
    const auto comes_without_call = [](const runtime::Read& read) {
      const KnownBytes& known = *remote_buffer(*read.from).known_bytes();
      return known.bytes.has_value() || known.are_awaited();
    };
    if (last != nullptr && std::ranges::all_of(reads, comes_without_call)) {
      const auto num_missing = std::make_shared<std::size_t>(0);
      for (const runtime::Read& read : reads) {
        KnownBytes& known = *remote_buffer(*read.from).known_bytes();
        if (known.bytes.has_value()) {
          std::copy(known.bytes->begin(), known.bytes->end(), static_cast<char*>(read.to));
        } else {
          known.late.push_back({known.num_changes, static_cast<std::byte*>(read.to), num_missing});
          ++*num_missing;
        }
      }
      return runtime::Event(std::make_shared<LateReadEvent>(connection_, last, num_missing));
    }
  }
  read(reads);
  return {};
}

void RemoteClient::write_members(std::span<const runtime::MemberWrite> writes) {
  const std::lock_guard lock(connection_->order());
  connection_->send_pending();
  WriteCalls calls(*connection_);
  for (const runtime::MemberWrite& write : writes) {
    remote_buffer(*write.to).set_written();
    calls.add({write.to, write.from}, static_cast<std::uint32_t>(write.member + 1));
  }
  calls.finish();
}

void RemoteClient::read_members(std::span<const runtime::MemberRead> reads) {
  const std::lock_guard lock(connection_->order());
  for (const runtime::MemberRead& read : reads) remote_buffer(*read.from).make_alive();
  connection_->send_pending();
  proto::ReadRequest request;
  std::vector<std::span<std::byte>> places;
  for (const runtime::MemberRead& read : reads) {
    const RemoteBuffer& from = remote_buffer(*read.from);
    const std::size_t num_bytes = from.type().size_bytes();
    if (num_bytes == 0) continue;
    set_piece(*request.add_pieces(), from.number(), 0, num_bytes,
              static_cast<std::uint32_t>(read.member + 1));
    places.push_back({static_cast<std::byte*>(read.to), num_bytes});
  }
  if (places.empty()) return;
  connection_->fill(request);
  ReadStream(*connection_, request).read_into(places);
}

std::unique_ptr<runtime::Buffer> RemoteClient::do_copy(const runtime::Buffer& buffer, int device) {
  std::unique_ptr<runtime::Buffer> copy = do_allocate(buffer.type(), device);
  proto::CopyRequest request;
  proto::CopyReply reply;
  request.set_from(remote_buffer(buffer).number());
  request.set_to(remote_buffer(*copy).number());
  const std::lock_guard lock(connection_->order());
  remote_buffer(buffer).make_alive();
  connection_->send_pending();
  connection_->fill(request);
  connection_->call(&proto::Worker::Stub::Copy, request, reply);
  remote_buffer(*copy).set_written();
  return copy;
}

std::vector<std::unique_ptr<runtime::Buffer>> RemoteClient::open(const runtime::DistantFiles& files) {
  const std::lock_guard lock(connection_->order());
  return open_files(files, *this, connection_);
}

void RemoteClient::save(const std::string& path, std::uint64_t mark,
                        std::span<const runtime::NamedBuffer> buffers) {
  const std::lock_guard lock(connection_->order());
  save_buffers(path, mark, buffers, *connection_);
}

void RemoteClient::load(const std::string& path, std::uint64_t mark,
                        std::span<const runtime::NamedBuffer> buffers) {
  const std::lock_guard lock(connection_->order());
  load_buffers(path, mark, buffers, *connection_);
}

}  // namespace

std::shared_ptr<runtime::Client> make_client_of(std::shared_ptr<Connection> connection) {
  return std::make_shared<RemoteClient>(std::move(connection));
}

std::shared_ptr<runtime::Client> make_remote_client(const std::string& argument) {
  return make_client_of(std::make_shared<Connection>(parse_address(argument)));
}

}  // namespace cornu::inline v0::backends::remote
