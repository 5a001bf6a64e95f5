#include "cornu/distribute/processes/process_group.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::distribute {
namespace {

template <typename T>
void add_as(std::byte* to, const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  auto* const sum = reinterpret_cast<T*>(to);
  const auto* const x = reinterpret_cast<const T*>(a);
  const auto* const y = reinterpret_cast<const T*>(b);
  const std::size_t count = size_bytes / sizeof(T);
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) sum[i] = x[i] + y[i];
}

/// Each sum is rounded to the nearest bf16, ties to even.
void add_bf16(std::byte* to, const std::byte* a, const std::byte* b, std::size_t size_bytes) {
  auto* const sum = reinterpret_cast<std::uint16_t*>(to);
  const auto* const x = reinterpret_cast<const std::uint16_t*>(a);
  const auto* const y = reinterpret_cast<const std::uint16_t*>(b);
  const std::size_t count = size_bytes / sizeof(std::uint16_t);
  const auto widened = [](std::uint16_t half) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
  };
#pragma GCC ivdep
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
    default: CORNU_CHECK(false, "sums of {} are not there", ir::stablehlo_name(dtype));
  }
}

/// Adds up `parts`, neighbours first, over themselves; the last sum goes to `to`.
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

ProcessGroup::ProcessGroup(std::unique_ptr<Transport> transport)
    : Processes(transport->rank(), transport->count()), transport_(std::move(transport)) {}

void ProcessGroup::exchange() {
  if (failure_.has_value()) throw Error(*failure_);
  try {
    transport_->exchange(out_, in_);
  } catch (const Error& error) {
    failure_ = error;
    throw;
  }
  out_.clear();
  in_.clear();
}

void ProcessGroup::all_gather(std::span<const std::byte> own, std::span<std::byte> all) {
  const std::lock_guard lock(mutex_);
  CORNU_CHECK(all.size() == own.size() * static_cast<std::size_t>(count()), "{} bytes of {} for {}",
              all.size(), own.size(), count());
  out_.clear();
  in_.clear();
  if (own.empty()) return;
  for (int other = 0; other < count(); ++other) {
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

void ProcessGroup::all_reduce_sum(ir::DType dtype, std::span<std::byte> values) {
  const std::lock_guard lock(mutex_);
  out_.clear();
  in_.clear();
  if (values.empty() || count() == 1) return;
  if (values.size() <= kFewBytes)
    sum_few(dtype, values);
  else
    sum_by_chunks(dtype, values);
}

void ProcessGroup::sum_few(ir::DType dtype, std::span<std::byte> values) {
  scratch_.resize(std::max(scratch_.size(), values.size() * static_cast<std::size_t>(count())));
  parts_.clear();
  for (int other = 0; other < count(); ++other) {
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
  const std::size_t chunk_bytes = kChunkBytes * static_cast<std::size_t>(count());
  const std::size_t num_chunks = (values.size() + chunk_bytes - 1) / chunk_bytes;
  const auto chunk_at = [&](std::size_t i) {
    return values.subspan(i * chunk_bytes, std::min(chunk_bytes, values.size() - i * chunk_bytes));
  };
  const std::size_t slot = kChunkBytes + 64;
  scratch_.resize(std::max(scratch_.size(), slot * static_cast<std::size_t>(count())));
  for (std::size_t i = 0; i <= num_chunks; ++i) {
    // The values of chunk i, and the sums of the one before.
    if (i < num_chunks) {
      const std::span<std::byte> chunk = chunk_at(i);
      const Part own = part_of(chunk.size(), rank(), count());
      for (int other = 0; other < count(); ++other) {
        if (other == rank()) continue;
        const Part theirs = part_of(chunk.size(), other, count());
        if (theirs.size > 0) out_.push_back({other, chunk.subspan(theirs.begin, theirs.size)});
        if (own.size > 0)
          in_.push_back({other, {scratch_.data() + static_cast<std::size_t>(other) * slot, own.size}});
      }
    }
    if (i > 0) {
      const std::span<std::byte> chunk = chunk_at(i - 1);
      const Part own = part_of(chunk.size(), rank(), count());
      for (int other = 0; other < count(); ++other) {
        if (other == rank()) continue;
        const Part theirs = part_of(chunk.size(), other, count());
        if (own.size > 0) out_.push_back({other, chunk.subspan(own.begin, own.size)});
        if (theirs.size > 0) in_.push_back({other, chunk.subspan(theirs.begin, theirs.size)});
      }
    }
    exchange();
    if (i == num_chunks) break;
    const std::span<std::byte> chunk = chunk_at(i);
    const Part own = part_of(chunk.size(), rank(), count());
    if (own.size == 0) continue;
    parts_.clear();
    for (int other = 0; other < count(); ++other)
      parts_.push_back(other == rank() ? chunk.data() + own.begin
                                       : scratch_.data() + static_cast<std::size_t>(other) * slot);
    add_up(dtype, parts_, chunk.data() + own.begin, own.size);
  }
}

}  // namespace cornu::inline v0::distribute
