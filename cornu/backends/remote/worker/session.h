#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/backends/remote/wire/last_field.h"
#include "cornu/backends/remote/worker/array_files.h"
#include "cornu/backends/remote/worker/gathered_bytes.h"
#include "cornu/backends/remote/worker/memory_quota.h"
#include "cornu/backends/remote/worker/session_group.h"
#include "cornu/ir/graph.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::remote {

/// A part of a buffer: bytes [offset, offset + size).
struct BufferPiece {
  std::uint64_t buffer = 0;
  std::size_t offset = 0;
  std::size_t size = 0;
  std::uint32_t member = 0;  // see Piece in worker.proto
};

struct WritePiece {
  BufferPiece piece;
  ir::TensorType type;  // type of the whole buffer
  Parts from;           // piece.size bytes
};

/// Bytes of a reply, as they were at the time of the request.
struct ReadPart {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Sends one message's bytes of a reply. False: no more are wanted.
using SendParts = std::function<bool(const std::vector<ReadPart>& parts)>;

struct CompileOrder {
  std::uint64_t program = 0;
  std::string_view stablehlo;
  std::vector<runtime::ArgumentKind> arguments;
  std::string name;
  bool direct_convolutions = false;
  runtime::Precision precision = runtime::Precision::kAuto;
  std::int64_t batch = 0;  // as in DeviceGroup::compile_parts; 0: as in Client::compile
  runtime::ReplicaWork replica_work = {};
};

/// See ExecuteRequest in worker.proto.
struct ExecuteOrder {
  std::uint64_t program = 0;
  std::uint64_t execution = 0;
  std::int64_t num_steps = 0, num_rows = 0;
  std::vector<std::uint64_t> state, fixed, row_buffers, output_buffers;
  std::vector<std::int64_t> row_indices;
  std::span<const std::byte> rows;
  std::vector<ir::TensorType> output_types;  // types of output_buffers
  std::vector<std::uint64_t> read_buffers;
  std::optional<std::size_t> profile_slices = {};  // limit of a profile's slices; empty: no profile
  bool begins_pass = false;                        // see runtime::PassListener
};

/// Measurements of an execution.
struct ExecutionRecord {
  runtime::ProfileRecord record;     // the programs' facts include the limits of this machine
  std::vector<std::size_t> numbers;  // of these facts, in the order of the executable's first use
};

struct ExecuteResult {
  std::int64_t steps_done = 0;
  std::string outputs;    // bytes
  std::string read;       // contents of read_buffers
  QuotaShare share = {};  // the counted memory of both; must live as long as they do
  std::optional<ExecutionRecord> profile = {};
};

/// A buffer of a backup, with its name and expected type.
struct SavedBuffer {
  std::uint64_t buffer = 0;
  std::string name;
  ir::TensorType type;
};

/// See SaveRequest in worker.proto.
struct BackupOrder {
  std::string path;
  std::uint64_t mark = 0;
  std::vector<SavedBuffer> buffers;
};

/// The description of an opened array for the client.
struct OpenedArray {
  ir::TensorType type;
  std::optional<runtime::ValueRange> range;
};

/// Progress of an execution.
struct ExecutionProgress {
  std::uint64_t execution = 0;
  std::int64_t steps_done = 0;
  std::chrono::steady_clock::time_point start;
};

/// One client's objects on a worker: its buffers and programs, by the numbers that the client assigned.
///
/// In a group of several workers an execution that fails here ends the group, since the others would wait for
/// it.
///
/// Clients are not trusted: programs are parsed and verified, numbers looked up, sizes and indices checked. A
/// session's memory counts against the quota until the session ends; the list of an execution's rows (8 bytes
/// a row) counts while the execution runs. An empty buffer takes memory, too: beyond kUncountedBuffers each
/// buffer counts kHandleBytes more than its elements. A program counts its text, kProgramBytes, kOpBytes for
/// each op (also those of decompositions) and result, kArgumentBytes for each argument, its constants, and
/// the memory for long signatures and lists of operands or attributes; each part is counted before its memory
/// is allocated. Outputs that an execution returns count until they are sent if they exceed
/// kUncountedAnswerBytes, in a group for each device. The memory in which a program works (Executable::kept_bytes)
/// counts until the program is released.
/// Threads: safe; calls other than stop(), stop_all() and running() take turns.
class Session {
 public:
  /// `client` may be a DeviceGroup. `files`: the folder for opening files and writing backups; null: none.
  /// `group`: the workers that communicate in the session's programs; null: none.
  Session(std::shared_ptr<runtime::Client> client, int device, MemoryQuota& quota,
          const DataRoot* files = nullptr, std::shared_ptr<SessionGroup> group = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// See SessionGroup. Errors: FailedPrecondition for a session without a group.
  void join();
  /// Unknown numbers are ignored.
  void release(std::span<const std::uint64_t> numbers);
  /// Errors: InvalidArgument for a program that does not parse, breaks a rule or has different numbers of
  ///         kinds and arguments; ResourceExhausted if its text or its working memory exceeds the quota; the
  ///         backend's.
  const runtime::CompileStats& compile(const CompileOrder& order);
  /// Writes pieces of buffers. If the host cannot address the device, the pieces of a buffer are collected,
  /// counted by the quota, until its last byte has arrived; the buffer keeps its value until then. Collected
  /// pieces are dropped when a piece of another transfer arrives, an execution begins or a write fails.
  /// `transfer`: the client's number for all pieces that it writes together.
  /// Errors: InvalidArgument for a piece outside its buffer, or for another type than the buffer has;
  ///         ResourceExhausted. Pieces before the wrong one may have been written.
  void write(std::span<const WritePiece> pieces, std::uint64_t transfer = 0);
  /// Reads the pieces, in order. Large ones are the buffers' own bytes, if these can be shared and the quota
  /// allows them to be counted twice until they are sent; others are copies. Errors: NotFound for a buffer
  /// that has never been written.
  std::vector<ReadPart> read(std::span<const BufferPiece> pieces);
  /// Reads the pieces in messages of at most `most_bytes`, which are passed to `send` in order; other calls
  /// may take turns meanwhile. All pieces are checked before the first message. A buffer that the host cannot
  /// address is downloaded once for all of its messages, if the quota has space for it.
  void read(std::span<const BufferPiece> pieces, std::size_t most_bytes, const SendParts& send);
  void copy(std::uint64_t from, std::uint64_t to);
  /// `progress` is updated during the execution, and can stop it.
  /// Errors: those of Executable::execute; ResourceExhausted if the quota has no space for the list of its
  ///         rows.
  ExecuteResult execute(const ExecuteOrder& order, runtime::Progress& progress);
  /// Threads: safe during an execution, as the next two.
  void stop(std::uint64_t execution);
  /// Stops running and later calls: executions end between two steps, compilations soon, with kUnavailable
  /// and `why`, unless they have finished. Ends the group.
  void stop_all(const std::string& why);
  /// Empty if no execution runs.
  std::optional<ExecutionProgress> running();
  std::string explain(std::uint64_t program, const std::string& stage);

  /// Opens arrays of files as buffers, all or none. Errors: FailedPrecondition without files; those of
  /// open_arrays; InvalidArgument for a buffer that exists already.
  std::vector<OpenedArray> open(const OpenOrder& order);
  /// Writes the buffers atomically into a file; returns its size.
  /// Errors: FailedPrecondition without files; those of DataRoot::place_to_write and io::write_npz; NotFound
  ///         for a buffer that does not exist.
  std::uint64_t save(const BackupOrder& order);
  /// Errors: those of save; FailedPrecondition for a file of another run or with other buffers; DataLoss.
  void load(const BackupOrder& order);

  /// Threads: safe during an execution.
  std::size_t num_buffers() const { return num_buffers_.load(); }
  /// The seconds of the device's clock, if it is virtual. Threads: as num_buffers().
  std::optional<double> virtual_now() const;
  /// Limit of one message's data in either direction.
  static constexpr std::size_t kMaxMessageBytes = std::size_t{64} << 20;
  /// Bytes of an execution's reply that do not count, like those of one message of a Read.
  static constexpr std::size_t kUncountedAnswerBytes = std::size_t{1} << 20;
  /// The first buffers count with their elements alone, so that the sum is the one that users expect.
  static constexpr std::size_t kUncountedBuffers = 1024, kHandleBytes = 512;
  /// Measured memory of a program besides its text: for itself, and for the graph, plan and code of an op.
  static constexpr std::size_t kProgramBytes = std::size_t{64} << 10, kOpBytes = 2560;
  /// Measured memory of a program's argument, besides the parser's report. A result counts as an op, since an
  /// argument that is returned is copied.
  static constexpr std::size_t kArgumentBytes = 512;

 private:
  struct Program {
    QuotaShare text, graph, values, arena;  // its source, graph, values, and working memory
    std::unique_ptr<runtime::Executable> executable;
    std::vector<ir::TensorType> rows, outputs;
    std::int64_t batch = 0;
    std::size_t num_state = 0, num_fixed = 0;
    std::int64_t num_steps = 0;          // steps that it has run
    runtime::ProcessCounts collectives;  // those of these steps, with other workers
    /// The facts of measured programs, and those sent to the client.
    std::vector<std::shared_ptr<const runtime::ProgramFacts>> facts, told_facts;
  };

  struct Prepared;
  class Running;

  ExecuteResult execute_alone(const ExecuteOrder& order, runtime::Progress& progress);
  void place_buffers(const ExecuteOrder& order, const Program& program, Prepared& prepared);
  void place_row_buffers(const ExecuteOrder& order, Prepared& prepared);
  void place_rows(const ExecuteOrder& order, const Program& program, Prepared& prepared);
  void place_outputs(const ExecuteOrder& order, const Program& program, Prepared& prepared,
                     ExecuteResult& result);
  void place_reads(const ExecuteOrder& order, Prepared& prepared, ExecuteResult& result);
  Program& program(std::uint64_t number);
  runtime::Buffer& buffer(std::uint64_t number, std::string_view what);
  runtime::Buffer& buffer_of(std::uint64_t number, const ir::TensorType& type);
  const DataRoot& files() const;
  void fill(runtime::Buffer& to, const StoredArray& array, const std::function<void(const std::byte*)>& look);
  OpenedArray open_one(const StoredArray& array, std::uint64_t number);
  void release_buffer(std::uint64_t number);
  void write_pieces(std::span<const WritePiece> pieces);
  std::optional<GatheredBytes> gather(const WritePiece& write);
  /// The bytes on all devices of a group together.
  std::size_t bytes_of(const ir::TensorType& type) const;
  /// These bytes, and the overhead of the session's buffer number `place`, counted from 1.
  std::size_t bytes_of(const ir::TensorType& type, std::size_t place) const;
  std::unique_ptr<runtime::Executable> compile(const ir::Function& step, const CompileOrder& order);
  std::unique_ptr<runtime::Executable> compile_stoppable(const runtime::StepProgram& program,
                                                         std::int64_t batch);
  std::int64_t run(Program& program, const runtime::Replica& replica, const ExecuteOrder& order,
                   runtime::Progress& progress);
  /// Errors: kUnavailable if stop_all() has ended the execution early.
  void check_not_stopped(std::int64_t done, std::int64_t num_steps);
  /// Runs with a profiler.
  std::int64_t run_measured(Program& program, const runtime::Replica& replica, const ExecuteOrder& order,
                            runtime::Progress& progress, ExecuteResult& result);
  static ExecutionRecord record_of(Program& program, const runtime::Profiler& profiler);
  std::shared_ptr<const std::byte> held_bytes(std::uint64_t number);
  std::vector<ReadPart> read_in_place(std::span<const BufferPiece> pieces);
  /// Errors: ResourceExhausted if the quota has no space for buffers of which a part is read.
  ReadPart read_by_transfer(std::span<const BufferPiece> pieces, std::size_t num_bytes);
  std::optional<ReadPart> fetch(const BufferPiece& piece);
  bool send_in_messages(const BufferPiece& piece, std::size_t most_bytes, const SendParts& send);
  void check_piece(const BufferPiece& piece, std::size_t buffer_bytes) const;
  /// Reads all bytes of the buffer that the piece is of.
  void read_whole(const runtime::Buffer& from, const BufferPiece& piece, std::byte* to);

  std::shared_ptr<runtime::Client> client_;
  int device_;
  std::size_t num_copies_;  // copies of each buffer
  MemoryQuota& quota_;
  const DataRoot* files_;
  std::shared_ptr<SessionGroup> group_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<runtime::Buffer>> buffers_;
  std::atomic<std::size_t> num_buffers_{0};
  /// The bytes of buffers in replies that are being sent, each counted once.
  std::map<std::uint64_t, std::weak_ptr<const std::byte>> held_;
  /// By buffer and member: pieces received in `transfer_`.
  std::map<std::pair<std::uint64_t, std::uint32_t>, GatheredBytes> gathered_;
  std::uint64_t transfer_ = 0;
  std::map<std::uint64_t, Program> programs_;
  std::mutex running_mutex_;
  ExecutionProgress running_;
  runtime::Progress* running_progress_ = nullptr;
  std::string stopped_because_;  // reason of stop_all(); empty: not called
  std::atomic<bool> is_stopped_{false};
};

}  // namespace cornu::inline v0::backends::remote
