#include "cornu/backends/remote/worker/session_table.h"

#include <utility>

#include "cornu/backends/remote/wire/secret.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr const char* kClientHasGone = "the client of the session has gone, or has given it up";

/// Longer than the interval between checks of sessions.
constexpr auto kPlacePatience = std::chrono::milliseconds(300);

[[noreturn]] void refuse_ended_session() {
  fail(ErrorCode::kUnavailable,
       "[worker] there is no such session: the link was cut, or the worker has been restarted; connect "
       "again");
}

}  // namespace

void OpenSession::begin_run(std::function<void()> cancel) {
  const std::lock_guard lock(run_mutex_);
  if (has_ended_) refuse_ended_session();
  if (cancel_run_)
    fail(ErrorCode::kFailedPrecondition, "[worker] the session has a Run already: it has one at a time");
  cancel_run_ = std::move(cancel);
}

void OpenSession::end_run() {
  const std::lock_guard lock(run_mutex_);
  cancel_run_ = nullptr;
}

void OpenSession::end(const std::string& why) {
  session->stop_all(why);
  const std::lock_guard lock(run_mutex_);
  has_ended_ = true;
  if (cancel_run_) cancel_run_();
}

std::string SessionTable::open(std::shared_ptr<Session> session) {
  std::string name = random_secret();
  std::unique_lock lock(mutex_);
  if (!ended_.wait_for(lock, kPlacePatience, [this] { return !is_full(); }))
    fail(ErrorCode::kResourceExhausted,
         "[worker] it has {} clients, which is as many as it takes (--max-clients): try again when one has "
         "gone",
         sessions_.size());
  sessions_.emplace(name, std::make_shared<OpenSession>(std::move(session)));
  return name;
}

std::shared_ptr<OpenSession> SessionTable::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(name);
  if (found == sessions_.end()) refuse_ended_session();
  return found->second;
}

void SessionTable::end(const std::string& name) {
  std::shared_ptr<OpenSession> ended;  // its buffers are freed outside the lock
  {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(name);
    if (found == sessions_.end()) return;
    ended = std::move(found->second);
    sessions_.erase(found);
    ++num_ended_;
  }
  ended_.notify_one();
  ended->end(kClientHasGone);
}

void SessionTable::end_unattached(std::chrono::seconds older_than) {
  std::vector<std::shared_ptr<OpenSession>> ended;
  {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      const bool is_left = !at->second->is_attached && now - at->second->since > older_than;
      if (is_left) ended.push_back(at->second);
      at = is_left ? sessions_.erase(at) : std::next(at);
    }
  }
  num_ended_ += ended.size();
  ended_.notify_all();
  for (const std::shared_ptr<OpenSession>& session : ended) session->end(kClientHasGone);
}

std::vector<std::shared_ptr<OpenSession>> SessionTable::all() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<OpenSession>> result;
  result.reserve(sessions_.size());
  for (const auto& [name, session] : sessions_) result.push_back(session);
  return result;
}

}  // namespace cornu::inline v0::backends::remote
