#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "cornu/backends/remote/session.h"
#include "cornu/backends/remote/wire.h"
#include "cornu/backends/slabs/gather.h"
#include "cornu/base/check.h"
#include "cornu/ir/print.h"
#include "cornu/runtime/program_signature.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr auto kConnectTimeout = std::chrono::seconds(10);

/// The link to a worker and the session on it. Buffers and programs share it: what they held is released
/// with the next call.
class Connection {
 public:
  explicit Connection(WorkerAddress address)
      : address_(std::move(address)),
        token_(address_.token_file.empty() ? "" : read_token(address_.token_file)),
        stub_(proto::Worker::NewStub(open_channel(address_))) {
    proto::HelloRequest request;
    request.set_protocol(kProtocolVersion);
    request.set_version(CORNU_VERSION);
    request.set_device(address_.device);
    grpc::ClientContext context;
    prepare(context);
    context.set_deadline(std::chrono::system_clock::now() + kConnectTimeout);
    check(stub_->Hello(&context, request, &hello_));
    attach();
  }

  ~Connection() {
    attach_context_.TryCancel();
    if (attach_thread_.joinable()) attach_thread_.join();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const proto::HelloReply& hello() const { return hello_; }
  const WorkerAddress& address() const { return address_; }
  std::uint64_t next_number() { return ++last_number_; }

  void release(std::uint64_t number) {
    const std::lock_guard lock(released_mutex_);
    released_.push_back(number);
  }

  /// One call at a time: calls take effect in the order in which they are made.
  std::mutex& order() { return order_; }
  proto::Worker::Stub& stub() { return *stub_; }

  /// The session, and what was released since the last call.
  template <typename Request>
  void fill(Request& request) {
    request.set_session(hello_.session());
    const std::lock_guard lock(released_mutex_);
    request.mutable_released()->Add(released_.begin(), released_.end());
    released_.clear();
  }

  void prepare(grpc::ClientContext& context) const {
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  }

  template <typename Request, typename Reply>
  void call(grpc::Status (proto::Worker::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
            const Request& request, Reply& reply) {
    grpc::ClientContext context;
    prepare(context);
    check((stub_.get()->*method)(&context, request, &reply));
  }

  /// Throws what a call failed with.
  void check(const grpc::Status& status) const {
    if (status.ok()) return;
    const bool is_link = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                         status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    throw Error(error_code(status.error_code()),
                is_link
                    ? fmt::format("[grpc] the worker at {} does not answer ({}): is it running there, and "
                                  "does the client use TLS as it does?",
                                  address_.host_port, status.error_message())
                    : fmt::format("{} (worker {})", status.error_message(), address_.host_port));
  }

 private:
  /// Holds the session open, and ends when the link does.
  void attach() {
    prepare(attach_context_);
    attach_thread_ = std::thread([this] {
      proto::AttachRequest request;
      request.set_session(hello_.session());
      const auto reader = stub_->Attach(&attach_context_, request);
      proto::AttachReply reply;
      while (reader->Read(&reply)) {
      }
      reader->Finish();
    });
  }

  WorkerAddress address_;
  std::string token_;
  std::unique_ptr<proto::Worker::Stub> stub_;
  proto::HelloReply hello_;
  grpc::ClientContext attach_context_;
  std::thread attach_thread_;
  std::mutex order_;
  std::atomic<std::uint64_t> last_number_{0};
  std::mutex released_mutex_;
  std::vector<std::uint64_t> released_;
};

class RemoteBuffer final : public runtime::Buffer {
 public:
  RemoteBuffer(const ir::TensorType& type, runtime::Client* client, std::shared_ptr<Connection> connection)
      : Buffer(type, client), connection_(std::move(connection)), number_(connection_->next_number()) {}
  ~RemoteBuffer() override { connection_->release(number_); }
  RemoteBuffer(const RemoteBuffer&) = delete;
  RemoteBuffer& operator=(const RemoteBuffer&) = delete;
  std::uint64_t number() const { return number_; }

 private:
  std::shared_ptr<Connection> connection_;
  std::uint64_t number_;
};

std::uint64_t number_of(const runtime::Buffer& buffer) {
  return static_cast<const RemoteBuffer&>(buffer).number();
}

proto::ArgumentKind to_proto(runtime::ArgumentKind kind) {
  switch (kind) {
    case runtime::ArgumentKind::kState: return proto::STATE;
    case runtime::ArgumentKind::kFixed: return proto::FIXED;
    case runtime::ArgumentKind::kRows: return proto::ROWS;
    case runtime::ArgumentKind::kValidRows: return proto::VALID_ROWS;
  }
  return proto::FIXED;
}

/// A program on the worker. An execution is one call, unless its rows and outputs are more than a message
/// holds: then it is several, and the state goes from one to the next.
class RemoteExecutable final : public runtime::Executable {
 public:
  RemoteExecutable(const runtime::StepProgram& program, runtime::Client& client,
                   std::shared_ptr<Connection> connection)
      : client_(client),
        connection_(std::move(connection)),
        signature_(program, &client),
        name_(program.name),
        number_(connection_->next_number()) {
    for (std::size_t i = 0; i < program.arguments.size(); ++i)
      if (program.arguments[i] == runtime::ArgumentKind::kRows)
        row_bytes_.push_back(program.step->body.arguments()[i].type().size_bytes() /
                             static_cast<std::size_t>(signature_.batch()));
    for (const ir::TensorType& output : signature_.outputs()) output_bytes_.push_back(output.size_bytes());
    compile(program);
  }
  ~RemoteExecutable() override { connection_->release(number_); }
  RemoteExecutable(const RemoteExecutable&) = delete;
  RemoteExecutable& operator=(const RemoteExecutable&) = delete;

  runtime::Submission execute(const runtime::Execution& execution) override;
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override {
    return fmt::format("{} on the worker at {}\n{}", name_, connection_->address().host_port, text_of(""));
  }
  std::string dump(const std::string& stage) const override { return text_of(stage); }

 private:
  void compile(const runtime::StepProgram& program);
  std::string text_of(const std::string& stage) const;
  std::int64_t steps_of_call(const runtime::Replica& replica) const;
  proto::ExecuteRequest request_for(const runtime::Replica& replica, std::int64_t first, std::int64_t count);
  std::int64_t run(const runtime::Replica& replica, std::int64_t first, std::int64_t count,
                   runtime::Progress* progress);
  void stop(std::uint64_t execution);
  std::int64_t take_outputs(const proto::ExecuteReply& reply, const runtime::Replica& replica,
                            std::int64_t first, std::int64_t count) const;

  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  runtime::ProgramSignature signature_;
  std::string name_;
  std::uint64_t number_;
  std::vector<std::size_t> row_bytes_, output_bytes_;
  runtime::CompileStats stats_;
};

void RemoteExecutable::compile(const runtime::StepProgram& program) {
  const double start = client_.now();
  proto::CompileRequest request;
  proto::CompileReply reply;
  request.set_program(number_);
  request.set_stablehlo(ir::to_stablehlo(*program.step));
  for (const runtime::ArgumentKind kind : program.arguments) request.add_arguments(to_proto(kind));
  request.set_name(program.name);
  request.set_direct_convolutions(program.convolution_algorithm == runtime::ConvolutionAlgorithm::kDirect);
  if (request.stablehlo().size() > connection_->hello().max_message_bytes())
    fail(ErrorCode::kResourceExhausted,
         "[grpc] program \"{}\" is {} bytes of text, the worker takes {}: make its large constants arguments",
         name_, request.stablehlo().size(), connection_->hello().max_message_bytes());
  {
    const std::lock_guard lock(connection_->order());
    connection_->fill(request);
    connection_->call(&proto::Worker::Stub::Compile, request, reply);
  }
  stats_ = {.compile_seconds = reply.compile_seconds(),
            .code_seconds = reply.code_seconds(),
            .from_cache = reply.from_cache(),
            .arena_bytes = reply.arena_bytes(),
            .num_groups = reply.num_groups(),
            .num_library_calls = reply.num_library_calls(),
            .num_reference_fallbacks = reply.num_reference_fallbacks(),
            .flops = reply.flops(),
            .state_bytes = reply.state_bytes()};
  client_.note(&runtime::CallCounts::compiles,
               {.calls = 1,
                .items = 1,
                .bytes = static_cast<std::int64_t>(request.stablehlo().size()),
                .seconds = client_.now() - start});
}

std::string RemoteExecutable::text_of(const std::string& stage) const {
  proto::ExplainRequest request;
  proto::ExplainReply reply;
  request.set_session(connection_->hello().session());
  request.set_program(number_);
  request.set_stage(stage);
  const std::lock_guard lock(connection_->order());
  connection_->call(&proto::Worker::Stub::Explain, request, reply);
  return reply.text();
}

/// How many steps' rows and outputs one message holds.
std::int64_t RemoteExecutable::steps_of_call(const runtime::Replica& replica) const {
  std::size_t rows = 0, outputs = 0;
  if (replica.row_buffers.empty())
    for (const std::size_t bytes : row_bytes_) rows += bytes * static_cast<std::size_t>(signature_.batch());
  if (replica.output_buffers.empty())
    for (const std::size_t bytes : output_bytes_) outputs += bytes;
  const std::size_t most = std::max(rows, outputs), limit = connection_->hello().max_message_bytes();
  if (most > limit)
    fail(ErrorCode::kResourceExhausted,
         "[grpc] one step of \"{}\" has {} bytes of rows or outputs, the worker takes {} in a message: use a "
         "smaller batch",
         name_, most, limit);
  return most == 0 ? std::int64_t{1} << 30 : static_cast<std::int64_t>(limit / most);
}

runtime::Submission RemoteExecutable::execute(const runtime::Execution& execution) {
  signature_.check(execution);
  const runtime::Replica& replica = execution.replicas[0];
  const std::int64_t most = steps_of_call(replica);
  if (execution.num_steps > most && !replica.output_buffers.empty())
    fail(ErrorCode::kUnimplemented, "[grpc] the rows of {} steps of \"{}\" are too many for one call",
         execution.num_steps, name_);
  std::int64_t done = 0;
  while (done < execution.num_steps && (execution.progress == nullptr || !execution.progress->stop.load())) {
    const std::int64_t count = std::min(most, execution.num_steps - done);
    const std::int64_t ran = run(replica, done, count, execution.progress);
    done += ran;
    if (execution.progress != nullptr) execution.progress->steps_done.store(done);
    if (ran < count) break;  // stopped
  }
  return {.done = {}, .num_steps = done};
}

proto::ExecuteRequest RemoteExecutable::request_for(const runtime::Replica& replica, std::int64_t first,
                                                    std::int64_t count) {
  proto::ExecuteRequest request;
  request.set_program(number_);
  request.set_num_steps(count);
  const std::int64_t batch = signature_.batch();
  request.set_num_rows(std::clamp<std::int64_t>(replica.num_rows - first * batch, 0, count * batch));
  for (const runtime::Buffer* buffer : replica.state) request.add_state(number_of(*buffer));
  for (const runtime::Buffer* buffer : replica.fixed) request.add_fixed(number_of(*buffer));
  const std::span<const std::int64_t> indices(
      replica.row_indices + first * batch, static_cast<std::size_t>(row_bytes_.empty() ? 0 : count * batch));
  if (!replica.row_buffers.empty()) {
    for (const runtime::Buffer* buffer : replica.row_buffers) request.add_row_buffers(number_of(*buffer));
    request.mutable_row_indices()->Add(indices.begin(), indices.end());
  } else {
    std::string& rows = *request.mutable_rows();
    std::size_t total = 0, at = 0;
    for (const std::size_t bytes : row_bytes_) total += bytes * indices.size();
    rows.resize(total);
    for (std::size_t i = 0; i < row_bytes_.size(); ++i) {
      slabs::gather_rows(replica.rows[i], row_bytes_[i], indices,
                         reinterpret_cast<std::byte*>(rows.data()) + at);
      at += row_bytes_[i] * indices.size();
    }
  }
  for (const runtime::Buffer* buffer : replica.output_buffers) {
    request.add_output_buffers(number_of(*buffer));
    *request.add_output_types() = remote::to_proto(buffer->type());
  }
  request.set_execution(connection_->next_number());
  return request;
}

std::int64_t RemoteExecutable::take_outputs(const proto::ExecuteReply& reply, const runtime::Replica& replica,
                                            std::int64_t first, std::int64_t count) const {
  std::size_t expected = 0, at = 0;
  if (replica.output_buffers.empty())
    for (const std::size_t bytes : output_bytes_) expected += bytes * static_cast<std::size_t>(count);
  if (reply.outputs().size() != expected || reply.steps_done() < 0 || reply.steps_done() > count)
    fail(ErrorCode::kInternal, "[grpc] the worker at {} answered an execution with {} bytes instead of {}",
         connection_->address().host_port, reply.outputs().size(), expected);
  for (std::size_t i = 0; i < replica.outputs.size(); ++i) {
    const std::size_t bytes = output_bytes_[i];
    const auto* const from = reinterpret_cast<const std::byte*>(reply.outputs().data()) + at;
    std::copy_n(from, bytes * static_cast<std::size_t>(reply.steps_done()),
                replica.outputs[i] + static_cast<std::size_t>(first) * bytes);
    at += bytes * static_cast<std::size_t>(count);
  }
  return reply.steps_done();
}

void RemoteExecutable::stop(std::uint64_t execution) {
  proto::StopRequest request;
  proto::StopReply reply;
  request.set_session(connection_->hello().session());
  request.set_execution(execution);
  connection_->call(&proto::Worker::Stub::Stop, request, reply);
}

std::int64_t RemoteExecutable::run(const runtime::Replica& replica, std::int64_t first, std::int64_t count,
                                   runtime::Progress* progress) {
  const double start = client_.now();
  proto::ExecuteRequest request = request_for(replica, first, count);
  const std::lock_guard lock(connection_->order());
  connection_->fill(request);
  grpc::ClientContext context;
  connection_->prepare(context);
  const auto reader = connection_->stub().Execute(&context, request);
  proto::ExecuteReply reply;
  bool is_stopping = false;
  while (reader->Read(&reply) && !reply.is_done()) {
    if (progress == nullptr) continue;
    progress->steps_done.store(first + reply.steps_done());
    if (progress->stop.load() && !std::exchange(is_stopping, true)) stop(request.execution());
  }
  connection_->check(reader->Finish());
  if (!reply.error().empty()) {
    if (progress != nullptr) progress->steps_done.store(first + reply.steps_done());
    throw Error(error_code(reply.error_code()), reply.error());
  }
  const std::int64_t done = take_outputs(reply, replica, first, count);
  client_.note(&runtime::CallCounts::executions,
               {.calls = 1,
                .items = done,
                .bytes = static_cast<std::int64_t>(request.rows().size() + reply.outputs().size()),
                .seconds = client_.now() - start});
  return done;
}

runtime::DeviceInfo device_info(const proto::HelloReply& hello) {
  return {.type = hello.device().type(),
          .kind = hello.device().kind(),
          .number = 0,
          .memory_bytes = hello.device().memory_bytes(),
          .is_addressable = false};
}

class RemoteClient final : public runtime::Client {
 public:
  explicit RemoteClient(std::shared_ptr<Connection> connection)
      : Client({device_info(connection->hello())}), connection_(std::move(connection)) {}

  std::string platform() const override { return "grpc://" + connection_->address().host_port; }
  std::string description() const override {
    return fmt::format("worker {}: {}", connection_->hello().version(), connection_->hello().description());
  }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<RemoteExecutable>(program, *this, connection_);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    ir::check_type(type);
    return std::make_unique<RemoteBuffer>(type, this, connection_);
  }
  void do_write(std::span<const runtime::Write> writes) override;
  void do_read(std::span<const runtime::Read> reads) override;
  std::unique_ptr<runtime::Buffer> do_copy(const runtime::Buffer& buffer, int device) override;

 private:
  std::shared_ptr<Connection> connection_;
};

void set_piece(proto::Piece& piece, std::uint64_t buffer, std::size_t offset, std::size_t size) {
  piece.set_buffer(buffer);
  piece.set_offset(offset);
  piece.set_size(size);
}

void RemoteClient::do_write(std::span<const runtime::Write> writes) {
  const std::lock_guard lock(connection_->order());
  proto::WriteRequest request;
  const auto send = [&] {
    proto::WriteReply reply;
    connection_->fill(request);
    connection_->call(&proto::Worker::Stub::Write, request, reply);
    request.Clear();
  };
  for (const runtime::Write& write : writes) {
    const std::size_t num_bytes = write.to->type().size_bytes();
    std::size_t offset = 0;
    do {
      const std::size_t size = std::min(num_bytes - offset, kPieceBytes - request.data().size());
      proto::WriteRequest::Item& item = *request.add_items();
      set_piece(*item.mutable_piece(), number_of(*write.to), offset, size);
      *item.mutable_type() = remote::to_proto(write.to->type());
      request.mutable_data()->append(static_cast<const char*>(write.from) + offset, size);
      offset += size;
      if (request.data().size() == kPieceBytes) send();
    } while (offset < num_bytes);
  }
  if (request.items_size() > 0) send();
}

void RemoteClient::do_read(std::span<const runtime::Read> reads) {
  const std::lock_guard lock(connection_->order());
  proto::ReadRequest request;
  std::vector<char*> places;
  std::size_t pending = 0;
  const auto fetch = [&] {
    proto::ReadReply reply;
    connection_->fill(request);
    connection_->call(&proto::Worker::Stub::Read, request, reply);
    if (reply.data().size() != pending)
      fail(ErrorCode::kInternal, "[grpc] the worker answered a read with {} bytes instead of {}",
           reply.data().size(), pending);
    std::size_t at = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t size = request.pieces(static_cast<int>(i)).size();
      std::copy_n(reply.data().data() + at, size, places[i]);
      at += size;
    }
    request.Clear();
    places.clear();
    pending = 0;
  };
  for (const runtime::Read& read : reads) {
    const std::size_t num_bytes = read.from->type().size_bytes();
    std::size_t offset = 0;
    while (offset < num_bytes) {
      const std::size_t size = std::min(num_bytes - offset, kPieceBytes - pending);
      set_piece(*request.add_pieces(), number_of(*read.from), offset, size);
      places.push_back(static_cast<char*>(read.to) + offset);
      pending += size;
      offset += size;
      if (pending == kPieceBytes) fetch();
    }
  }
  if (pending > 0) fetch();
}

std::unique_ptr<runtime::Buffer> RemoteClient::do_copy(const runtime::Buffer& buffer, int device) {
  std::unique_ptr<runtime::Buffer> copy = do_allocate(buffer.type(), device);
  proto::CopyRequest request;
  proto::CopyReply reply;
  request.set_from(number_of(buffer));
  request.set_to(number_of(*copy));
  const std::lock_guard lock(connection_->order());
  connection_->fill(request);
  connection_->call(&proto::Worker::Stub::Copy, request, reply);
  return copy;
}

}  // namespace

std::shared_ptr<runtime::Client> make_remote_client(const std::string& argument) {
  return std::make_shared<RemoteClient>(std::make_shared<Connection>(parse_address(argument)));
}

std::string worker_status_text(const std::string& argument) {
  const WorkerAddress address = parse_address(argument);
  const auto stub = proto::Worker::NewStub(open_channel(address));
  grpc::ClientContext context;
  if (!address.token_file.empty())
    context.AddMetadata("authorization", "Bearer " + read_token(address.token_file));
  context.set_deadline(std::chrono::system_clock::now() + kConnectTimeout);
  proto::StatusReply reply;
  const grpc::Status status = stub->GetStatus(&context, proto::StatusRequest(), &reply);
  if (!status.ok())
    throw Error(error_code(status.error_code()),
                fmt::format("[grpc] the worker at {}: {}", address.host_port, status.error_message()));
  std::string text = fmt::format("worker {} at {}, up for {:.0f} s{}\n", reply.version(), address.host_port,
                                 reply.seconds_up(), reply.is_draining() ? ", draining" : "");
  for (const proto::Device& device : reply.devices())
    text += fmt::format("  {} {}\n", device.type(), device.kind());
  const std::string limit =
      reply.memory_limit_bytes() == 0 ? "" : fmt::format(" of {}", reply.memory_limit_bytes());
  return text + fmt::format("  {} of {} clients, {} buffers, {}{} bytes, {} executions, {} steps\n",
                            reply.num_sessions(), reply.max_sessions(), reply.num_buffers(),
                            reply.memory_used_bytes(), limit, reply.num_executions(), reply.num_steps());
}

}  // namespace cornu::inline v0::backends::remote
