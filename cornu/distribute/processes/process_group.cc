#include "cornu/distribute/processes/process_group.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/elements_apart.h"
#include "cornu/base/service_thread.h"

namespace cornu::inline v0::distribute {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

template <typename T>
void add_as(std::byte* to, const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  auto* const sum = reinterpret_cast<T*>(to);
  const auto* const x = reinterpret_cast<const T*>(a);
  const auto* const y = reinterpret_cast<const T*>(b);
  const std::size_t count = size_bytes / sizeof(T);
  CORNU_NO_ALIASING
  for (std::size_t i = 0; i < count; ++i) sum[i] = x[i] + y[i];
}

/// Rounds each sum to the nearest bf16, ties to even.
void add_bf16(std::byte* to, const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  auto* const sum = reinterpret_cast<std::uint16_t*>(to);
  const auto* const x = reinterpret_cast<const std::uint16_t*>(a);
  const auto* const y = reinterpret_cast<const std::uint16_t*>(b);
  const std::size_t count = size_bytes / sizeof(std::uint16_t);
  const auto widened = [](std::uint16_t half) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
  };
  CORNU_NO_ALIASING
  for (std::size_t i = 0; i < count; ++i) {
    const float exact = widened(x[i]) + widened(y[i]);
    const auto bits = std::bit_cast<std::uint32_t>(exact);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    sum[i] = static_cast<std::uint16_t>(exact == exact ? rounded : (bits >> 16) | 0x40u);
  }
}

/// to = a + b; `to` may be one of them. Sums of integers wrap around.
void add(ir::DType dtype, std::byte* to, const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  switch (dtype) {
    case ir::DType::kF32: return add_as<float>(to, a, b, size_bytes);
    case ir::DType::kF64: return add_as<double>(to, a, b, size_bytes);
    case ir::DType::kBF16: return add_bf16(to, a, b, size_bytes);
    case ir::DType::kI32: return add_as<std::uint32_t>(to, a, b, size_bytes);
    case ir::DType::kI64: return add_as<std::uint64_t>(to, a, b, size_bytes);
    default: CORNU_CHECK(false, "sums of {} are not implemented", ir::stablehlo_name(dtype));
  }
}

/// Adds `parts` pairwise, neighbours first, in place; writes the last sum to `to`.
void add_up(ir::DType dtype, std::span<std::byte*> parts, std::byte* to, std::size_t size_bytes) {
  std::size_t count = parts.size();
  while (count > 2) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; i += 2) {
      if (i + 1 < count) add(dtype, parts[i], parts[i], parts[i + 1], size_bytes);
      parts[next++] = parts[i];
    }
    count = next;
  }
  if (count == 2)
    add(dtype, to, parts[0], parts[1], size_bytes);
  else if (parts[0] != to)
    std::memcpy(to, parts[0], size_bytes);
}

/// The bytes of part `i` of `count` of a chunk, in whole cache lines.
struct Part {
  std::size_t begin = 0, size = 0;
};
Part part_of(std::size_t size_bytes, int i, int count) {
  constexpr std::size_t kLine = 64;
  const std::size_t lines = (size_bytes + kLine - 1) / kLine, n = static_cast<std::size_t>(count);
  const auto at = [&](std::size_t k) { return std::min(size_bytes, lines * k / n * kLine); };
  const std::size_t begin = at(static_cast<std::size_t>(i));
  return {begin, at(static_cast<std::size_t>(i) + 1) - begin};
}

}  // namespace

ProcessGroup::ProcessGroup(std::shared_ptr<Transport> transport)
    : Collective(transport->rank(), transport->size(), transport->name()), transport_(std::move(transport)) {}

ProcessGroup::~ProcessGroup() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(begun_mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

template <typename F>
void ProcessGroup::run_now(const F& collective) {
  const Clock::time_point arrival = Clock::now();
  wait_for_begun(std::numeric_limits<std::int64_t>::max());
  const Clock::time_point start = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    is_beside_ = false;
    collective();
  }
  const Clock::time_point end = Clock::now();
  const std::lock_guard lock(begun_mutex_);
  ++counts_.calls;
  counts_.seconds += seconds_between(start, end);
  counts_.waited_seconds += seconds_between(arrival, end);
}

std::int64_t ProcessGroup::start_all_reduce(ir::DType dtype, std::span<std::byte> values) {
  if (!transport_->may_change_threads() || values.empty() || size() == 1) {
    all_reduce(dtype, values);
    return 0;
  }
  Begun begun{.dtype = dtype, .values = values, .rounding = {}};
  std::fegetenv(&begun.rounding);
  const std::lock_guard lock(begun_mutex_);
  if (!thread_.joinable()) thread_ = start_service_thread([this] { work_off(); });
  begun_.push_back(begun);
  changed_.notify_all();
  return ++num_begun_;
}

void ProcessGroup::finish_all_reduce(std::int64_t started) {
  const Clock::time_point arrival = Clock::now();
  wait_for_begun(started);
  const std::lock_guard lock(begun_mutex_);
  counts_.waited_seconds += seconds_between(arrival, Clock::now());
  if (begun_failure_ != nullptr) std::rethrow_exception(begun_failure_);
}

void ProcessGroup::wait_for_begun(std::int64_t wanted) {
  std::unique_lock lock(begun_mutex_);
  wanted = std::min(wanted, num_begun_);
  if (num_done_ >= wanted) return;
  is_awaited_ = true;
  changed_.wait(lock, [&] { return num_done_ >= wanted; });
  is_awaited_ = false;
}

void ProcessGroup::work_off() {
  std::unique_lock lock(begun_mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !begun_.empty(); });
    if (begun_.empty()) return;
    const Begun next = begun_.front();
    lock.unlock();
    const Clock::time_point start = Clock::now();
    std::exception_ptr failure;
    try {
      std::fesetenv(&next.rounding);
      const std::lock_guard with_transport(mutex_);
      is_beside_ = true;
      sum(next.dtype, next.values);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    ++counts_.calls;
    counts_.seconds += seconds_between(start, Clock::now());
    if (begun_failure_ == nullptr) begun_failure_ = failure;
    begun_.pop_front();
    ++num_done_;
    changed_.notify_all();
  }
}

runtime::ProcessCounts ProcessGroup::counts() const {
  const std::lock_guard lock(begun_mutex_);
  return counts_;
}

void ProcessGroup::exchange(bool in_order_of_ranks) {
  if (failure_.has_value()) throw Error(*failure_);
  double bytes = 0;
  for (const Outgoing& message : out_) bytes += static_cast<double>(message.size_bytes());
  try {
    transport_->exchange(out_, in_,
                         {.timeout_seconds = timeout_seconds(),
                          .is_awaited = is_beside_ ? &is_awaited_ : nullptr,
                          .in_order_of_ranks = in_order_of_ranks});
  } catch (const Error& error) {
    failure_ = error;
    throw;
  }
  out_.clear();
  in_.clear();
  const std::lock_guard lock(begun_mutex_);
  counts_.sent_bytes += bytes;
}

void ProcessGroup::all_gather(std::span<const std::byte> own, std::span<std::byte> all) {
  CORNU_CHECK(all.size() == own.size() * static_cast<std::size_t>(size()), "{} bytes of {} for {}",
              all.size(), own.size(), size());
  if (own.empty()) return;
  run_now([&] { gather_now(own, all); });
}

void ProcessGroup::gather_now(std::span<const std::byte> own, std::span<std::byte> all) {
  out_.clear();
  in_.clear();
  for (int other = 0; other < size(); ++other) {
    const std::span<std::byte> place = all.subspan(static_cast<std::size_t>(other) * own.size(), own.size());
    if (other == rank()) {
      std::memmove(place.data(), own.data(), own.size());
      continue;
    }
    out_.push_back({other, own});
    in_.push_back({other, place});
  }
  exchange();
}

void ProcessGroup::all_to_all(std::span<const std::span<const std::byte>> out,
                              std::span<const std::span<std::byte>> in) {
  const auto count = static_cast<std::size_t>(size());
  CORNU_CHECK(out.size() == count && in.size() == count, "{} and {} messages for {}", out.size(), in.size(),
              size());
  run_now([&] {
    out_.clear();
    in_.clear();
    for (std::size_t other = 0; other < count; ++other) {
      const int rank_of_other = static_cast<int>(other);
      if (rank_of_other == rank()) {
        CORNU_CHECK(out[other].size() == in[other].size(), "{} bytes to itself, of {}", out[other].size(),
                    in[other].size());
        if (!in[other].empty()) std::memmove(in[other].data(), out[other].data(), in[other].size());
        continue;
      }
      if (!out[other].empty()) out_.push_back({rank_of_other, out[other]});
      if (!in[other].empty()) in_.push_back({rank_of_other, in[other]});
    }
    exchange();
  });
}

void ProcessGroup::exchange_pieces(runtime::MessagePieces& messages) {
  run_now([&] {
    out_.clear();
    in_.clear();
    if (!transport_->takes_pieces()) return exchange_as_bytes(messages);
    for (int other = 0; other < size(); ++other) {
      if (other == rank()) continue;
      if (messages.sent_bytes(other) > 0) out_.push_back({.rank = other, .pieces = &messages});
      if (messages.received_bytes(other) > 0) in_.push_back({.rank = other, .pieces = &messages});
    }
    exchange(true);
  });
}

void ProcessGroup::exchange_as_bytes(runtime::MessagePieces& messages) {
  constexpr std::size_t kLine = 64;
  const auto whole_lines = [](std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; };
  std::size_t size_bytes = 0;
  for (int other = 0; other < size(); ++other)
    if (other != rank())
      size_bytes += whole_lines(messages.sent_bytes(other)) + whole_lines(messages.received_bytes(other));
  scratch_.resize(std::max(scratch_.size(), size_bytes));
  std::byte* next = scratch_.data();
  for (int other = 0; other < size(); ++other) {
    if (other == rank()) continue;
    const std::size_t sent = messages.sent_bytes(other), received = messages.received_bytes(other);
    if (sent > 0) {
      messages.write(other, 0, {next, sent});
      out_.push_back({other, std::span<const std::byte>(next, sent)});
    }
    next += whole_lines(sent);
    if (received > 0) in_.push_back({other, {next, received}});
    next += whole_lines(received);
  }
  received_.assign(in_.begin(), in_.end());
  exchange();
  for (const Incoming& message : received_) messages.read(message.rank, 0, message.bytes);
}

void ProcessGroup::all_reduce(ir::DType dtype, std::span<std::byte> values) {
  if (values.empty() || size() == 1) return;
  run_now([&] { sum(dtype, values); });
}

void ProcessGroup::sum(ir::DType dtype, std::span<std::byte> values) {
  out_.clear();
  in_.clear();
  if (values.size() <= kFewBytes)
    sum_few(dtype, values);
  else
    sum_by_chunks(dtype, values);
}

void ProcessGroup::sum_few(ir::DType dtype, std::span<std::byte> values) {
  scratch_.resize(std::max(scratch_.size(), values.size() * static_cast<std::size_t>(size())));
  parts_.clear();
  for (int other = 0; other < size(); ++other) {
    std::byte* const place = scratch_.data() + static_cast<std::size_t>(other) * values.size();
    parts_.push_back(place);
    if (other == rank()) {
      std::memcpy(place, values.data(), values.size());
      continue;
    }
    out_.push_back({other, values});
    in_.push_back({other, {place, values.size()}});
  }
  exchange();
  add_up(dtype, parts_, values.data(), values.size());
}

void ProcessGroup::sum_by_chunks(ir::DType dtype, std::span<std::byte> values) {
  const std::size_t chunk_bytes = kChunkBytes * static_cast<std::size_t>(size());
  const std::size_t num_chunks = (values.size() + chunk_bytes - 1) / chunk_bytes;
  const auto chunk_at = [&](std::size_t i) {
    return values.subspan(i * chunk_bytes, std::min(chunk_bytes, values.size() - i * chunk_bytes));
  };
  const std::size_t slot = kChunkBytes + 64;
  scratch_.resize(std::max(scratch_.size(), slot * static_cast<std::size_t>(size())));
  for (std::size_t i = 0; i <= num_chunks; ++i) {
    // Exchanges the values of chunk i, and the sums of the previous one.
    if (i < num_chunks) {
      const std::span<std::byte> chunk = chunk_at(i);
      const Part own = part_of(chunk.size(), rank(), size());
      for (int other = 0; other < size(); ++other) {
        if (other == rank()) continue;
        const Part theirs = part_of(chunk.size(), other, size());
        if (theirs.size > 0) out_.push_back({other, chunk.subspan(theirs.begin, theirs.size)});
        if (own.size > 0)
          in_.push_back({other, {scratch_.data() + static_cast<std::size_t>(other) * slot, own.size}});
      }
    }
    if (i > 0) {
      const std::span<std::byte> chunk = chunk_at(i - 1);
      const Part own = part_of(chunk.size(), rank(), size());
      for (int other = 0; other < size(); ++other) {
        if (other == rank()) continue;
        const Part theirs = part_of(chunk.size(), other, size());
        if (own.size > 0) out_.push_back({other, chunk.subspan(own.begin, own.size)});
        if (theirs.size > 0) in_.push_back({other, chunk.subspan(theirs.begin, theirs.size)});
      }
    }
    exchange();
    if (i == num_chunks) break;
    const std::span<std::byte> chunk = chunk_at(i);
    const Part own = part_of(chunk.size(), rank(), size());
    if (own.size == 0) continue;
    parts_.clear();
    for (int other = 0; other < size(); ++other)
      parts_.push_back(other == rank() ? chunk.data() + own.begin
                                       : scratch_.data() + static_cast<std::size_t>(other) * slot);
    add_up(dtype, parts_, chunk.data() + own.begin, own.size);
  }
}

}  // namespace cornu::inline v0::distribute
