#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/backends/remote/worker/options.h"
#include "cornu/backends/remote/worker/peer_links.h"
#include "cornu/backends/remote/worker/session_group.h"

namespace cornu::inline v0::backends::remote {

/// A session's membership in a group of several workers: it calls those of lower rank and is called by the
/// others. The programs' collectives are ProcessGroup's, over these links.
class PeerGroup final : public SessionGroup {
 public:
  /// Errors: InvalidArgument for an invalid message; FailedPrecondition if this worker cannot authenticate
  ///         the others.
  PeerGroup(const WorkerOptions& options, const proto::GroupMember& member);
  ~PeerGroup() override;

  const std::shared_ptr<runtime::Collective>& processes() const override { return processes_; }
  void join() override;
  void end(const std::string& why) override { links_->end(why); }

  const std::shared_ptr<PeerLinks>& links() const { return links_; }
  bool has_secret(const std::string& secret) const;

 private:
  class Call;

  void call(int rank);
  [[noreturn]] void refuse_to_join(int rank, ErrorCode code, const std::string& why) const;

  const WorkerOptions& options_;
  const proto::GroupMember member_;
  std::shared_ptr<PeerLinks> links_;
  std::shared_ptr<runtime::Collective> processes_;
  std::vector<std::shared_ptr<Call>> calls_;
};

/// The groups of a worker's sessions, by name. Threads: safe.
class PeerGroups {
 public:
  using Stream = grpc::ServerReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>;

  explicit PeerGroups(const WorkerOptions& options) : options_(options) {}

  /// Errors: those of PeerGroup; InvalidArgument if this worker is in the group already.
  std::shared_ptr<PeerGroup> open(const proto::GroupMember& member);
  /// Handles another worker's call, which lasts as long as the link.
  /// Errors: NotFound for a group that does not exist or has another secret; FailedPrecondition for a worker
  ///         with another protocol, or one that is not expected.
  void meet(grpc::ServerContext& context, Stream& stream);

 private:
  std::shared_ptr<PeerGroup> find(const proto::Introduction& introduction);

  const WorkerOptions& options_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<PeerGroup>> groups_;
};

}  // namespace cornu::inline v0::backends::remote
