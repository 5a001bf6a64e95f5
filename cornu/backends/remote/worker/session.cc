#include "cornu/backends/remote/worker/session.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/pass_listener.h"
#include "cornu/runtime/virtual_clock.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr std::int64_t kMaxSteps = std::int64_t{1} << 31;
constexpr const char* kReadBuffer = "a buffer of which a part is read";
constexpr const char* kProgramMemory = "the memory that a program works in";

/// Calls `count` for each op that results from decompositions of composites. `is_decomposition`: all ops of
/// the block do.
void count_decompositions(const ir::Block& block, bool is_decomposition, const std::function<void()>& count) {
  for (const std::unique_ptr<ir::Op>& op : block.ops()) {
    if (is_decomposition) count();
    for (const std::unique_ptr<ir::Block>& region : op->regions())
      count_decompositions(*region, is_decomposition, count);
    if (!op->def().is_composite()) continue;
    ir::Block scratch;
    for (const ir::Value& operand : op->operands()) scratch.add_argument(operand.type());
    ir::Builder builder(scratch);
    op->def().decompose(builder, scratch.arguments(), op->attributes());
    count_decompositions(scratch, true, count);
  }
}

}  // namespace

bool MemoryQuota::try_take(std::size_t num_bytes, std::size_t& before) {
  before = used_bytes_->load();
  do {
    if (limit_bytes_ != 0 && (num_bytes > limit_bytes_ || before > limit_bytes_ - num_bytes)) return false;
  } while (!used_bytes_->compare_exchange_weak(before, before + num_bytes));
  return true;
}

void MemoryQuota::take(std::size_t num_bytes, std::string_view what) {
  std::size_t before = 0;
  if (!try_take(num_bytes, before))
    fail(ErrorCode::kResourceExhausted,
         "[worker] {} takes {} bytes; of {} that the worker lends, {} are taken", what, num_bytes,
         limit_bytes_, before);
}

std::shared_ptr<const std::byte> MemoryQuota::hold(std::shared_ptr<const std::byte> bytes,
                                                   std::size_t num_bytes) {
  std::size_t before = 0;
  if (!try_take(num_bytes, before)) return nullptr;
  const std::byte* const at = bytes.get();
  return {at, [held = std::move(bytes), num_bytes, counter = used_bytes_](const std::byte*) mutable {
            held.reset();
            counter->fetch_sub(num_bytes);
          }};
}

std::shared_ptr<std::byte> MemoryQuota::allocate(std::size_t num_bytes, std::string_view what) {
  struct Counted {
    std::shared_ptr<void> count;
    std::unique_ptr<std::byte[]> bytes;
  };
  take(num_bytes, what);
  std::shared_ptr<void> count(nullptr,
                              [num_bytes, counter = used_bytes_](void*) { counter->fetch_sub(num_bytes); });
  const auto made = std::make_shared<Counted>(Counted{std::move(count), nullptr});
  made->bytes = std::make_unique_for_overwrite<std::byte[]>(num_bytes);
  return {made, made->bytes.get()};
}

Session::Session(std::shared_ptr<runtime::Client> client, int device, MemoryQuota& quota,
                 const DataRoot* files, std::shared_ptr<SessionGroup> group)
    : client_(std::move(client)),
      device_(device),
      num_copies_(1),
      quota_(quota),
      files_(files),
      group_(std::move(group)) {
  if (const runtime::DeviceGroup* const devices = runtime::device_group(client_.get()))
    num_copies_ = static_cast<std::size_t>(devices->size());
}

Session::~Session() {
  if (group_ != nullptr) group_->end("[worker] the session of the group has ended");
  std::size_t place = 0;
  for (const auto& [number, buffer] : buffers_) quota_.give_back(bytes_of(buffer->type(), ++place));
}

std::optional<double> Session::virtual_now() const { return runtime::virtual_now(*client_); }

void Session::join() {
  if (group_ == nullptr)
    fail(ErrorCode::kFailedPrecondition, "[worker] the session is in no group of several workers");
  group_->join();
}

std::size_t Session::bytes_of(const ir::TensorType& type) const {
  return static_cast<std::size_t>((CheckedSize(type.size_bytes()) * num_copies_).value("a buffer"));
}

std::size_t Session::bytes_of(const ir::TensorType& type, std::size_t place) const {
  return bytes_of(type) + (place > kUncountedBuffers ? kHandleBytes : 0);
}

void Session::release(std::span<const std::uint64_t> numbers) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t number : numbers) {
    programs_.erase(number);
    release_buffer(number);
  }
}

void Session::release_buffer(std::uint64_t number) {
  const auto found = buffers_.find(number);
  if (found == buffers_.end()) return;
  const std::size_t num_bytes = bytes_of(found->second->type(), buffers_.size());
  buffers_.erase(found);
  held_.erase(number);
  std::erase_if(gathered_, [&](const auto& pieces) { return pieces.first.first == number; });
  num_buffers_ = buffers_.size();
  quota_.give_back(num_bytes);
}

const runtime::CompileStats& Session::compile(const CompileOrder& order) {
  const std::lock_guard lock(mutex_);
  if (programs_.contains(order.program))
    invalid_argument("[worker] there is a program {} already", order.program);
  Program program;
  program.text = QuotaShare(quota_, order.stablehlo.size(), "a program's text");
  program.graph = QuotaShare(quota_, kProgramBytes, "a parsed program");
  const auto charge = [&](std::int64_t num_ops, std::size_t num_bytes) {
    program.graph.add(quota_, kOpBytes * static_cast<std::size_t>(num_ops), "a parsed program");
    program.values.add(quota_, num_bytes, "a program's data (constants, operands, arguments)");
  };
  const ir::ParsedModule parsed =
      ops::parse_stablehlo(order.stablehlo, {.name = order.name, .charge = charge});
  const ir::Function& step = parsed.entry();
  ir::verify(step);
  count_decompositions(step.body, false, [&] { program.graph.add(quota_, kOpBytes, "a parsed program"); });
  const std::span<const ir::Value> arguments = step.body.arguments(), results = step.body.results();
  program.graph.add(quota_, kArgumentBytes * arguments.size() + kOpBytes * results.size(),
                    "a parsed program");
  if (arguments.size() != order.arguments.size())
    invalid_argument("[worker] program \"{}\" has {} arguments and {} kinds of them", order.name,
                     arguments.size(), order.arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::TensorType& type = arguments[i].type();
    if (order.arguments[i] == runtime::ArgumentKind::kState) ++program.num_state;
    if (order.arguments[i] == runtime::ArgumentKind::kFixed) ++program.num_fixed;
    if (order.arguments[i] != runtime::ArgumentKind::kRows) continue;
    if (type.rank() < 1 || type.dims[0] < 1)
      invalid_argument("[worker] program \"{}\": rows need a batch; argument {} is {}", order.name, i,
                       type.str());
    program.batch = type.dims[0];
    program.rows.push_back(type);
  }
  for (std::size_t i = program.num_state; i < results.size(); ++i)
    program.outputs.push_back(results[i].type());
  program.executable = compile(step, order);
  if (order.batch > 0) {
    program.batch = order.batch;
    for (std::vector<ir::TensorType>* types : {&program.rows, &program.outputs})
      for (ir::TensorType& type : *types) type.dims[0] = order.batch;
  }
  program.arena = QuotaShare(quota_, program.executable->stats().arena_bytes, kProgramMemory);
  return programs_.emplace(order.program, std::move(program)).first->second.executable->stats();
}

std::unique_ptr<runtime::Executable> Session::compile(const ir::Function& step, const CompileOrder& order) {
  const runtime::StepProgram program{.step = &step,
                                     .arguments = order.arguments,
                                     .name = order.name,
                                     .convolution_algorithm = order.direct_convolutions
                                                                  ? runtime::ConvolutionAlgorithm::kDirect
                                                                  : runtime::ConvolutionAlgorithm::kAuto,
                                     .precision = order.precision,
                                     .stop = &is_stopped_,
                                     .devices = {device_},
                                     .replica_work = order.replica_work};
  try {
    return compile_stoppable(program, order.batch);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled || !is_stopped_) throw;
    const std::lock_guard lock(running_mutex_);
    fail(ErrorCode::kUnavailable, "[worker] {}: a program is not compiled to its end", stopped_because_);
  }
}

std::unique_ptr<runtime::Executable> Session::compile_stoppable(const runtime::StepProgram& program,
                                                                std::int64_t batch) {
  std::optional<runtime::CollectiveScope> scope;
  if (group_ != nullptr) scope.emplace(group_->processes());
  if (batch == 0) return client_->compile(program);
  runtime::DeviceGroup* const group = runtime::device_group(client_.get());
  if (group == nullptr || batch < 0)
    invalid_argument("[worker] a batch of {} rows has no replicas to go to: the session is of one device",
                     batch);
  return group->compile_parts(program, batch);
}

Session::Program& Session::program(std::uint64_t number) {
  const auto found = programs_.find(number);
  if (found == programs_.end()) fail(ErrorCode::kNotFound, "[worker] there is no program {}", number);
  return found->second;
}

runtime::Buffer& Session::buffer(std::uint64_t number, std::string_view what) {
  const auto found = buffers_.find(number);
  if (found == buffers_.end())
    fail(ErrorCode::kNotFound, "[worker] there is no buffer {}, which is {}: it has never been written",
         number, what);
  return *found->second;
}

runtime::Buffer& Session::buffer_of(std::uint64_t number, const ir::TensorType& type) {
  const auto found = buffers_.find(number);
  if (found != buffers_.end()) {
    if (found->second->type() != type)
      invalid_argument("[worker] buffer {} is {}, not {}", number, found->second->type().str(), type.str());
    return *found->second;
  }
  ir::check_type(type);
  const std::size_t num_bytes = bytes_of(type, buffers_.size() + 1);
  quota_.take(num_bytes, "a buffer");
  try {
    runtime::Buffer& made = *buffers_.emplace(number, client_->allocate(type, device_)).first->second;
    num_buffers_ = buffers_.size();
    return made;
  } catch (...) {
    quota_.give_back(num_bytes);
    throw;
  }
}

void Session::check_piece(const BufferPiece& piece, std::size_t buffer_bytes) const {
  if (piece.member > (num_copies_ > 1 ? num_copies_ : 0))
    invalid_argument("[worker] buffer {} has no bytes on device {}: the session is of {}", piece.buffer,
                     piece.member - 1, num_copies_);
  if (piece.offset > buffer_bytes || piece.size > buffer_bytes - piece.offset)
    invalid_argument("[worker] bytes {} to {} of buffer {} are outside it: it has {}", piece.offset,
                     piece.offset + piece.size, piece.buffer, buffer_bytes);
}

void Session::write(std::span<const WritePiece> pieces, std::uint64_t transfer) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(transfer_, transfer) != transfer) gathered_.clear();  // the other transfer has ended
  try {
    write_pieces(pieces);
  } catch (...) {
    gathered_.clear();
    throw;
  }
}

void Session::write_pieces(std::span<const WritePiece> pieces) {
  std::vector<runtime::Write> whole;  // one transfer, if the host cannot address the memory
  std::vector<runtime::MemberWrite> of_members;
  std::vector<GatheredBytes> gathered;
  for (const WritePiece& write : pieces) {
    runtime::Buffer& to = buffer_of(write.piece.buffer, write.type);
    check_piece(write.piece, write.type.size_bytes());
    if (write.piece.size == 0) continue;
    if (std::byte* const memory = to.writable_host_data()) {
      copy_bytes(write.from, memory + write.piece.offset);
    } else if (std::optional<GatheredBytes> bytes = gather(write)) {
      const std::byte* const from = gathered.emplace_back(std::move(*bytes)).data();
      if (write.piece.member == 0)
        whole.push_back({&to, from});
      else
        of_members.push_back({&to, std::int64_t{write.piece.member} - 1, from});
    }
  }
  if (!whole.empty()) client_->write(whole);
  if (!of_members.empty()) runtime::device_group(client_.get())->write_members(of_members);
}

/// All bytes of the piece's buffer, once the last one has arrived.
std::optional<GatheredBytes> Session::gather(const WritePiece& write) {
  const std::pair number(write.piece.buffer, write.piece.member);
  const std::size_t num_bytes = write.type.size_bytes();
  if (write.piece.size == num_bytes) {
    gathered_.erase(number);
    GatheredBytes bytes(num_bytes, {});  // no more than the message, which no quota counts
    bytes.add(0, write.from);
    return bytes;
  }
  auto found = gathered_.find(number);
  if (found == gathered_.end()) {
    QuotaShare share(quota_, num_bytes, "a buffer that is written in pieces");
    found = gathered_.emplace(number, GatheredBytes(num_bytes, std::move(share))).first;
  }
  found->second.add(write.piece.offset, write.from);
  if (!found->second.is_whole()) return std::nullopt;
  return std::move(gathered_.extract(found).mapped());
}

std::vector<ReadPart> Session::read(std::span<const BufferPiece> pieces) {
  const std::lock_guard lock(mutex_);
  CheckedSize total = 0;
  for (const BufferPiece& piece : pieces) {
    check_piece(piece, buffer(piece.buffer, "to be read").type().size_bytes());
    total = total + piece.size;
  }
  if (total.exceeds(kMaxMessageBytes))
    invalid_argument("[worker] at most {} bytes are read at a time", kMaxMessageBytes);
  if (client_->is_addressable()) return read_in_place(pieces);
  return {read_by_transfer(pieces, static_cast<std::size_t>(total.value("a read")))};
}

void Session::read(std::span<const BufferPiece> pieces, std::size_t most_bytes, const SendParts& send) {
  {
    const std::lock_guard lock(mutex_);
    for (const BufferPiece& piece : pieces)
      check_piece(piece, buffer(piece.buffer, "to be read").type().size_bytes());
  }
  std::vector<BufferPiece> message;
  std::size_t num_bytes = 0;
  const auto send_message = [&] {
    const bool is_wanted = message.empty() || send(read(message));
    message.clear();
    num_bytes = 0;
    return is_wanted;
  };
  for (const BufferPiece& piece : pieces) {
    if (num_bytes + std::min(piece.size, most_bytes) > most_bytes && !send_message()) return;
    if (piece.size > most_bytes) {
      if (!send_message() || !send_in_messages(piece, most_bytes, send)) return;
      continue;
    }
    message.push_back(piece);
    num_bytes += piece.size;
  }
  send_message();
}

/// Downloads the piece's bytes, counted until they are sent. Empty if the host can address the device.
/// Errors: ResourceExhausted if the quota has no space for them.
std::optional<ReadPart> Session::fetch(const BufferPiece& piece) {
  if (client_->is_addressable()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const runtime::Buffer& from = buffer(piece.buffer, "to be read");
  const std::size_t num_bytes = from.type().size_bytes();
  check_piece(piece, num_bytes);
  const std::shared_ptr<std::byte> memory = quota_.allocate(num_bytes, kReadBuffer);
  read_whole(from, piece, memory.get());
  return ReadPart{memory, {memory.get() + piece.offset, piece.size}};
}

bool Session::send_in_messages(const BufferPiece& piece, std::size_t most_bytes, const SendParts& send) {
  const std::optional<ReadPart> fetched = fetch(piece);
  for (std::size_t done = 0; done < piece.size;) {
    const std::size_t size = std::min(piece.size - done, most_bytes);
    const BufferPiece part{piece.buffer, piece.offset + done, size, piece.member};
    if (!send(fetched.has_value()
                  ? std::vector<ReadPart>{{fetched->owner, fetched->bytes.subspan(done, size)}}
                  : read({&part, 1})))
      return false;
    done += size;
  }
  return true;
}

/// The buffer's own bytes; null if they are not shared or the quota has no space for them.
std::shared_ptr<const std::byte> Session::held_bytes(std::uint64_t number) {
  const runtime::Buffer& from = buffer(number, "to be read");
  std::shared_ptr<const std::byte> bytes = from.share();
  if (bytes == nullptr) return nullptr;
  std::weak_ptr<const std::byte>& known = held_[number];
  if (std::shared_ptr<const std::byte> held = known.lock(); held != nullptr && held.get() == bytes.get())
    return held;
  std::shared_ptr<const std::byte> held = quota_.hold(std::move(bytes), from.type().size_bytes());
  known = held;
  return held;
}

std::vector<ReadPart> Session::read_in_place(std::span<const BufferPiece> pieces) {
  constexpr std::size_t kLarge = std::size_t{64} << 10;  // below, a copy is cheaper
  std::vector<std::shared_ptr<const std::byte>> owners;  // owners of large pieces
  std::size_t num_copied = 0;
  for (const BufferPiece& piece : pieces) {
    if (piece.size >= kLarge) owners.push_back(held_bytes(piece.buffer));
    if (piece.size < kLarge || owners.back() == nullptr) num_copied += piece.size;
  }
  const auto copies = std::make_shared<std::string>();
  copies->reserve(num_copied);  // so that the bytes keep their addresses
  std::vector<ReadPart> parts;
  auto owner = owners.begin();
  for (const BufferPiece& piece : pieces) {
    const std::byte* const from = buffer(piece.buffer, "to be read").host_data() + piece.offset;
    if (piece.size >= kLarge && *owner++ != nullptr) {
      parts.push_back({owner[-1], {from, piece.size}});
      continue;
    }
    if (parts.empty() || parts.back().owner != copies)
      parts.push_back({copies, {reinterpret_cast<const std::byte*>(copies->data()) + copies->size(), 0}});
    copies->append(reinterpret_cast<const char*>(from), piece.size);
    std::span<const std::byte>& bytes = parts.back().bytes;
    bytes = {bytes.data(), bytes.size() + piece.size};
  }
  return parts;
}

ReadPart Session::read_by_transfer(std::span<const BufferPiece> pieces, std::size_t num_bytes) {
  const auto data = std::make_shared<std::string>();
  data->resize(num_bytes);
  std::size_t at = 0;
  std::vector<runtime::Read> whole;
  for (const BufferPiece& piece : pieces) {
    const runtime::Buffer& from = buffer(piece.buffer, "to be read");
    const std::size_t buffer_bytes = from.type().size_bytes();
    if (piece.size == buffer_bytes && piece.member == 0) {
      whole.push_back({&from, data->data() + at});
    } else if (piece.size == buffer_bytes) {
      read_whole(from, piece, reinterpret_cast<std::byte*>(data->data()) + at);
    } else {
      const std::shared_ptr<std::byte> bytes = quota_.allocate(buffer_bytes, kReadBuffer);
      read_whole(from, piece, bytes.get());
      std::memcpy(data->data() + at, bytes.get() + piece.offset, piece.size);
    }
    at += piece.size;
  }
  client_->read(whole);
  return {data, std::as_bytes(std::span(*data))};
}

void Session::read_whole(const runtime::Buffer& from, const BufferPiece& piece, std::byte* to) {
  if (piece.member == 0) return from.copy_to_host(to);
  const runtime::MemberRead read{&from, std::int64_t{piece.member} - 1, to};
  runtime::device_group(client_.get())->read_members({&read, 1});
}

void Session::copy(std::uint64_t from, std::uint64_t to) {
  const std::lock_guard lock(mutex_);
  runtime::Buffer& source = buffer(from, "to be copied");
  if (buffers_.contains(to)) invalid_argument("[worker] there is a buffer {} already", to);
  const std::size_t num_bytes = bytes_of(source.type(), buffers_.size() + 1);
  quota_.take(num_bytes, "a copy");
  try {
    buffers_.emplace(to, client_->copy(source, device_));
    num_buffers_ = buffers_.size();
  } catch (...) {
    quota_.give_back(num_bytes);
    throw;
  }
}

namespace {

/// Checks that an execution writes each buffer only once.
void check_distinct(std::vector<std::uint64_t> written, const std::vector<std::uint64_t>& read) {
  std::sort(written.begin(), written.end());
  bool is_distinct = std::adjacent_find(written.begin(), written.end()) == written.end();
  for (const std::uint64_t number : read)
    is_distinct = is_distinct && !std::binary_search(written.begin(), written.end(), number);
  if (!is_distinct) invalid_argument("[worker] a buffer that an execution writes is given to it twice");
}

constexpr const char* kRowIndices = "the list of an execution's rows";

/// The size of the list of an execution's row numbers.
std::size_t row_indices_bytes(CheckedSize count) {
  return static_cast<std::size_t>((count * sizeof(std::int64_t)).value(kRowIndices));
}

/// The numbers of rows that came with the call, in the order of the steps.
std::vector<std::int64_t> rows_in_order(std::int64_t count) {
  std::vector<std::int64_t> indices = host_vector<std::int64_t>(count, kRowIndices);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  return indices;
}

}  // namespace

/// The operands of an execution, looked up and checked; `replica` refers to the other members.
struct Session::Prepared {
  std::vector<runtime::Buffer*> state, fixed, row_buffers, output_buffers;
  QuotaShare indices_share;
  std::vector<std::int64_t> made_indices;
  std::span<const std::int64_t> indices;  // made_indices, or the order's
  std::vector<const std::byte*> rows;
  std::vector<std::byte*> outputs;
  std::vector<runtime::Read> reads;
  runtime::Replica replica;
};

void Session::place_buffers(const ExecuteOrder& order, const Program& program, Prepared& prepared) {
  if (order.num_steps < 0 || order.num_steps > kMaxSteps || order.num_rows < 0)
    invalid_argument("[worker] an execution of {} steps with {} rows cannot be", order.num_steps,
                     order.num_rows);
  if (order.state.size() != program.num_state || order.fixed.size() != program.num_fixed)
    invalid_argument("[worker] the program has {} state and {} fixed arguments; got {} and {}",
                     program.num_state, program.num_fixed, order.state.size(), order.fixed.size());
  std::vector<std::uint64_t> written = order.state, read = order.fixed;
  written.insert(written.end(), order.output_buffers.begin(), order.output_buffers.end());
  read.insert(read.end(), order.row_buffers.begin(), order.row_buffers.end());
  check_distinct(std::move(written), read);
  for (const std::uint64_t number : order.state)
    prepared.state.push_back(&buffer(number, "a program's state"));
  for (const std::uint64_t number : order.fixed)
    prepared.fixed.push_back(&buffer(number, "a program's argument"));
  prepared.replica.state = prepared.state;
  prepared.replica.fixed = prepared.fixed;
  prepared.replica.num_rows = order.num_rows;
}

void Session::place_row_buffers(const ExecuteOrder& order, Prepared& prepared) {
  prepared.indices_share = QuotaShare(quota_, row_indices_bytes(order.row_indices.size()), kRowIndices);
  prepared.indices = order.row_indices;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::uint64_t number : order.row_buffers) {
    prepared.row_buffers.push_back(&buffer(number, "rows"));
    const ir::Dims& dims = prepared.row_buffers.back()->type().dims;
    least = std::min(least, dims.empty() ? 0 : dims[0]);
  }
  for (const std::int64_t index : prepared.indices)
    if (index < 0 || index >= least) invalid_argument("[worker] there is no row {}", index);
  prepared.replica.row_buffers = prepared.row_buffers;
}

void Session::place_rows(const ExecuteOrder& order, const Program& program, Prepared& prepared) {
  const CheckedSize num_indices = CheckedSize(order.num_steps) * program.batch;
  if (!order.row_buffers.empty()) {
    place_row_buffers(order, prepared);
  } else if (!program.rows.empty()) {
    std::size_t at = 0;
    for (const ir::TensorType& type : program.rows) {
      prepared.rows.push_back(order.rows.data() + at);
      const CheckedSize num_bytes = CheckedSize(order.num_steps) * type.size_bytes();
      if (num_bytes.exceeds(static_cast<std::int64_t>(order.rows.size() - at)))
        invalid_argument("[worker] the rows of {} steps of {} are more than the {} bytes that came",
                         order.num_steps, type.str(), order.rows.size());
      at += static_cast<std::size_t>(num_bytes.value("rows"));
    }
    prepared.indices_share = QuotaShare(quota_, row_indices_bytes(num_indices), kRowIndices);
    prepared.made_indices = rows_in_order(num_indices.value(kRowIndices));
    prepared.indices = prepared.made_indices;
    prepared.replica.rows = prepared.rows;
  }
  if (num_indices.exceeds(static_cast<std::int64_t>(prepared.indices.size())))
    invalid_argument("[worker] {} steps need an index for each row; got {}", order.num_steps,
                     prepared.indices.size());
  prepared.replica.row_indices = prepared.indices.data();
}

void Session::place_outputs(const ExecuteOrder& order, const Program& program, Prepared& prepared,
                            ExecuteResult& result) {
  if (!order.output_buffers.empty()) {
    if (order.output_buffers.size() != order.output_types.size() ||
        order.output_buffers.size() != program.outputs.size())
      invalid_argument("[worker] an execution's output buffers do not fit its program");
    for (std::size_t i = 0; i < order.output_buffers.size(); ++i)
      prepared.output_buffers.push_back(&buffer_of(order.output_buffers[i], order.output_types[i]));
    prepared.replica.output_buffers = prepared.output_buffers;
    return;
  }
  CheckedSize total = 0;
  for (const ir::TensorType& type : program.outputs)
    total = total + CheckedSize(order.num_steps) * type.size_bytes();
  if (total.exceeds(kMaxMessageBytes))
    invalid_argument("[worker] the outputs of an execution are at most {} bytes at a time", kMaxMessageBytes);
  const auto num_bytes = static_cast<std::size_t>(total.value("outputs"));
  // Each device of a group has outputs of its own.
  if (num_bytes > kUncountedAnswerBytes / num_copies_)
    result.share.add(quota_, num_bytes * num_copies_, "an execution's outputs");
  result.outputs.resize(num_bytes);
  std::size_t at = 0;
  for (const ir::TensorType& type : program.outputs) {
    prepared.outputs.push_back(reinterpret_cast<std::byte*>(result.outputs.data()) + at);
    at += static_cast<std::size_t>(order.num_steps) * type.size_bytes();
  }
  prepared.replica.outputs = prepared.outputs;
}

/// Registers the running execution, for stop().
class Session::Running {
 public:
  Running(Session& session, std::uint64_t execution, runtime::Progress& progress) : session_(session) {
    const std::lock_guard lock(session.running_mutex_);
    session.running_ = {.execution = execution, .start = std::chrono::steady_clock::now()};
    session.running_progress_ = &progress;
    if (!session.stopped_because_.empty()) progress.stop = true;
  }
  ~Running() {
    const std::lock_guard lock(session_.running_mutex_);
    session_.running_progress_ = nullptr;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Session& session_;
};

void Session::place_reads(const ExecuteOrder& order, Prepared& prepared, ExecuteResult& result) {
  CheckedSize total = 0;
  for (const std::uint64_t number : order.read_buffers) {
    prepared.reads.push_back({.from = &buffer(number, "to be read back")});
    total = total + prepared.reads.back().from->type().size_bytes();
  }
  if (total.exceeds(kMaxMessageBytes))
    invalid_argument("[worker] at most {} bytes are read at a time", kMaxMessageBytes);
  const auto num_bytes = static_cast<std::size_t>(total.value("a read"));
  if (num_bytes > kUncountedAnswerBytes) result.share.add(quota_, num_bytes, "the output of an execution");
  result.read.resize(num_bytes);
  std::size_t at = 0;
  for (runtime::Read& read : prepared.reads) {
    read.to = result.read.data() + at;
    at += read.from->type().size_bytes();
  }
}

std::int64_t Session::run(Program& program, const runtime::Replica& replica, const ExecuteOrder& order,
                          runtime::Progress& progress) {
  const Running running(*this, order.execution, progress);
  const auto counts = [&] {
    return group_ == nullptr ? runtime::ProcessCounts() : group_->processes()->counts();
  };
  const runtime::ProcessCounts before = counts();
  if (const std::size_t kept = program.executable->kept_bytes(replica, order.num_steps);
      kept > program.arena.num_bytes())
    program.arena.add(quota_, kept - program.arena.num_bytes(), kProgramMemory);
  const std::int64_t done = program.executable->run(replica, order.num_steps, &progress);
  program.num_steps += done;
  program.collectives.add(counts().since(before));
  check_not_stopped(done, order.num_steps);
  return done;
}

void Session::check_not_stopped(std::int64_t done, std::int64_t num_steps) {
  if (done == num_steps) return;
  const std::lock_guard lock(running_mutex_);
  if (!stopped_because_.empty())
    fail(ErrorCode::kUnavailable, "[worker] {}: an execution was ended after {} of {} steps",
         stopped_because_, done, num_steps);
}

ExecuteResult Session::execute(const ExecuteOrder& order, runtime::Progress& progress) {
  try {
    return execute_alone(order, progress);
  } catch (const std::exception& error) {
    if (group_ != nullptr)
      group_->end(fmt::format("[worker] an execution of the group has failed: {}", error.what()));
    throw;
  }
}

ExecuteResult Session::execute_alone(const ExecuteOrder& order, runtime::Progress& progress) {
  const std::lock_guard lock(mutex_);
  gathered_.clear();  // pieces of a failed transfer
  Program& program = this->program(order.program);
  Prepared prepared;
  ExecuteResult result;
  place_buffers(order, program, prepared);
  place_rows(order, program, prepared);
  place_outputs(order, program, prepared, result);
  place_reads(order, prepared, result);
  if (order.begins_pass) runtime::begin_pass(*client_);
  if (order.profile_slices.has_value())
    result.steps_done = run_measured(program, prepared.replica, order, progress, result);
  else
    result.steps_done = run(program, prepared.replica, order, progress);
  client_->read(prepared.reads);
  return result;
}

void Session::stop(std::uint64_t execution) {
  const std::lock_guard lock(running_mutex_);
  if (running_progress_ != nullptr && running_.execution == execution) running_progress_->stop = true;
}

void Session::stop_all(const std::string& why) {
  {
    const std::lock_guard lock(running_mutex_);
    if (stopped_because_.empty()) stopped_because_ = why;
    is_stopped_ = true;
    if (running_progress_ != nullptr) running_progress_->stop = true;
  }
  if (group_ != nullptr) group_->end("[worker] " + why);
}

std::optional<ExecutionProgress> Session::running() {
  const std::lock_guard lock(running_mutex_);
  if (running_progress_ == nullptr) return std::nullopt;
  ExecutionProgress progress = running_;
  progress.steps_done = running_progress_->steps_done.load();
  return progress;
}

std::string Session::explain(std::uint64_t number, const std::string& stage) {
  const std::lock_guard lock(mutex_);
  const Program& asked = program(number);
  if (!stage.empty()) return asked.executable->dump(stage);
  const std::string met = asked.collectives.str(asked.num_steps);
  return asked.executable->explain() + (met.empty() ? "" : "with other workers, so far: " + met + "\n");
}

}  // namespace cornu::inline v0::backends::remote
