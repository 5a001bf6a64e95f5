#include "cornu/backends/remote/worker/peer_group.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "cornu/backends/remote/wire/channel.h"
#include "cornu/backends/remote/wire/secret.h"
#include "cornu/backends/remote/wire/slices.h"
#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"
#include "cornu/distribute/processes/process_group.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Metadata key of the response to an admitted worker.
constexpr const char* kWelcomeKey = "cornu-welcome";
/// Timeout for a worker of the group to answer the first call.
constexpr auto kReachTimeout = std::chrono::seconds(5);

grpc::ByteBuffer to_message(std::span<const std::byte> piece, std::uint64_t left) {
  proto::PeerPiece head;
  head.set_left(left);
  std::string text = head.SerializeAsString();
  append_field_head(text, proto::PeerPiece::kDataFieldNumber, piece.size());
  // A copy, since gRPC may send the message after the call returns.
  const grpc::Slice slices[] = {grpc::Slice(text), grpc::Slice(piece.data(), piece.size())};
  return {slices, 2};
}

/// Stores a received piece at its destination. False: no more pieces are wanted.
bool take_message(PeerLinks& links, int rank, const grpc::ByteBuffer& message) {
  const MessageSlices slices(message);
  const std::optional<SplitMessage> split =
      split_last_field(slices.parts(), proto::PeerPiece::kDataFieldNumber);
  proto::PeerPiece head;
  if (!split.has_value() || !head.ParseFromString(split->head) || size_of(split->data) > kPeerPieceBytes) {
    links.end(fmt::format("[worker] {} has sent bytes that are not part of a message", links.name_of(rank)));
    return false;
  }
  return links.take(rank, head.left(), split->data);
}

/// A gRPC stream, from either end, as long as its call lives.
template <typename Context, typename ReaderWriter>
class GrpcStream final : public PeerStream {
 public:
  GrpcStream(Context& context, ReaderWriter& stream) : context_(&context), stream_(&stream) {}

  bool send(std::span<const std::byte> piece, std::uint64_t left) override {
    const std::lock_guard lock(sending_);
    return !is_closed_ && stream_->Write(to_message(piece, left));
  }
  void cancel() override {
    const std::lock_guard lock(context_mutex_);
    if (context_ != nullptr) context_->TryCancel();
  }
  /// Called before the call ends: the stream is not used afterwards.
  void close() {
    cancel();
    const std::lock_guard lock(sending_), context_lock(context_mutex_);
    is_closed_ = true;
    context_ = nullptr;
  }
  void receive_all(PeerLinks& links, int rank) {
    grpc::ByteBuffer message;
    while (stream_->Read(&message) && take_message(links, rank, message)) {
    }
  }

 private:
  std::mutex sending_, context_mutex_;
  Context* context_;  // guarded by context_mutex_
  ReaderWriter* stream_;
  bool is_closed_ = false;  // guarded by sending_
};

void check_member(const proto::GroupMember& member) {
  const auto is_secret = [](const std::string& text) { return text.size() >= 16 && text.size() <= 64; };
  if (!is_secret(member.group()) || !is_secret(member.secret()))
    invalid_argument("[worker] a group has a name and a secret of 16 to 64 bytes");
  const int count = member.addresses_size();
  if (count < 2 || count > kMaxGroupMembers || member.rank() >= static_cast<std::uint32_t>(count))
    invalid_argument("[worker] a group has 2 to {} workers; got rank {} of {}", kMaxGroupMembers,
                     member.rank(), count);
  for (const std::string& address : member.addresses())
    if (!is_host_port(address)) invalid_argument("[worker] \"{}\" is not a HOST:PORT", address.substr(0, 80));
  if (member.keep_alive_ms() < 100 || member.keep_alive_ms() > 3'600'000 ||
      !(member.timeout_seconds() >= 0) || !std::isfinite(member.timeout_seconds()))
    invalid_argument("[worker] a group cannot wait {} ms and {} s", member.keep_alive_ms(),
                     member.timeout_seconds());
}

/// Rejects a group if this worker cannot authenticate the workers that it calls.
void check_security(const WorkerOptions& options, const proto::GroupMember& member) {
  const bool has_tls = !options.cert_file.empty();
  if (has_tls && options.peer_ca_file.empty())
    fail(ErrorCode::kFailedPrecondition,
         "[worker] it speaks TLS and was started without --tls-peer-ca, by which it would check the "
         "certificates of other workers: without it, it is in no group of several workers");
  for (const std::string& address : member.addresses())
    if (!has_tls && !is_loopback(address))
      fail(ErrorCode::kFailedPrecondition,
           "[worker] without TLS it calls workers on its own machine only, not \"{}\": start it with "
           "--tls-cert, --tls-key, --tls-peer-ca and --token-file",
           address);
}

}  // namespace

/// The call to another worker, and the thread that receives its messages.
class PeerGroup::Call {
 public:
  using Stream = grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>;

  Call(const std::shared_ptr<grpc::Channel>& channel, const std::string& token,
       const proto::Introduction& introduction)
      : channel_(channel) {
    if (!token.empty()) context_.AddMetadata("authorization", "Bearer " + token);
    context_.AddMetadata(kIntroductionKey, introduction.SerializeAsString());
    stream_.reset(grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
        channel.get(),
        grpc::internal::RpcMethod(kMeetMethod, grpc::internal::RpcMethod::BIDI_STREAMING, channel),
        &context_));
  }
  ~Call() {
    context_.TryCancel();
    if (thread_.joinable()) thread_.join();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Waits for the response; OK if it was admitted.
  grpc::Status introduce() {
    stream_->WaitForInitialMetadata();
    if (context_.GetServerInitialMetadata().contains(kWelcomeKey)) return grpc::Status::OK;
    const grpc::Status status = stream_->Finish();
    return status.ok() ? grpc::Status(grpc::StatusCode::INTERNAL, "it is not a worker") : status;
  }
  void begin(const std::shared_ptr<PeerLinks>& links, int rank) {
    const auto link = std::make_shared<GrpcStream<grpc::ClientContext, Stream>>(context_, *stream_);
    links->connect(rank, link);
    thread_ = start_service_thread([this, links, rank, link] {
      link->receive_all(*links, rank);
      link->close();
      links->lose(rank, stream_->Finish().error_message());
    });
  }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  grpc::ClientContext context_;
  std::unique_ptr<Stream> stream_;
  std::thread thread_;  // uses the other members
};

PeerGroup::PeerGroup(const WorkerOptions& options, const proto::GroupMember& member)
    : options_(options), member_(member) {
  check_member(member);
  check_security(options, member);
  links_ = std::make_shared<PeerLinks>(
      static_cast<int>(member.rank()),
      std::vector<std::string>(member.addresses().begin(), member.addresses().end()));
  processes_ = std::make_shared<distribute::ProcessGroup>(links_);
  processes_->set_timeout_seconds(member.timeout_seconds());
}

PeerGroup::~PeerGroup() { links_->end("[worker] the session of the group has ended"); }

bool PeerGroup::has_secret(const std::string& secret) const { return same_secret(secret, member_.secret()); }

void PeerGroup::refuse_to_join(int rank, ErrorCode code, const std::string& why) const {
  fail(
      code,
      "[worker] {} cannot work with {} of its group: {}. Workers of a group call each other by the addresses "
      "that the client has for them, unless it names another: grpc://HOST:PORT/DEVICE,peer=HOST:PORT",
      links_->name_of(links_->rank()), links_->name_of(rank), why);
}

void PeerGroup::call(int rank) {
  WorkerAddress address{.host_port = member_.addresses(rank), .token_file = options_.token_file};
  address.keep_alive_ms = static_cast<int>(member_.keep_alive_ms());
  if (!options_.cert_file.empty()) {
    address.ca_file = options_.peer_ca_file;
    address.cert_file = options_.cert_file;
    address.key_file = options_.key_file;
  }
  const std::string token = token_of(address);
  const auto [channel, failure] = open_channel(address, token, kReachTimeout);
  if (!failure.sentence.empty()) refuse_to_join(rank, failure.code, failure.sentence);
  proto::Introduction introduction;
  introduction.set_protocol(kProtocolVersion);
  introduction.set_group(member_.group());
  introduction.set_secret(member_.secret());
  introduction.set_rank(member_.rank());
  auto made = std::make_shared<Call>(channel, token, introduction);
  if (const grpc::Status status = made->introduce(); !status.ok())
    refuse_to_join(rank, error_code(status.error_code()), status.error_message());
  made->begin(links_, rank);
  calls_.push_back(std::move(made));
}

void PeerGroup::join() {
  for (int rank = 0; rank < links_->rank(); ++rank) call(rank);
  links_->wait_for_all(kConnectTimeout);
}

std::shared_ptr<PeerGroup> PeerGroups::open(const proto::GroupMember& member) {
  auto made = std::make_shared<PeerGroup>(options_, member);
  const std::lock_guard lock(mutex_);
  std::erase_if(groups_, [](const auto& group) { return group.second.expired(); });
  const auto [place, is_new] = groups_.emplace(member.group(), made);
  const std::shared_ptr<PeerGroup> other = is_new ? nullptr : place->second.lock();
  if (other != nullptr)
    invalid_argument(
        "[worker] the group has this worker twice, as {} and {}: it has one device of each worker",
        other->links()->name_of(other->links()->rank()), made->links()->name_of(made->links()->rank()));
  place->second = made;
  return made;
}

std::shared_ptr<PeerGroup> PeerGroups::find(const proto::Introduction& introduction) {
  std::shared_ptr<PeerGroup> group;
  {
    const std::lock_guard lock(mutex_);
    const auto found = groups_.find(introduction.group());
    if (found != groups_.end()) group = found->second.lock();
  }
  if (group == nullptr || !group->has_secret(introduction.secret()))
    fail(ErrorCode::kNotFound, "[worker] no session here is in that group, or its secret is another one");
  return group;
}

void PeerGroups::meet(grpc::ServerContext& context, Stream& stream) {
  const auto found = context.client_metadata().find(kIntroductionKey);
  proto::Introduction introduction;
  if (found == context.client_metadata().end() ||
      !introduction.ParseFromArray(found->second.data(), static_cast<int>(found->second.size())))
    invalid_argument("[worker] whoever calls introduces itself as a worker of a group");
  if (introduction.protocol() != kProtocolVersion)
    fail(ErrorCode::kFailedPrecondition,
         "[worker] a worker that speaks protocol {} calls, this one (Cornu {}) speaks {}: install the same "
         "version on all",
         introduction.protocol(), CORNU_VERSION_STRING, kProtocolVersion);
  // Keep the links, not the group, which ends with its session.
  const std::shared_ptr<PeerLinks> links = find(introduction)->links();
  const auto rank = static_cast<int>(std::min<std::uint32_t>(introduction.rank(), kMaxGroupMembers));
  if (rank <= links->rank())
    fail(ErrorCode::kFailedPrecondition, "[worker] rank {} awaits no call of rank {}", links->rank(), rank);
  const auto link = std::make_shared<GrpcStream<grpc::ServerContext, Stream>>(context, stream);
  context.AddInitialMetadata(kWelcomeKey, "1");
  stream.SendInitialMetadata();
  links->connect(rank, link);
  link->receive_all(*links, rank);
  links->lose(rank, "");
  link->close();
}

}  // namespace cornu::inline v0::backends::remote
