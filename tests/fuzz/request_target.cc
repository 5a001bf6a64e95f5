#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "cornu/backends/remote/worker/messages.h"
#include "cornu/base/error.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

using backends::remote::DataRoot;
using backends::remote::ExecutionSequence;
using backends::remote::MemoryQuota;
using backends::remote::Parts;
using backends::remote::Session;
namespace proto = backends::remote::proto;

/// A message as protobuf reads it; one that it refuses never reaches a session.
template <typename Request>
bool parse_message(Bytes bytes, Request& request) {
  const bool is_read = request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  const auto size = backends::remote::expanded_bytes({bytes}, backends::remote::kFieldsOf<Request>);
  require(!is_read || size.has_value(), "protobuf reads a message whose size is not known");
  return is_read;
}

/// `sequence`: that of the call Run, for its requests.
template <typename Request, typename Reply, typename... Sequence>
void run_message(Session& session, Bytes bytes, Sequence*... sequence) {
  Request request;
  Reply reply;
  if (!parse_message(bytes, request)) return;
  if constexpr (requires { request.released(); }) {
    const std::vector<std::uint64_t> released(request.released().begin(), request.released().end());
    session.release(released);
  }
  // Steps that end by themselves: what is checked is the same.
  if constexpr (requires { request.num_steps(); })
    if (request.num_steps() > 64 && request.num_steps() < (std::int64_t{1} << 31)) request.set_num_steps(64);
  if constexpr (requires { request.stablehlo(); })
    if (request.stablehlo().find("while") != std::string::npos) return;
  run_call(session, request, reply, sequence...);
}

void write_message(Session& session, Bytes bytes) {
  const auto split = backends::remote::split_last_field({bytes}, proto::WriteRequest::kDataFieldNumber);
  proto::WriteRequest request;
  if (split.has_value() && request.ParseFromString(split->head)) write_pieces(session, request, split->data);
}

void read_message(Session& session, Bytes bytes) {
  proto::ReadRequest request;
  if (!parse_message(bytes, request)) return;
  int num_messages = 0;
  read_pieces(session, request, [&](const std::vector<backends::remote::ReadPart>& parts) {
    std::size_t num_bytes = 0;
    for (const backends::remote::ReadPart& part : parts) num_bytes += part.bytes.size();
    require(num_bytes <= backends::remote::kReplyBytes, "an answer's part is larger than a message");
    return ++num_messages < 100;
  });
}

void call_of(Session& session, ExecutionSequence& sequence, unsigned which, Bytes bytes) {
  switch (which % 10) {
    case 0: return run_message<proto::CompileRequest, proto::CompileReply>(session, bytes);
    case 1: return run_message<proto::CopyRequest, proto::CopyReply>(session, bytes);
    case 2: return run_message<proto::ExecuteRequest, proto::ExecuteReply>(session, bytes);
    case 3: return run_message<proto::StopRequest, proto::StopReply>(session, bytes);
    case 4: return run_message<proto::ExplainRequest, proto::ExplainReply>(session, bytes);
    case 5: return run_message<proto::OpenRequest, proto::OpenReply>(session, bytes);
    case 6: return run_message<proto::LoadRequest, proto::LoadReply>(session, bytes);
    case 7: return write_message(session, bytes);
    case 9: return run_message<proto::ExecuteRequest, proto::ExecuteReply>(session, bytes, &sequence);
    default: return read_message(session, bytes);
  }
}

/// A folder with one array in it, and links that lead out.
const DataRoot& lent_files() {
  static const DataRoot& made = *[] {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("cornu_fuzz_" + std::to_string(::getpid()));
    fs::create_directories(folder / "root");
    std::ofstream(folder / "root/a.npy", std::ios::binary)
        << std::string("\x93NUMPY\x01\x00\x46\x00", 10)
        << "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }            \n"
        << std::string(8, 'a');
    std::error_code ignored;
    fs::create_symlink("/", folder / "root/up", ignored);
    return new DataRoot(folder / "root");
  }();
  return made;
}

}  // namespace

/// Calls as a client sends them, each a byte that says which, two for its length and the message: the worker
/// answers with an error or does it, and gives back all that it took.
void request(Bytes bytes) {
  static const std::shared_ptr<runtime::Client>& client =
      *new std::shared_ptr<runtime::Client>(runtime::make_client("reference"));
  static const auto before = google::protobuf::SetLogHandler(nullptr);  // as the module does
  (void)before;
  MemoryQuota quota(1 << 20);
  {
    Session session(client, 0, quota, &lent_files());
    ExecutionSequence sequence;
    for (int calls = 0; bytes.size() > 3 && calls < 200; ++calls) {
      const auto which = static_cast<unsigned>(bytes[0]);
      const std::size_t wanted = static_cast<std::size_t>(bytes[1]) << 8 | static_cast<std::size_t>(bytes[2]),
                        size = std::min(wanted, bytes.size() - 3);
      try {
        call_of(session, sequence, which, bytes.subspan(3, size));
      } catch (const Error& error) {
        require(error.code() != ErrorCode::kInternal, error.what());
      }
      require(quota.used_bytes() <= quota.limit_bytes(), "more memory is taken than there is");
      bytes = bytes.subspan(3 + size);
    }
  }
  require(quota.used_bytes() == 0, "a session kept memory");
}

}  // namespace cornu::inline v0::fuzz
