#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/distribute/processes/process_group.h"
#include "cornu/distribute/processes/shared_memory_support.h"

// Messages through shared memory, among threads that stand for processes.
namespace cornu::inline v0::distribute {
namespace {

/// The memory of several processes, which have opened each other's.
std::vector<std::unique_ptr<SharedMemoryMessages>> opened(int count) {
  const std::vector<bool> all(static_cast<std::size_t>(count), true);
  std::vector<std::unique_ptr<SharedMemoryMessages>> memories;
  for (int rank = 0; rank < count; ++rank)
    memories.push_back(std::make_unique<SharedMemoryMessages>(rank, all));
  for (int rank = 0; rank < count; ++rank)
    for (int other = 0; other < count; ++other)
      EXPECT_EQ(memories[static_cast<std::size_t>(rank)]->open(
                    other, memories[static_cast<std::size_t>(other)]->handle()),
                other != rank);
  for (const auto& memory : memories) memory->finish_setup(all);
  return memories;
}

/// Moves the messages of an exchange. Sleeps whenever nothing moves.
void complete(SharedMemoryMessages& memory) {
  while (!memory.is_done()) {
    if (memory.wrong_length()) fail(ErrorCode::kUnavailable, "a message of another length");
    if (!memory.advance()) memory.sleep(std::chrono::seconds(5));
  }
}

class SharedMemoryTransport final : public Transport {
 public:
  SharedMemoryTransport(SharedMemoryMessages& memory, int rank, int size)
      : memory_(memory), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool takes_pieces() const override { return true; }
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in,
                const ExchangeOptions& options) override {
    memory_.start(out, in, options.in_order_of_ranks);
    complete(memory_);
  }

 private:
  SharedMemoryMessages& memory_;
  int rank_, size_;
};

void on_threads_of_one_memory(int count, const std::function<void(ProcessGroup& group)>& work) {
  const auto memories = opened(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      ProcessGroup group(
          std::make_unique<SharedMemoryTransport>(*memories[static_cast<std::size_t>(rank)], rank, count));
      work(group);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedMemoryTest, ManyExchangesOfThreadsFollowEachOther) {
  for (const int count : {2, 3})
    on_threads_of_one_memory(count, [&](ProcessGroup& group) {
      // The same memory with other values in each exchange, of sizes below and above a ring's.
      std::vector<std::int32_t> values(150'000);
      for (std::int32_t i = 0; i < 300; ++i) {
        const std::size_t size = i % 7 == 0 ? values.size() : static_cast<std::size_t>(i % 5) * 700 + 1;
        std::fill_n(values.begin(), size, (group.rank() + 1) * (i + 1));
        group.all_reduce(ir::DType::kI32, std::as_writable_bytes(std::span(values).first(size)));
        const std::int32_t sum = (i + 1) * count * (count + 1) / 2;
        ASSERT_EQ(std::count(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size), sum),
                  static_cast<std::ptrdiff_t>(size));
        ASSERT_EQ(group.broadcast(group.rank() + i), i);
      }
    });
}

TEST(SharedMemoryTest, ASlowProcessFillsRingsAndWakesTheOther) {
  on_threads_of_one_memory(2, [](ProcessGroup& group) {
    for (int i = 0; i < 4; ++i) {
      if (group.rank() == i % 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::vector<std::byte> own(1'000'000, static_cast<std::byte>(group.rank() + i)), all(2'000'000);
      group.all_gather(own, all);
      EXPECT_EQ(all[999'999], static_cast<std::byte>(i));
      EXPECT_EQ(all[1'999'999], static_cast<std::byte>(i + 1));
    }
  });
}

/// Numbers (rank, other, index), of a length that depends on both ranks.
class NumberPieces final : public runtime::MessagePieces {
 public:
  NumberPieces(int rank, int size) : rank_(rank), received_(static_cast<std::size_t>(size)) {}
  std::size_t sent_bytes(int other) const override { return length(rank_, other) * sizeof(std::uint64_t); }
  std::size_t received_bytes(int other) const override {
    return length(other, rank_) * sizeof(std::uint64_t);
  }
  void write(int other, std::size_t offset, std::span<std::byte> piece) override {
    for (std::size_t at = 0; at < piece.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t value = number(rank_, other, (offset + at) / sizeof(std::uint64_t));
      std::memcpy(piece.data() + at, &value, sizeof(value));
    }
  }
  void read(int other, std::size_t offset, std::span<const std::byte> piece) override {
    EXPECT_GE(other, last_) << "in the order of ranks";
    last_ = other;
    std::size_t& received = received_[static_cast<std::size_t>(other)];
    EXPECT_EQ(offset, received);
    received += piece.size();
    for (std::size_t at = 0; at < piece.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t value = 0;
      std::memcpy(&value, piece.data() + at, sizeof(value));
      ASSERT_EQ(value, number(other, rank_, (offset + at) / sizeof(std::uint64_t)));
    }
  }
  void expect_all() const {
    for (int other = 0; other < static_cast<int>(received_.size()); ++other)
      EXPECT_EQ(received_[static_cast<std::size_t>(other)], other == rank_ ? 0 : received_bytes(other));
  }

 private:
  static std::size_t length(int from, int to) {
    return from == 2 && to == 0 ? 0 : static_cast<std::size_t>(40'000 * (from + 1) + to);
  }
  static std::uint64_t number(int from, int to, std::size_t index) {
    return static_cast<std::uint64_t>(from) << 56 | static_cast<std::uint64_t>(to) << 48 | index;
  }
  int rank_, last_ = 0;
  std::vector<std::size_t> received_;
};

TEST(SharedMemoryTest, PiecesAreReadInTheOrderOfRanks) {
  on_threads_of_one_memory(3, [](ProcessGroup& group) {
    for (int i = 0; i < 10; ++i) {
      NumberPieces pieces(group.rank(), group.size());
      group.exchange_pieces(pieces);
      pieces.expect_all();
    }
  });
}

TEST(SharedMemoryTest, AMessageOfAnotherLengthIsFound) {
  const auto memories = opened(2);
  const std::vector<std::byte> sent(100);
  std::vector<std::byte> received(99);
  const Outgoing out[] = {{.rank = 1, .bytes = sent}};
  const Incoming in[] = {{.rank = 0, .bytes = received}};
  memories[0]->start(out, {});
  EXPECT_TRUE(memories[0]->advance());
  EXPECT_TRUE(memories[0]->is_done());  // though it was not received yet
  memories[1]->start({}, in);
  EXPECT_FALSE(memories[1]->advance());
  ASSERT_TRUE(memories[1]->wrong_length().has_value());
  EXPECT_EQ(memories[1]->wrong_length()->got, 100U);
  EXPECT_EQ(memories[1]->wrong_length()->wanted, 99U);
}

TEST(SharedMemoryTest, ListsTheRanksOfMissingMessages) {
  const auto memories = opened(3);
  std::vector<std::byte> received(3);
  const Incoming in[] = {{.rank = 0, .bytes = received}, {.rank = 2, .bytes = received}};
  memories[1]->start({}, in);
  EXPECT_FALSE(memories[1]->advance());
  std::vector<int> missing = {2};
  memories[1]->list_missing(missing);
  EXPECT_EQ(missing, (std::vector<int>{2, 0}));
}

TEST(SharedMemoryTest, OpensOnlyTheMemoryThatAHandleMeans) {
  SharedMemoryMessages one(0, {true, true}), other(1, {true, true});
  SharedMemoryHandle handle = other.handle();
  ++handle.token;
  EXPECT_FALSE(one.open(1, handle)) << "another token";
  handle = other.handle();
  handle.file = 1'000'000;
  EXPECT_FALSE(one.open(1, handle)) << "no such file";
  const SharedMemoryMessages larger(1, {true, true, true});
  EXPECT_FALSE(one.open(1, larger.handle())) << "another layout";
  EXPECT_TRUE(one.open(1, other.handle()));
  one.finish_setup({false, false});
  EXPECT_FALSE(one.serves(1)) << "not mutual";
}

}  // namespace
}  // namespace cornu::inline v0::distribute
