#include "cornu/backends/remote/worker/peer_links.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Size limit of one PeerPiece, see worker.proto.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
/// Interval between checks that sent pieces are received.
constexpr auto kWatchRound = std::chrono::milliseconds(100);

}  // namespace

PeerLinks::PeerLinks(int rank, std::vector<std::string> names)
    : rank_(rank), names_(std::move(names)), links_(names_.size()) {}

PeerLinks::~PeerLinks() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  closed_.notify_all();
  if (watch_.joinable()) watch_.join();
}

std::string PeerLinks::name_of(int rank) const {
  return fmt::format("worker {} (rank {})", names_[static_cast<std::size_t>(rank)], rank);
}

void PeerLinks::throw_if_over() const {
  if (over_.has_value()) throw Error(*over_);
}

void PeerLinks::connect(int rank, std::shared_ptr<PeerStream> stream) {
  const std::lock_guard lock(mutex_);
  throw_if_over();
  if (rank < 0 || rank >= size() || rank == rank_ || link(rank).stream != nullptr)
    fail(ErrorCode::kFailedPrecondition, "[worker] {} of the group awaits no link of rank {}", name_of(rank_),
         rank);
  link(rank).stream = std::move(stream);
  changed_.notify_all();
}

std::string PeerLinks::missing_names() const {
  std::string names;
  for (int other = 0; other < size(); ++other) {
    const Link& to = links_[static_cast<std::size_t>(other)];
    if (other != rank_ && to.stream == nullptr) names += (names.empty() ? "" : ", ") + name_of(other);
  }
  return names;
}

void PeerLinks::wait_for_all(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return over_.has_value() || missing_names().empty(); });
  throw_if_over();
  const std::string missing = missing_names();
  if (missing.empty()) return;
  fail(ErrorCode::kUnavailable, "[worker] {} was not called by {} of its group within {:g} s", name_of(rank_),
       missing, std::chrono::duration<double>(patience).count());
}

bool PeerLinks::take(int rank, std::uint64_t left, const Parts& piece) {
  const std::size_t size = size_of(piece);
  std::unique_lock lock(mutex_);
  Link& from = link(rank);
  changed_.wait(lock, [&] { return over_.has_value() || !from.places.empty(); });
  if (over_.has_value()) return false;
  const std::span<std::byte> place = from.places.front();
  const std::size_t awaited = place.size() - from.received;
  if (size > awaited || left != awaited - size) {
    lock.unlock();
    end(
        fmt::format("[worker] {} has sent {} bytes and announced {} where {} waits for {}: they have done "
                    "different things",
                    name_of(rank), size, left, name_of(rank_), awaited));
    return false;
  }
  std::byte* const to = place.data() + from.received;
  from.is_copying = true;
  lock.unlock();
  copy_bytes(piece, to);
  lock.lock();
  from.is_copying = false;
  from.received += size;
  if (from.received == place.size() && !over_.has_value()) {
    from.places.pop_front();
    from.received = 0;
  }
  changed_.notify_all();
  return !over_.has_value();
}

void PeerLinks::lose(int rank, const std::string& why) {
  end(fmt::format("[worker] {} has lost {}: it has ended, or does not answer, or has left their group{}{}",
                  name_of(rank_), name_of(rank), why.empty() ? "" : ": ", why));
}

void PeerLinks::end(const std::string& why) {
  std::vector<std::shared_ptr<PeerStream>> streams;
  {
    const std::lock_guard lock(mutex_);
    if (over_.has_value()) return;
    over_ = Error(ErrorCode::kUnavailable, why);
    for (Link& to : links_)
      if (to.stream != nullptr) streams.push_back(std::move(to.stream));
  }
  changed_.notify_all();
  for (const std::shared_ptr<PeerStream>& stream : streams) stream->cancel();
}

std::string PeerLinks::late_text(double timeout_seconds, const std::string& names) const {
  return fmt::format(
      "[worker] {} has waited {:g} s for {}, and received nothing: that worker hangs, or runs another "
      "program",
      name_of(rank_), timeout_seconds, names);
}

void PeerLinks::begin_sending(int rank, double timeout_seconds) {
  if (timeout_seconds <= 0) return;
  const std::lock_guard lock(mutex_);
  sending_ = {.rank = rank, .timeout_seconds = timeout_seconds, .start = std::chrono::steady_clock::now()};
  if (!watch_.joinable()) watch_ = start_service_thread([this] { watch_sending(); });
}

void PeerLinks::watch_sending() {
  std::unique_lock lock(mutex_);
  while (!closed_.wait_for(lock, kWatchRound, [&] { return is_closed_ || over_.has_value(); })) {
    if (!sending_.has_value()) continue;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - sending_->start;
    if (waited.count() < sending_->timeout_seconds) continue;
    const std::string why = late_text(sending_->timeout_seconds, name_of(sending_->rank));
    lock.unlock();
    return end(why);
  }
}

void PeerLinks::send(const distribute::Outgoing& message, double timeout_seconds) {
  std::shared_ptr<PeerStream> stream;
  {
    const std::lock_guard lock(mutex_);
    throw_if_over();
    stream = link(message.rank).stream;
  }
  if (stream == nullptr)
    fail(ErrorCode::kFailedPrecondition, "[worker] {} of the group has no link to {} yet", name_of(rank_),
         name_of(message.rank));
  for (std::size_t at = 0; at < message.bytes.size();) {
    const std::size_t size = std::min(kPieceBytes, message.bytes.size() - at), end = at + size;
    begin_sending(message.rank, timeout_seconds);
    const bool is_sent = stream->send(message.bytes.subspan(at, size), message.bytes.size() - end);
    if (!is_sent) lose(message.rank, "");
    const std::lock_guard lock(mutex_);
    sending_.reset();
    if (!is_sent) throw_if_over();
    at = end;
  }
}

void PeerLinks::clear_places(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [&] {
    return std::none_of(links_.begin(), links_.end(), [](const Link& from) { return from.is_copying; });
  });
  for (Link& from : links_) {
    from.places.clear();
    from.received = 0;
  }
}

void PeerLinks::exchange(std::span<const distribute::Outgoing> out, std::span<const distribute::Incoming> in,
                         const distribute::ExchangeOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    throw_if_over();
    for (const distribute::Incoming& message : in)
      if (!message.bytes.empty()) link(message.rank).places.push_back(message.bytes);
  }
  changed_.notify_all();
  const auto is_done = [&] {
    return over_.has_value() ||
           std::all_of(links_.begin(), links_.end(), [](const Link& from) { return from.places.empty(); });
  };
  std::string late;
  try {
    for (const distribute::Outgoing& message : out) send(message, options.timeout_seconds);
  } catch (...) {
    std::unique_lock lock(mutex_);
    clear_places(lock);
    throw;
  }
  {
    std::unique_lock lock(mutex_);
    if (options.timeout_seconds > 0)
      changed_.wait_for(lock, std::chrono::duration<double>(options.timeout_seconds), is_done);
    else
      changed_.wait(lock, is_done);
    for (int other = 0; other < size(); ++other)
      if (!link(other).places.empty()) late += (late.empty() ? "" : ", ") + name_of(other);
    if (late.empty()) return;
  }
  end(late_text(options.timeout_seconds, late));
  std::unique_lock lock(mutex_);
  clear_places(lock);
  throw_if_over();
}

}  // namespace cornu::inline v0::backends::remote
