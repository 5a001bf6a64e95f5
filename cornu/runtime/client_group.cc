#include "cornu/runtime/client_group.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"
#include "cornu/base/tick_clock.h"
#include "cornu/runtime/group_executable.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::runtime {
namespace {

using Clients = std::vector<std::shared_ptr<Client>>;

DeviceInfo info_of(const Clients& clients) {
  CORNU_CHECK(clients.size() >= 2, "a group has two devices or more; got {}", clients.size());
  return info_of_group(clients[0]->devices()[0], clients.size());
}

/// Chooses the error to report when several threads fail.
class FirstError {
 public:
  /// Takes the exception that is being handled. Returns it as an Error, converted if it is of another type.
  Error take() {
    Error found(ErrorCode::kInternal, "what is no Error");
    try {
      throw;
    } catch (const Error& error) {
      found = error;
    } catch (...) {  // NOLINT(bugprone-empty-catch): `found` stands for it
    }
    // Prefer the root cause: report the first error that is not kUnavailable.
    const bool is_loss = found.code() == ErrorCode::kUnavailable;
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr || (is_loss_ && !is_loss)) {
      first_ = std::current_exception();
      is_loss_ = is_loss;
    }
    return found;
  }
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
  bool is_loss_ = false;
};

/// Collects the members' measurements of one execution, each made on the member's thread, for the profiler of
/// the calling thread. Does nothing if there is no profiler.
class MembersProfile {
 public:
  explicit MembersProfile(const ClientGroup& group) : group_(group) {
    if (caller_ != nullptr) measured_.resize(group.members().size());
  }

  /// Threads: called on the members' threads.
  void measure(std::size_t member, const std::function<void()>& run) {
    if (caller_ == nullptr) return run();
    Profiler own({.max_events = caller_->max_events()});
    const std::int64_t begin = read_ticks();
    own.start();
    run();
    own.stop();
    measured_[member] = {own.taken(), own.num_unmeasured(), begin, read_ticks()};
  }
  /// Passes the measurements to the profiler. Call after all members have run.
  void tell() {
    double left_out_seconds = 0;  // at the same time
    for (Measured& one : measured_)
      left_out_seconds = std::max(left_out_seconds, std::exchange(one.record.left_out_seconds, 0));
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      Measured& one = measured_[i];
      one.record.left_out_seconds = i == 0 ? left_out_seconds : 0;
      caller_->add(one.record, one.begin, one.end,
                   ProfileMember{.replica = static_cast<std::int64_t>(i),
                                 .num_replicas = group_.size(),
                                 .place = group_.members()[i]->platform()});
      for (std::int64_t k = 0; k < one.num_unmeasured; ++k) caller_->record_unmeasured();
    }
  }

 private:
  struct Measured {
    ProfileRecord record;
    std::int64_t num_unmeasured = 0;
    std::int64_t begin = 0, end = 0;  // by read_ticks()
  };

  const ClientGroup& group_;
  Profiler* const caller_ = Profiler::current();
  std::vector<Measured> measured_;
};

class ClientGroupExecutable final : public GroupExecutable {
 public:
  ClientGroupExecutable(const StepProgram& program, ClientGroup& group, std::int64_t batch)
      : GroupExecutable(program, group, group.size(), batch),
        clients_(group),
        inside_(group.members().size()) {
    const double start = group.now();
    group.for_each_member([&](std::size_t i) { inside_[i] = group.members()[i]->compile(program); });
    group.note(&TransferStatistics::compiles, {.calls = 1, .items = 1, .seconds = group.now() - start});
  }

  void prepare(std::int64_t num_steps) override {
    clients_.for_each_member([&](std::size_t i) { inside_[i]->prepare(num_steps); });
  }
  const CompileStats& stats() const override { return inside_[0]->stats(); }
  using Executable::explain;
  std::string explain(const Profiler* measured) const override {
    return fmt::format("on {}, a replica on each\n{}", group().platform(), inside_[0]->explain(measured));
  }
  std::string dump(const std::string& stage) const override { return inside_[0]->dump(stage); }

 private:
  /// All replicas take the same number of steps, so stop is read once, before.
  std::int64_t run_replicas(const Execution& execution) override {
    if (execution.progress != nullptr && execution.progress->is_stopping()) return 0;
    std::vector<std::int64_t> done(inside_.size());
    MembersProfile profile(clients_);
    clients_.for_each_member(
        [&](std::size_t i) {
          profile.measure(i, [&] { done[i] = inside_[i]->run(execution.replicas[i], execution.num_steps); });
        },
        ClientGroup::Work::kTogether);
    profile.tell();
    for (const std::int64_t steps : done)
      if (steps != done[0])
        fail(ErrorCode::kInternal, "[{}] replica 0 has done {} steps and another {}", group().platform(),
             done[0], steps);
    if (execution.progress != nullptr) execution.progress->steps_done.store(done[0]);
    return done[0];
  }

  ClientGroup& clients_;
  std::vector<std::unique_ptr<Executable>> inside_;
};

}  // namespace

ClientGroup::ClientGroup(Clients clients)
    : Client({info_of(clients)}), members_(std::make_shared<const Clients>(std::move(clients))) {}

std::string ClientGroup::platform() const {
  std::string text;
  for (const std::shared_ptr<Client>& member : *members_)
    text += (text.empty() ? "" : " + ") + member->platform();
  return text;
}

std::string ClientGroup::description() const {
  return fmt::format("{} devices, the first: {}", size(), (*members_)[0]->description());
}

bool ClientGroup::has_lost_devices() const {
  return std::any_of(members_->begin(), members_->end(),
                     [](const std::shared_ptr<Client>& member) { return member->has_lost_devices(); });
}

void ClientGroup::for_each_member(const std::function<void(std::size_t)>& call, Work work) {
  FirstError first;
  const auto work_on = [&](std::size_t i) {
    try {
      call(i);
    } catch (...) {
      const Error error = first.take();
      if (work == Work::kTogether || error.code() == ErrorCode::kUnavailable) give_up(i, error);
    }
  };
  {
    std::vector<std::jthread> threads;
    {
      const SignalsBlocked scope;
      for (std::size_t i = 1; i < members_->size(); ++i) threads.emplace_back(work_on, i);
    }
    work_on(0);
  }
  first.rethrow();
}

std::unique_ptr<Executable> ClientGroup::compile(const StepProgram& program) {
  return std::make_unique<ClientGroupExecutable>(program, *this, 0);
}

std::unique_ptr<Executable> ClientGroup::compile_parts(const StepProgram& program, std::int64_t batch) {
  if (batch < 1) invalid_argument("[{}] a step has 1 to 2^31 rows; got {}", platform(), batch);
  return std::make_unique<ClientGroupExecutable>(program, *this, batch);
}

void ClientGroup::write_members(std::span<const MemberWrite> writes) {
  for_each_member([&](std::size_t i) {
    std::vector<Write> own;
    for (const MemberWrite& write : writes)
      if (std::cmp_equal(write.member, i)) own.push_back({&member_of(*write.to, i), write.from});
    if (!own.empty()) (*members_)[i]->write(own);
  });
}

void ClientGroup::read_members(std::span<const MemberRead> reads) {
  for_each_member([&](std::size_t i) {
    std::vector<Read> own;
    for (const MemberRead& read : reads)
      if (std::cmp_equal(read.member, i)) own.push_back({&member_of(*read.from, i), read.to});
    if (!own.empty()) (*members_)[i]->read(own);
  });
}

std::unique_ptr<Buffer> ClientGroup::do_allocate(const ir::TensorType& type, int) {
  auto buffer = std::make_unique<GroupBuffer>(type, this, members_);
  for (const std::shared_ptr<Client>& member : *members_) buffer->add(member->allocate(type));
  return buffer;
}

void ClientGroup::do_write(std::span<const Write> writes) {
  for_each_member([&](std::size_t i) {
    std::vector<Write> own;
    own.reserve(writes.size());
    for (const Write& write : writes) own.push_back({&member_of(*write.to, i), write.from});
    (*members_)[i]->write(own);
  });
}

void ClientGroup::do_read(std::span<const Read> reads) {
  std::vector<Read> of_first;
  of_first.reserve(reads.size());
  for (const Read& read : reads) of_first.push_back({&member_of(*read.from, 0), read.to});
  (*members_)[0]->read(of_first);
}

std::unique_ptr<Buffer> ClientGroup::do_copy(const Buffer& buffer, int) {
  auto copy = std::make_unique<GroupBuffer>(buffer.type(), this, members_);
  for (std::size_t i = 0; i < members_->size(); ++i) copy->add((*members_)[i]->copy(member_of(buffer, i), 0));
  return copy;
}

}  // namespace cornu::inline v0::runtime
