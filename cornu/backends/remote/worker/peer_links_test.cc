#include "cornu/backends/remote/worker/peer_links.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

// Links whose other ends are functions of the test.
namespace cornu::inline v0::backends::remote {
namespace {

using distribute::Incoming;
using distribute::Outgoing;
using Bytes = std::vector<std::byte>;

/// A stream that gives what is sent to a function, until it is cancelled.
class TestStream final : public PeerStream {
 public:
  using Send = std::function<bool(std::span<const std::byte>, std::uint64_t)>;
  explicit TestStream(Send send = [](auto, auto) { return true; }) : send_(std::move(send)) {}
  bool send(std::span<const std::byte> piece, std::uint64_t left) override {
    return !is_cancelled && send_(piece, left);
  }
  void cancel() override { is_cancelled = true; }
  std::atomic<bool> is_cancelled{false};

 private:
  Send send_;
};

std::string loss_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
    return error.what();
  }
  return "no error";
}

void expect_link_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Two ends of one link.
struct Pair {
  std::shared_ptr<PeerLinks> first = std::make_shared<PeerLinks>(0, std::vector<std::string>{"a:1", "b:2"});
  std::shared_ptr<PeerLinks> second = std::make_shared<PeerLinks>(1, std::vector<std::string>{"a:1", "b:2"});
  std::shared_ptr<TestStream> to_second =
      std::make_shared<TestStream>([this](auto piece, auto left) { return second->take(0, left, {piece}); });
  std::shared_ptr<TestStream> to_first =
      std::make_shared<TestStream>([this](auto piece, auto left) { return first->take(1, left, {piece}); });

  Pair() {
    first->connect(1, to_second);
    second->connect(0, to_first);
  }
};

Bytes numbered(std::size_t count, int first) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::byte>((i + static_cast<std::size_t>(first)) % 251);
  return bytes;
}

TEST(PeerLinksTest, MessagesOfManyPiecesArriveInOrder) {
  Pair pair;
  const Bytes a = numbered(3'000'001, 1), b = numbered(70, 2), c = numbered(1 << 20, 3);
  std::thread other([&] {
    Bytes got_a(a.size()), got_b(b.size());
    const Outgoing out[] = {{0, c}};
    const Incoming in[] = {{0, got_a}, {0, got_b}};
    pair.second->exchange(out, in, {});
    EXPECT_EQ(got_a, a);
    EXPECT_EQ(got_b, b);
  });
  Bytes got_c(c.size());
  const Outgoing out[] = {{1, a}, {1, b}};
  const Incoming in[] = {{1, got_c}};
  pair.first->exchange(out, in, {});
  other.join();
  EXPECT_EQ(got_c, c);
}

TEST(PeerLinksTest, AMessageOfAnotherLengthEndsTheGroup) {
  for (const std::size_t size : {63U, 65U}) {
    Pair pair;
    std::thread stranger([&] {
      const Bytes bytes = numbered(size, 0);
      EXPECT_FALSE(pair.first->take(1, 0, {bytes}));
    });
    Bytes got(64);
    const Incoming in[] = {{1, got}};
    expect_link_contains(loss_of([&] { pair.first->exchange({}, in, {}); }), "b:2 (rank 1)");
    stranger.join();
    EXPECT_TRUE(pair.to_second->is_cancelled);
    expect_link_contains(loss_of([&] { pair.first->exchange({}, in, {}); }), "different things");
  }
}

TEST(PeerLinksTest, AnAnnouncedLengthIsNotBelieved) {
  Pair pair;
  std::thread stranger([&] {
    const Bytes bytes = numbered(8, 0);
    EXPECT_FALSE(pair.first->take(1, ~std::uint64_t{0}, {bytes}));
  });
  Bytes got(64);
  const Incoming in[] = {{1, got}};
  expect_link_contains(loss_of([&] { pair.first->exchange({}, in, {}); }), "announced 18446744073709551615");
  stranger.join();
}

TEST(PeerLinksTest, WhatNobodyAwaitsIsNotTaken) {
  Pair pair;
  std::atomic<bool> is_taken{false};
  std::thread early([&] {
    const Bytes bytes = numbered(64, 0);
    is_taken = pair.first->take(1, 0, {bytes});
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(is_taken);
  pair.first->end("over");
  early.join();
  EXPECT_FALSE(is_taken);
}

TEST(PeerLinksTest, ALostLinkIsNamedByWhoWaitsAndByWhoComesLater) {
  PeerLinks links(0, {"a:1", "b:2", "c:3"});
  const auto to_b = std::make_shared<TestStream>(), to_c = std::make_shared<TestStream>();
  links.connect(1, to_b);
  links.connect(2, to_c);
  std::thread reader([&] { links.lose(2, "Connection reset by peer"); });
  Bytes from_b(4), from_c(4);
  const Incoming in[] = {{1, from_b}, {2, from_c}};
  const std::string text = loss_of([&] { links.exchange({}, in, {}); });
  reader.join();
  expect_link_contains(text, "a:1 (rank 0) has lost worker c:3 (rank 2)");
  expect_link_contains(text, "Connection reset by peer");
  EXPECT_TRUE(to_b->is_cancelled);
  expect_link_contains(loss_of([&] { links.exchange({}, in, {}); }), "c:3 (rank 2)");
}

TEST(PeerLinksTest, WhoCannotSendNamesTheOther) {
  PeerLinks links(0, {"a:1", "b:2"});
  links.connect(1, std::make_shared<TestStream>([](auto, auto) { return false; }));
  const Bytes bytes = numbered(4, 0);
  Bytes got(4);
  const Outgoing out[] = {{1, bytes}};
  const Incoming in[] = {{1, got}};
  expect_link_contains(loss_of([&] { links.exchange(out, in, {}); }), "b:2 (rank 1)");
}

TEST(PeerLinksTest, WhoDoesNotComeIsNamedWhenTheTimeIsOver) {
  PeerLinks links(0, {"a:1", "b:2"});
  links.connect(1, std::make_shared<TestStream>());
  Bytes got(4);
  const Incoming in[] = {{1, got}};
  const std::string text = loss_of([&] { links.exchange({}, in, {.timeout_seconds = 0.05}); });
  expect_link_contains(text, "has waited 0.05 s for worker b:2 (rank 1)");
}

TEST(PeerLinksTest, WhoTakesNothingIsNamedWhenTheTimeIsOver) {
  for (const bool has_answer : {false, true}) {
    PeerLinks links(0, {"a:1", "b:2"});
    const TestStream* self = nullptr;
    const auto stuck = std::make_shared<TestStream>([&self](auto, auto) {
      while (!self->is_cancelled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return false;
    });
    self = stuck.get();
    links.connect(1, stuck);
    const Bytes bytes = numbered(4, 0);
    Bytes got(4);
    const Outgoing out[] = {{1, bytes}, {1, bytes}};
    const Incoming in[] = {{1, got}};
    const auto exchange = [&] {
      links.exchange(out, has_answer ? std::span<const Incoming>(in) : std::span<const Incoming>(),
                     {.timeout_seconds = 0.05});
    };
    expect_link_contains(loss_of(exchange), "a:1 (rank 0) has waited 0.05 s for worker b:2 (rank 1)");
    EXPECT_TRUE(stuck->is_cancelled);
    expect_link_contains(loss_of(exchange), "has waited 0.05 s");
  }
}

TEST(PeerLinksTest, EachPieceOfWhatIsSentHasTheTime) {
  PeerLinks links(0, {"a:1", "b:2"});
  std::size_t num_bytes = 0;
  links.connect(1, std::make_shared<TestStream>([&](auto piece, auto) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(150));
                  num_bytes += piece.size();
                  return true;
                }));
  const Bytes bytes = numbered(std::size_t{8} << 20, 0);
  const Outgoing out[] = {{1, bytes}};
  EXPECT_EQ(loss_of([&] { links.exchange(out, {}, {.timeout_seconds = 1}); }), "no error");
  EXPECT_EQ(num_bytes, bytes.size());
}

TEST(PeerLinksTest, MissingAndSurplusLinksAreErrors) {
  PeerLinks links(0, {"a:1", "b:2", "c:3"});
  links.connect(2, std::make_shared<TestStream>());
  expect_link_contains(loss_of([&] { links.wait_for_all(std::chrono::milliseconds(20)); }), "b:2 (rank 1)");
  for (const int rank : {-1, 0, 2, 3})
    EXPECT_THROW(links.connect(rank, std::make_shared<TestStream>()), Error) << rank;
  links.connect(1, std::make_shared<TestStream>());
  EXPECT_NO_THROW(links.wait_for_all(std::chrono::milliseconds(20)));
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
