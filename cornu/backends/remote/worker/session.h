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
#include <vector>

#include "cornu/backends/remote/wire/last_field.h"
#include "cornu/backends/remote/worker/array_files.h"
#include "cornu/backends/remote/worker/gathered_bytes.h"
#include "cornu/backends/remote/worker/memory_quota.h"
#include "cornu/backends/remote/worker/session_group.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::remote {

/// A part of a buffer: bytes [offset, offset + size).
struct BufferPiece {
  std::uint64_t buffer = 0;
  std::size_t offset = 0;
  std::size_t size = 0;
};

struct WritePiece {
  BufferPiece piece;
  ir::TensorType type;  // of the whole buffer
  Parts from;           // piece.size bytes
};

/// Bytes of an answer, as they were when they were asked for.
struct ReadPart {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// Takes one message's bytes of an answer. False: nobody wants more.
using SendParts = std::function<bool(const std::vector<ReadPart>& parts)>;

struct CompileOrder {
  std::uint64_t program = 0;
  std::string_view stablehlo;
  std::vector<runtime::ArgumentKind> arguments;
  std::string name;
  bool direct_convolutions = false;
  runtime::Precision precision = runtime::Precision::kAuto;
  std::int64_t batch = 0;  // as of DeviceGroup::compile_parts; 0: of Client::compile
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
  std::vector<ir::TensorType> output_types;  // of output_buffers
  std::vector<std::uint64_t> read_buffers;
  std::optional<std::size_t> profile_slices = {};  // at most, of a profile; nothing: none is made
  bool begins_pass = false;                        // see runtime::PassListener
};

/// What an execution measured.
struct ExecutionRecord {
  runtime::ProfileRecord record;     // each program's facts with the limits of this machine
  std::vector<std::size_t> numbers;  // of these facts, in the order in which the executable met them
};

struct ExecuteResult {
  std::int64_t steps_done = 0;
  std::string outputs;    // bytes
  std::string read;       // of read_buffers
  QuotaShare share = {};  // the memory of both that counts; it must live as long as they do
  std::optional<ExecutionRecord> profile = {};
};

/// A buffer of a backup: its name there, and the type that it has.
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

/// What a client hears of an array that was opened.
struct OpenedArray {
  ir::TensorType type;
  std::optional<runtime::ValueRange> range;
};

/// How far an execution is.
struct ExecutionProgress {
  std::uint64_t execution = 0;
  std::int64_t steps_done = 0;
  std::chrono::steady_clock::time_point start;
};

/// What one client holds on a worker: its buffers and programs, by the numbers that it gave them.
///
/// In a group of several workers an execution that fails here ends the group: the others would wait for it.
///
/// Nothing that a client says is believed: programs are parsed and verified, numbers looked up, sizes and
/// indices checked. What a session holds counts against the quota, and is given back when it ends;
/// the list of an execution's rows (8 bytes a row) counts while the execution runs. A buffer of no bytes
/// takes memory, too: beyond kUncountedBuffers each counts kHandleBytes more than its elements. A program
/// counts its text, kProgramBytes, kOpBytes for each op (also those of decompositions) and result,
/// kArgumentBytes for each argument, its constants, and the memory for long signatures and lists of operands
/// or attributes; each part is counted before its memory is allocated. Outputs that an execution returns
/// count until they are sent if they are more than kUncountedAnswerBytes.
/// Threads: safe; calls other than stop(), stop_all() and running() take turns.
class Session {
 public:
  /// `client` may be a DeviceGroup. `files`: where files are opened and backups written; null: nowhere.
  /// `group`: of several workers, which the session's programs meet; null: none.
  Session(std::shared_ptr<runtime::Client> client, int device, MemoryQuota& quota,
          const DataRoot* files = nullptr, std::shared_ptr<SessionGroup> group = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// See SessionGroup. Errors: FailedPrecondition for a session that is in none.
  void join();
  /// Numbers that are not there are nothing to release.
  void release(std::span<const std::uint64_t> numbers);
  /// Errors: InvalidArgument for a program that does not parse, breaks a rule or has another number of kinds
  ///         than arguments; ResourceExhausted when its text or the memory that it works in is more than the
  ///         quota leaves; the backend's.
  const runtime::CompileStats& compile(const CompileOrder& order);
  /// Where the host cannot address the device, the pieces of a buffer wait here, counted by the quota, until
  /// its last byte has come; the buffer keeps what it had until then. What waits is dropped when a piece of
  /// another transfer comes, an execution begins or a write fails. `transfer`: the client's number for
  /// all that it writes at once.
  /// Errors: InvalidArgument for a piece outside its buffer, or another type than the buffer has;
  ///         ResourceExhausted.
  ///         Pieces before the wrong one may have been written.
  void write(std::span<const WritePiece> pieces, std::uint64_t transfer = 0);
  /// The pieces, one behind the other: large ones are the buffers' own bytes, where these can be shared and
  /// the quota lets them be counted twice until they are gone; others are copies. Errors: NotFound for a
  /// buffer that has never been written.
  std::vector<ReadPart> read(std::span<const BufferPiece> pieces);
  /// The same in messages of at most `most_bytes`, which `send` gets one after the other while other calls
  /// may take their turn. All pieces are checked before the first; a buffer of another device is fetched once
  /// for all of its messages, where the quota has room for it.
  void read(std::span<const BufferPiece> pieces, std::size_t most_bytes, const SendParts& send);
  void copy(std::uint64_t from, std::uint64_t to);
  /// `progress` tells how far it is while it runs, and can stop it.
  /// Errors: as Executable::execute; ResourceExhausted when the quota has no room for the list of its rows.
  ExecuteResult execute(const ExecuteOrder& order, runtime::Progress& progress);
  /// Threads: while another thread executes, as the next two.
  void stop(std::uint64_t execution);
  /// Whatever runs, and whatever would begin to: ends between two steps, or soon where it compiles, with
  /// kUnavailable and `why`, unless it has come to its end. Ends the group.
  void stop_all(const std::string& why);
  /// Nothing when nothing runs.
  std::optional<ExecutionProgress> running();
  std::string explain(std::uint64_t program, const std::string& stage);

  /// Arrays of files become buffers, all or none. Errors: FailedPrecondition without files; as open_arrays;
  ///         InvalidArgument for a buffer that is there already.
  std::vector<OpenedArray> open(const OpenOrder& order);
  /// Writes the buffers into a file, whole or not at all; returns its size.
  /// Errors: FailedPrecondition without files; as DataRoot::place_to_write and io::write_npz;
  ///         NotFound for a buffer that is not there.
  std::uint64_t save(const BackupOrder& order);
  /// Errors: as save; FailedPrecondition for a file of another run or with other buffers; DataLoss.
  void load(const BackupOrder& order);

  /// Threads: while another thread executes.
  std::size_t num_buffers() const { return num_buffers_.load(); }
  /// The seconds of the device's clock, where that is a virtual one. Threads: as num_buffers().
  std::optional<double> virtual_now() const;
  /// Of one message's data, both ways.
  static constexpr std::size_t kMaxMessageBytes = std::size_t{64} << 20;
  /// Bytes of an execution's answer that do not count, as those of one message of a Read.
  static constexpr std::size_t kUncountedAnswerBytes = std::size_t{1} << 20;
  /// A few buffers count with their elements alone, so that the sum is the one that users expect.
  static constexpr std::size_t kUncountedBuffers = 1024, kHandleBytes = 512;
  /// Measured memory of a program besides its text: for itself, and for the graph, plan and code of an op.
  static constexpr std::size_t kProgramBytes = std::size_t{64} << 10, kOpBytes = 2560;
  /// The same of an argument of a program, besides what the parser reports. A result counts as an op, since
  /// one that no op makes is copied.
  static constexpr std::size_t kArgumentBytes = 512;

 private:
  struct Program {
    QuotaShare text, graph, values, arena;  // what it was made of and became, and what it works in
    std::unique_ptr<runtime::Executable> executable;
    std::vector<ir::TensorType> rows, outputs;
    std::int64_t batch = 0;
    std::size_t num_state = 0, num_fixed = 0;
    std::int64_t num_steps = 0;          // that it has run
    runtime::ProcessCounts collectives;  // in them, with other workers
    /// Those of programs that were measured, and what is told of them.
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
  /// On all devices of a group together.
  std::size_t bytes_of(const ir::TensorType& type) const;
  /// The same, and what the session's buffer of that number, counted from 1, takes besides.
  std::size_t bytes_of(const ir::TensorType& type, std::size_t place) const;
  std::unique_ptr<runtime::Executable> compile(const ir::Function& step, const CompileOrder& order);
  std::unique_ptr<runtime::Executable> compile_stoppable(const runtime::StepProgram& program,
                                                         std::int64_t batch);
  std::int64_t run(Program& program, const runtime::Replica& replica, const ExecuteOrder& order,
                   runtime::Progress& progress);
  /// Errors: kUnavailable where stop_all() has ended the execution early.
  void check_not_stopped(std::int64_t done, std::int64_t num_steps);
  /// The same, measured.
  std::int64_t run_measured(Program& program, const runtime::Replica& replica, const ExecuteOrder& order,
                            runtime::Progress& progress, ExecuteResult& result);
  static ExecutionRecord record_of(Program& program, const runtime::Profiler& profiler);
  std::shared_ptr<const std::byte> held_bytes(std::uint64_t number);
  std::vector<ReadPart> read_in_place(std::span<const BufferPiece> pieces);
  /// Errors: ResourceExhausted where the quota has no room for buffers of which a part is read.
  ReadPart read_by_transfer(std::span<const BufferPiece> pieces, std::size_t num_bytes);
  std::optional<ReadPart> fetch(const BufferPiece& piece);
  bool send_in_messages(const BufferPiece& piece, std::size_t most_bytes, const SendParts& send);
  static void check_piece(const BufferPiece& piece, std::size_t buffer_bytes);

  std::shared_ptr<runtime::Client> client_;
  int device_;
  std::size_t num_copies_;  // of a buffer
  MemoryQuota& quota_;
  const DataRoot* files_;
  std::shared_ptr<SessionGroup> group_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::unique_ptr<runtime::Buffer>> buffers_;
  std::atomic<std::size_t> num_buffers_{0};
  /// What answers that are on their way hold of the buffers, each counted once.
  std::map<std::uint64_t, std::weak_ptr<const std::byte>> held_;
  std::map<std::uint64_t, GatheredBytes> gathered_;  // by buffer: what has come of them in `transfer_`
  std::uint64_t transfer_ = 0;
  std::map<std::uint64_t, Program> programs_;
  std::mutex running_mutex_;
  ExecutionProgress running_;
  runtime::Progress* running_progress_ = nullptr;
  std::string stopped_because_;  // by stop_all(); empty: it was not
  std::atomic<bool> is_stopped_{false};
};

}  // namespace cornu::inline v0::backends::remote
