#include <algorithm>
#include <cstring>
#include <string>

#include "cornu/backends/remote/worker/execution_sequence.h"
#include "cornu/backends/remote/worker/session.h"
#include "cornu/base/error.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

using backends::remote::BufferPiece;
using backends::remote::CompileOrder;
using backends::remote::ExecuteOrder;
using backends::remote::ExecutionSequence;
using backends::remote::MemoryQuota;
using backends::remote::Session;
using backends::remote::WritePiece;

constexpr const char* kPrograms[] = {
    R"(func.func @main(%w: tensor<2xf32>, %x: tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  %next = stablehlo.add %w, %sum : tensor<2xf32>
  return %next, %x : tensor<2xf32>, tensor<3x2xf32>
})",
    R"(func.func @main(%w: tensor<2xf32>, %f: tensor<2xf32>) -> tensor<2xf32> {
  %next = stablehlo.add %w, %f : tensor<2xf32>
  return %next : tensor<2xf32>
})"};

/// What a client says, as the bytes have it.
class Said {
 public:
  explicit Said(Bytes bytes) : left_(bytes) {}
  bool is_over() const { return left_.empty(); }
  unsigned byte() {
    if (left_.empty()) return 0;
    const auto value = static_cast<unsigned>(left_.front());
    left_ = left_.subspan(1);
    return value;
  }
  /// Mostly small; a byte of 255 begins one of eight bytes.
  std::uint64_t number() {
    const unsigned first = byte();
    if (first < 255) return first;
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> all(byte() % 8);
    for (std::uint64_t& one : all) one = number();
    return all;
  }
  ir::TensorType type() {
    constexpr ir::DType kTypes[] = {ir::DType::kF32, ir::DType::kI8, ir::DType::kF64, ir::DType::kI1};
    ir::TensorType made{kTypes[byte() % 4], {}};
    for (unsigned i = byte() % 4; i > 0; --i) made.dims.push_back(static_cast<std::int64_t>(number()));
    return made;
  }
  Bytes bytes(std::size_t most) {
    const Bytes some = left_.first(std::min<std::size_t>(most, left_.size()));
    left_ = left_.subspan(some.size());
    return some;
  }

 private:
  Bytes left_;
};

void compile(Session& session, Said& said) {
  CompileOrder order{.program = said.number()};
  const unsigned which = said.byte();
  const Bytes own = which < 2 ? Bytes() : said.bytes(which);
  order.stablehlo = which < 2 ? std::string_view(kPrograms[which])
                              : std::string_view(reinterpret_cast<const char*>(own.data()), own.size());
  for (const std::uint64_t kind : said.numbers())
    order.arguments.push_back(static_cast<runtime::ArgumentKind>(kind % 4));
  session.compile(order);
}

void write(Session& session, Said& said) {
  const BufferPiece piece{said.number(), said.number(), said.number()};
  const ir::TensorType type = said.type();
  // The service holds the sizes against the bytes that came.
  const Bytes bytes = said.bytes(piece.size);
  if (bytes.size() < piece.size) return;
  const WritePiece one{piece, type, {bytes}};
  session.write({&one, 1});
}

void read(Session& session, Said& said) {
  std::vector<BufferPiece> pieces(said.byte() % 4);
  for (BufferPiece& piece : pieces) piece = {said.number(), said.number(), said.number()};
  std::size_t num_bytes = 0;
  for (const backends::remote::ReadPart& part : session.read(pieces)) num_bytes += part.bytes.size();
  require(num_bytes <= Session::kMaxMessageBytes, "a read is larger than a message");
}

/// `sequence`: the executions of a Run; null: a call of its own.
void execute(Session& session, Said& said, ExecutionSequence* sequence = nullptr) {
  ExecuteOrder order{.program = said.number(),
                     .execution = said.number(),
                     .num_steps = static_cast<std::int64_t>(said.number()),
                     .num_rows = static_cast<std::int64_t>(said.number()),
                     .state = said.numbers(),
                     .fixed = said.numbers(),
                     .row_buffers = said.numbers(),
                     .output_buffers = said.numbers()};
  for (const std::uint64_t index : said.numbers())
    order.row_indices.push_back(static_cast<std::int64_t>(index));
  for (std::size_t i = 0; i < order.output_buffers.size(); ++i) order.output_types.push_back(said.type());
  order.read_buffers = said.numbers();
  const Bytes rows = said.bytes(said.byte());
  order.rows = rows;
  runtime::Progress progress;
  progress.stop = order.num_steps > 64;  // what is checked is the same, and it ends
  if (sequence == nullptr)
    session.execute(order, progress);
  else
    sequence->execute(session, order, progress);
}

/// Executions, with other calls between them: after the first failure none runs.
void run(Session& session, Said& said) {
  ExecutionSequence sequence;
  bool has_failed = false;
  for (unsigned i = said.byte() % 8; i > 0; --i) {
    try {
      execute(session, said, &sequence);
      require(!has_failed, "an execution of a Run has run after a failure");
    } catch (const Error& error) {
      has_failed = true;
      require(error.code() != ErrorCode::kInternal, error.what());
    }
    if (said.byte() % 2 == 0) session.release(said.numbers());
  }
}

void call(Session& session, Said& said) {
  switch (said.byte() % 9) {
    case 0: return compile(session, said);
    case 1: return write(session, said);
    case 2: return read(session, said);
    case 3: return session.copy(said.number(), said.number());
    case 4: return execute(session, said);
    case 5: return session.release(said.numbers());
    case 6: return session.stop(said.number());
    case 8: return run(session, said);
    default: session.explain(said.number(), said.byte() % 2 == 0 ? "" : "plan");
  }
}

}  // namespace

/// A client that says anything: a session answers with an error or does it, and gives back all that it took.
void session(Bytes bytes) {
  static const std::shared_ptr<runtime::Client>& client =
      *new std::shared_ptr<runtime::Client>(runtime::make_client("reference"));
  MemoryQuota quota(1 << 20);
  {
    Session made(client, 0, quota);
    Said said(bytes);
    for (int calls = 0; !said.is_over() && calls < 200; ++calls) {
      try {
        call(made, said);
      } catch (const Error& error) {
        require(error.code() != ErrorCode::kInternal, error.what());
      }
      require(quota.used_bytes() <= quota.limit_bytes(), "more memory is taken than there is");
    }
  }
  require(quota.used_bytes() == 0, "a session kept memory");
}

}  // namespace cornu::inline v0::fuzz
