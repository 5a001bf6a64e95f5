#include "cornu/backends/remote/worker/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "cornu/backends/remote/worker/execution_sequence.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/runtime/device_group.h"

namespace cornu::inline v0::backends::remote {
namespace {

using ir::DType;

constexpr const char* kStep = R"(
  func.func @main(%w: tensor<2xf32>, %x: tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
    %next = stablehlo.add %w, %sum : tensor<2xf32>
    %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
    return %next, %rows : tensor<2xf32>, tensor<3xf32>
  })";

struct SessionTest : testing::Test {
  MemoryQuota quota{1 << 20};
  Session session{runtime::make_client("cpu"), 0, quota};
  runtime::Progress progress;

  void compile(std::uint64_t number = 1, std::string_view text = kStep) {
    session.compile({.program = number,
                     .stablehlo = text,
                     .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows},
                     .name = "step"});
  }
  void write(std::uint64_t number, const std::vector<float>& values) {
    const WritePiece piece{{number, 0, values.size() * sizeof(float)},
                           {DType::kF32, {static_cast<std::int64_t>(values.size())}},
                           {bytes_of(values)}};
    session.write({&piece, 1});
  }
  std::vector<float> read(std::uint64_t number, std::size_t count) {
    const BufferPiece piece{number, 0, count * sizeof(float)};
    return floats_of(session.read({&piece, 1}));
  }
  static std::vector<float> floats_of(const std::vector<ReadPart>& parts) {
    std::vector<std::byte> bytes;
    for (const ReadPart& part : parts) bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  static std::span<const std::byte> bytes_of(const std::vector<float>& values) {
    return std::as_bytes(std::span(values));
  }
};

TEST_F(SessionTest, RunsStepsOnRowsThatComeWithTheCall) {
  compile();
  write(2, {0, 0});
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 1, 1};
  const ExecuteResult result = session.execute(
      {.program = 1, .num_steps = 2, .num_rows = 6, .state = {2}, .rows = bytes_of(rows)}, progress);
  EXPECT_EQ(result.steps_done, 2);
  EXPECT_EQ(read(2, 2), (std::vector<float>{12, 15}));
  std::vector<float> outputs(6);
  ASSERT_EQ(result.outputs.size(), sizeof(float) * outputs.size());
  std::memcpy(outputs.data(), result.outputs.data(), result.outputs.size());
  EXPECT_EQ(outputs, (std::vector<float>{3, 7, 11, 2, 2, 2}));
}

TEST_F(SessionTest, AfterAFailureTheExecutionsOfARunChangeNothing) {
  compile();
  write(2, {0, 0});
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
  const ExecuteOrder order{.program = 1, .num_steps = 1, .num_rows = 3, .state = {2}, .rows = bytes_of(rows)};
  ExecuteOrder wrong = order;
  wrong.program = 9;
  ExecutionSequence sequence;
  EXPECT_EQ(sequence.execute(session, order, progress).steps_done, 1);
  const std::string failure = error_text_of([&] { sequence.execute(session, wrong, progress); });
  EXPECT_NE(failure.find("no program 9"), std::string::npos) << failure;
  EXPECT_EQ(error_text_of([&] { sequence.execute(session, order, progress); }), failure);
  EXPECT_EQ(read(2, 2), (std::vector<float>{9, 12}));
  ExecutionSequence next;
  EXPECT_EQ(next.execute(session, order, progress).steps_done, 1);
  EXPECT_EQ(read(2, 2), (std::vector<float>{18, 24}));
}

TEST_F(SessionTest, WhatWouldBeginBehindItsEndRunsNoStep) {
  compile();
  write(2, {0, 0});
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 1, 1};
  session.stop_all("it is being shut down");
  EXPECT_EQ(error_text_of([&] {
              session.execute(
                  {.program = 1, .num_steps = 2, .num_rows = 6, .state = {2}, .rows = bytes_of(rows)},
                  progress);
            }),
            "[worker] it is being shut down: an execution was ended after 0 of 2 steps");
  EXPECT_EQ(read(2, 2), (std::vector<float>{0, 0}));
}

TEST_F(SessionTest, WhatAClientSaysIsNotBelieved) {
  compile();
  write(2, {0, 0});
  const std::vector<float> rows(6);
  const auto execute = [&](ExecuteOrder order) {
    return error_text_of([&] { session.execute(order, progress); });
  };
  EXPECT_NE(
      execute({.program = 9, .num_steps = 1, .state = {2}, .rows = bytes_of(rows)}).find("no program 9"),
      std::string::npos);
  EXPECT_NE(execute({.program = 1, .num_steps = 1, .state = {7}, .rows = bytes_of(rows)}).find("no buffer 7"),
            std::string::npos);
  EXPECT_NE(
      execute({.program = 1, .num_steps = 2, .state = {2}, .rows = bytes_of(rows)}).find("bytes that came"),
      std::string::npos);
  EXPECT_NE(execute({.program = 1, .num_steps = std::int64_t{1} << 62, .state = {2}, .rows = bytes_of(rows)})
                .find("cannot be"),
            std::string::npos);
  EXPECT_NE(execute({.program = 1, .num_steps = 1, .state = {2, 2}, .rows = bytes_of(rows)}).find("state"),
            std::string::npos);
  EXPECT_NE(
      execute({.program = 1, .num_steps = 1, .state = {2}, .row_buffers = {2}, .row_indices = {0, 0, 0}})
          .find("twice"),
      std::string::npos);
  write(3, {1, 2, 3, 4, 5, 6});
  EXPECT_NE(
      execute({.program = 1, .num_steps = 1, .state = {2}, .row_buffers = {3}, .row_indices = {0, 0, 6}})
          .find("no row 6"),
      std::string::npos);
  EXPECT_EQ(read(2, 2), (std::vector<float>{0, 0})) << "nothing has changed";
}

TEST_F(SessionTest, BatchesForReplicasNeedAGroupOfDevices) {
  for (const std::int64_t batch : {std::int64_t{6}, std::int64_t{-1}})
    EXPECT_NE(error_text_of([&] {
                session.compile({.program = 1,
                                 .stablehlo = kStep,
                                 .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows},
                                 .name = "step",
                                 .batch = batch});
              }).find("the session is of one device"),
              std::string::npos);
  compile();
}

TEST_F(SessionTest, PiecesOutsideTheirBufferAreRefused) {
  write(2, {1, 2});
  for (const BufferPiece& piece :
       {BufferPiece{2, 4, 8}, BufferPiece{2, ~std::size_t{0}, 1}, BufferPiece{2, 0, ~std::size_t{0}}})
    EXPECT_NE(error_text_of([&] { session.read({&piece, 1}); }).find("outside it"), std::string::npos);
  const WritePiece other{{2, 0, 4}, {DType::kF32, {1}}, {}};
  EXPECT_NE(error_text_of([&] { session.write({&other, 1}); }).find("not tensor<1xf32>"), std::string::npos);
}

TEST_F(SessionTest, TheQuotaCountsWhatIsHeldAndIsGivenBack) {
  write(2, std::vector<float>(1000));
  EXPECT_EQ(quota.used_bytes(), 4000U);
  session.copy(2, 3);
  EXPECT_EQ(quota.used_bytes(), 8000U);
  const WritePiece huge{{4, 0, 0}, {DType::kF32, {std::int64_t{1} << 40}}, {}};
  EXPECT_NE(error_text_of([&] { session.write({&huge, 1}); }).find("that the worker lends"),
            std::string::npos);
  session.release(std::vector<std::uint64_t>{2, 3, 99});
  EXPECT_EQ(quota.used_bytes(), 0U);
  {
    Session another(runtime::make_client("cpu"), 0, quota);
    const std::vector<float> values(10);
    const WritePiece piece{{1, 0, 40}, {DType::kF32, {10}}, {bytes_of(values)}};
    another.write({&piece, 1});
    EXPECT_EQ(quota.used_bytes(), 40U);
  }
  EXPECT_EQ(quota.used_bytes(), 0U) << "a session that ends gives back what it had";
}

std::vector<float> many(float first) {
  std::vector<float> values(std::size_t{32} << 10);  // 128 KiB
  for (float& value : values) value = first++;
  return values;
}

TEST_F(SessionTest, LargePiecesAreTheBuffersOwnBytesAndStayAsTheyWere) {
  constexpr std::size_t kBytes = std::size_t{128} << 10;
  write(2, many(1));
  write(3, {5, 6});
  const std::size_t before = quota.used_bytes();
  const BufferPiece pieces[] = {{3, 4, 4}, {2, 0, kBytes / 2}, {3, 0, 8},
                                {3, 0, 0}, {2, 4, 4},          {2, kBytes / 2, kBytes / 2}};
  std::vector<ReadPart> parts = session.read(pieces);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[1].owner, parts[3].owner);
  EXPECT_EQ(parts[1].bytes.data() + kBytes / 2, parts[3].bytes.data());
  EXPECT_EQ(quota.used_bytes(), before + kBytes) << "counted once, however many pieces there are";
  std::vector<float> wanted = many(1);
  wanted.insert(wanted.begin() + kBytes / 8, {5, 6, 2});
  wanted.insert(wanted.begin(), 6);
  EXPECT_EQ(floats_of(parts), wanted);
  write(2, many(100));
  EXPECT_EQ(floats_of(parts), wanted) << "a later write goes elsewhere";
  EXPECT_EQ(read(2, 32 << 10), many(100));
  session.release(std::vector<std::uint64_t>{2, 3});
  EXPECT_EQ(floats_of(parts), wanted);
  EXPECT_EQ(quota.used_bytes(), kBytes) << "what is on its way is still counted";
  parts.clear();
  EXPECT_EQ(quota.used_bytes(), 0U);
}

TEST_F(SessionTest, ReadsComeInMessagesAndEndWhenNobodyWantsMore) {
  constexpr std::size_t kBytes = std::size_t{128} << 10, kMost = 100'000;
  write(2, many(1));
  write(3, {5, 6});
  const BufferPiece pieces[] = {{3, 0, 8}, {2, 0, kBytes}, {3, 4, 4}, {3, 0, 0}, {2, 4, kMost - 4}};
  std::vector<std::size_t> sizes;
  std::vector<float> all;
  session.read(pieces, kMost, [&](const std::vector<ReadPart>& parts) {
    const std::vector<float> values = floats_of(parts);
    sizes.push_back(values.size() * sizeof(float));
    all.insert(all.end(), values.begin(), values.end());
    return true;
  });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8, kMost, kBytes - kMost, kMost}));
  std::vector<float> wanted = {5, 6};
  for (const float value : many(1)) wanted.push_back(value);
  wanted.push_back(6);
  for (std::size_t i = 1; i < kMost / 4; ++i) wanted.push_back(static_cast<float>(i + 1));
  EXPECT_EQ(all, wanted);
  int num_messages = 0;
  const auto once = [&](const std::vector<ReadPart>&) { return ++num_messages < 1; };
  session.read(pieces, kMost, once);
  EXPECT_EQ(num_messages, 1);
  const BufferPiece wrong[] = {{3, 0, 8}, {2, 4, kBytes}};
  EXPECT_NE(error_text_of([&] { session.read(wrong, kMost, once); }).find("outside it"), std::string::npos);
  EXPECT_EQ(num_messages, 1) << "all pieces are checked before the first message";
}

TEST_F(SessionTest, WhatIsOnItsWayOutlivesTheSessionAndTheQuota) {
  std::vector<ReadPart> parts;
  {
    MemoryQuota lent(0);
    Session short_lived(runtime::make_client("cpu"), 0, lent);
    const std::vector<float> values = many(1);
    const std::size_t num_bytes = values.size() * sizeof(float);
    const WritePiece piece{{2, 0, num_bytes}, {DType::kF32, {32 << 10}}, {bytes_of(values)}};
    short_lived.write({&piece, 1});
    const BufferPiece wanted{2, 0, num_bytes};
    parts = short_lived.read({&wanted, 1});
  }
  EXPECT_EQ(floats_of(parts), many(1));
}

TEST_F(SessionTest, WhereTheQuotaHasNoRoomReadsAreCopies) {
  std::vector<float> values(std::size_t{200} << 10);  // 800 KiB of the 1 MiB that there is
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  write(2, values);
  const std::size_t before = quota.used_bytes();
  const BufferPiece piece{2, 0, values.size() * sizeof(float)};
  const std::vector<ReadPart> parts = session.read({&piece, 1});
  EXPECT_EQ(quota.used_bytes(), before);
  EXPECT_EQ(floats_of(parts), values);
}

/// A device that the host cannot address. Buffers 2 and 3 have eight floats, 32 bytes.
struct DistantSessionTest : testing::Test {
  MemoryQuota quota{100};
  std::shared_ptr<runtime::Client> client = runtime::make_client("sim:ideal,clock=virtual");
  std::optional<Session> session{std::in_place, client, 0, quota};
  const std::vector<float> before = {1, 2, 3, 4, 5, 6, 7, 8};

  /// Floats of a buffer from `first` on.
  void write(std::uint64_t transfer, std::size_t first, const std::vector<float>& values,
             std::uint64_t buffer = 2) {
    const WritePiece piece{{buffer, first * sizeof(float), values.size() * sizeof(float)},
                           {DType::kF32, {8}},
                           {SessionTest::bytes_of(values)}};
    session->write({&piece, 1}, transfer);
  }
  std::vector<float> read(std::uint64_t buffer = 2) {
    const BufferPiece piece{buffer, 0, 32};
    return SessionTest::floats_of(session->read({&piece, 1}));
  }
};

TEST_F(DistantSessionTest, ABufferOfWhichAPartIsReadCountsAgainstTheQuota) {
  write(1, 0, before);
  write(1, 0, before, 3);
  const BufferPiece part{2, 4, 8};
  EXPECT_EQ(SessionTest::floats_of(session->read({&part, 1})), (std::vector<float>{2, 3}));
  EXPECT_EQ(quota.used_bytes(), 64U);
  std::vector<ReadPart> kept;
  session->read({&part, 1}, 4, [&](const std::vector<ReadPart>& parts) {
    EXPECT_EQ(quota.used_bytes(), 96U) << "a piece larger than a message";
    kept.insert(kept.end(), parts.begin(), parts.end());
    return true;
  });
  EXPECT_EQ(quota.used_bytes(), 96U) << "as long as the answer is on its way";
  EXPECT_EQ(SessionTest::floats_of(kept), (std::vector<float>{2, 3}));
  kept.clear();
  EXPECT_EQ(quota.used_bytes(), 64U);
  write(1, 0, before, 4);
  const std::string sentence = "a buffer of which a part is read takes 32 bytes; of 100";
  const std::string refused = error_text_of([&] { session->read({&part, 1}); });
  EXPECT_NE(refused.find(sentence), std::string::npos) << refused;
  const std::string in_messages =
      error_text_of([&] { session->read({&part, 1}, 4, [](const std::vector<ReadPart>&) { return true; }); });
  EXPECT_NE(in_messages.find(sentence), std::string::npos) << in_messages;
  EXPECT_EQ(read(), before) << "a whole buffer needs no room";
  EXPECT_EQ(quota.used_bytes(), 96U);
}

TEST_F(DistantSessionTest, PiecesGoToTheDeviceTogetherOnceAllAreHere) {
  write(1, 0, before);
  EXPECT_EQ(quota.used_bytes(), 32U);
  write(2, 4, {50, 60});
  write(2, 0, {10, 20, 30});
  EXPECT_EQ(quota.used_bytes(), 64U) << "the buffer, and the pieces that wait";
  EXPECT_EQ(read(), before);
  write(2, 6, {70, 80});
  EXPECT_EQ(read(), before) << "a float is missing";
  write(2, 3, {40});
  EXPECT_EQ(read(), (std::vector<float>{10, 20, 30, 40, 50, 60, 70, 80}));
  EXPECT_EQ(quota.used_bytes(), 32U);
  write(2, 0, {1, 2, 3});
  write(2, 2, {33, 44, 55});
  write(2, 5, {6, 7, 8});
  EXPECT_EQ(read(), (std::vector<float>{1, 2, 33, 44, 55, 6, 7, 8})) << "pieces that overlap";
  const runtime::TransferStatistics calls = client->counts();
  EXPECT_EQ(calls.writes.calls, 3);
  EXPECT_EQ(calls.writes.bytes, 3 * 32);
  EXPECT_EQ(calls.reads.calls, 4) << "none to write";
}

TEST(SimulatedSessionTest, AProgramsStacksOfRowsCountUntilItIsReleased) {
  MemoryQuota quota{512 << 10};
  Session session(runtime::make_client("sim:ideal,clock=virtual"), 0, quota);
  runtime::Progress progress;
  const std::vector<float> zeros(2), rows(std::size_t{3} * 2 * 2048);  // 24 bytes for each of 2,048 steps
  const WritePiece piece{{2, 0, 8}, {DType::kF32, {2}}, {SessionTest::bytes_of(zeros)}};
  session.write({&piece, 1});
  session.compile({.program = 1,
                   .stablehlo = kStep,
                   .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows},
                   .name = "step"});
  // Two launches of 1,024 steps need 72 KiB, their rows' numbers 48 KiB.
  const QuotaShare others(quota, quota.limit_bytes() - quota.used_bytes() - (std::size_t{100} << 10),
                          "others");
  const std::size_t before = quota.used_bytes();
  const auto execute = [&](std::int64_t num_steps) {
    session.execute({.program = 1,
                     .num_steps = num_steps,
                     .num_rows = 3 * num_steps,
                     .state = {2},
                     .rows = SessionTest::bytes_of(rows)},
                    progress);
  };
  execute(16);
  const std::size_t kept = quota.used_bytes() - before;
  EXPECT_GE(kept, 16U * (24 + 12));
  execute(8);
  EXPECT_EQ(quota.used_bytes() - before, kept);
  EXPECT_NE(error_text_of([&] { execute(2048); }).find("the memory that a program works in"),
            std::string::npos);
  EXPECT_EQ(quota.used_bytes() - before, kept);
  execute(16);
  session.release(std::vector<std::uint64_t>{1});
  EXPECT_LE(quota.used_bytes(), before);
}

TEST(GroupSessionTest, PiecesOfOneDeviceChangeNoOther) {
  MemoryQuota quota{1 << 20};
  Session session(std::make_shared<runtime::LocalDeviceGroup>(
                      runtime::make_client("sim:tpu_8_cores,clock=virtual"), std::vector<int>{0, 1}),
                  0, quota);
  const auto write = [&](std::uint32_t member, std::size_t first, const std::vector<float>& values) {
    const WritePiece piece{{2, first * sizeof(float), values.size() * sizeof(float), member},
                           {DType::kF32, {4}},
                           {SessionTest::bytes_of(values)}};
    session.write({&piece, 1}, 1);
  };
  const auto read = [&](std::uint32_t member, std::size_t first = 0, std::size_t count = 4) {
    const BufferPiece piece{2, first * sizeof(float), count * sizeof(float), member};
    std::vector<ReadPart> all;
    session.read({&piece, 1}, 8, [&](const std::vector<ReadPart>& parts) {  // a message has two floats
      all.insert(all.end(), parts.begin(), parts.end());
      return true;
    });
    return SessionTest::floats_of(all);
  };
  write(0, 0, {1, 2, 3, 4});
  write(2, 0, {5, 6});  // two pieces of the second device, and one of the first in between
  write(1, 0, {9, 9, 9, 8});
  write(2, 2, {7, 8});
  EXPECT_EQ(read(0), (std::vector<float>{9, 9, 9, 8}));
  EXPECT_EQ(read(1), (std::vector<float>{9, 9, 9, 8}));
  EXPECT_EQ(read(2), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(read(2, 1, 2), (std::vector<float>{6, 7}));
  EXPECT_EQ(read(2, 3, 1), (std::vector<float>{8}));
  EXPECT_NE(error_text_of([&] { write(3, 0, {1, 2, 3, 4}); }).find("no bytes on device 2"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] { read(7); }).find("no bytes on device 6"), std::string::npos);
  Session alone(runtime::make_client("sim:ideal,clock=virtual"), 0, quota);
  const std::vector<float> one = {1};
  const WritePiece piece{{2, 0, 4, 1}, {DType::kF32, {1}}, {SessionTest::bytes_of(one)}};
  EXPECT_NE(error_text_of([&] { alone.write({&piece, 1}, 1); }).find("no bytes on device 0"),
            std::string::npos);
}

TEST_F(DistantSessionTest, PiecesThatAreLeftAloneAreDropped) {
  write(1, 0, before);
  write(2, 0, {10, 20});
  write(3, 4, {50, 60, 70, 80});
  EXPECT_EQ(quota.used_bytes(), 64U);
  EXPECT_EQ(read(), before);
  write(3, 0, {11, 22, 33, 44});
  EXPECT_EQ(read(), (std::vector<float>{11, 22, 33, 44, 50, 60, 70, 80})) << "nothing of the second transfer";
  write(4, 0, {10, 20});
  write(4, 0, before);
  EXPECT_EQ(quota.used_bytes(), 32U) << "all at once";
  write(4, 2, {30, 40, 50, 60, 70, 80});
  EXPECT_EQ(read(), before) << "what came before that counts no more";
  EXPECT_NE(error_text_of([&] { write(4, 7, {1, 2}); }).find("outside it"), std::string::npos);
  EXPECT_EQ(quota.used_bytes(), 32U) << "a write that fails";
  write(5, 0, {10, 20});
  runtime::Progress progress;
  EXPECT_NE(error_text_of([&] { session->execute({.program = 9}, progress); }).find("no program 9"),
            std::string::npos);
  EXPECT_EQ(quota.used_bytes(), 32U) << "an execution";
  write(5, 0, {10, 20});
  session->release(std::vector<std::uint64_t>{2});
  EXPECT_EQ(quota.used_bytes(), 0U);
  write(5, 2, {30, 40, 50, 60, 70, 80});
  EXPECT_EQ(quota.used_bytes(), 64U) << "a new buffer, of which the first two floats are missing";
  session.reset();
  EXPECT_EQ(quota.used_bytes(), 0U);
}

TEST_F(DistantSessionTest, PiecesThatWaitCountAgainstTheQuota) {
  write(1, 0, before);
  write(1, 0, before, 3);
  write(2, 0, {10, 20});
  EXPECT_EQ(quota.used_bytes(), 96U);
  const std::string refused = error_text_of([&] { write(2, 0, {10, 20}, 3); });
  EXPECT_NE(refused.find("a buffer that is written in pieces takes 32 bytes; of 100"), std::string::npos)
      << refused;
  EXPECT_EQ(quota.used_bytes(), 64U);
  write(3, 0, {8, 7, 6, 5, 4, 3, 2, 1}, 3);
  EXPECT_EQ(read(3), (std::vector<float>{8, 7, 6, 5, 4, 3, 2, 1})) << "one message needs no room";
  EXPECT_EQ(read(), before);
}

TEST(GatheredBytesTest, GapsCloseAndVeryManyAreRefused) {
  GatheredBytes bytes(1000, {});
  const std::vector<std::byte> piece(1000);
  const auto add = [&](std::size_t offset, std::size_t size) {
    bytes.add(offset, {std::span(piece).first(size)});
  };
  for (std::size_t i = 0; i < 64; ++i) add(2 * i, 1);
  EXPECT_EQ(error_text_of([&] { add(200, 1); }), "[worker] the pieces of a buffer leave more than 63 gaps");
  add(0, 500);
  add(600, 400);
  EXPECT_FALSE(bytes.is_whole());
  add(499, 102);
  EXPECT_TRUE(bytes.is_whole());
}

TEST_F(SessionTest, ProgramsCountAgainstTheQuotaToo) {
  compile();
  EXPECT_GE(quota.used_bytes(), std::strlen(kStep));
  const std::size_t before = quota.used_bytes();
  // The product is 4 MiB that the program works in, of the 1 MiB that there is.
  constexpr const char* kLarge = R"(
  func.func @main(%w: tensor<1024xf32>, %x: tensor<1x2xf32>) -> tensor<1024xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %wide = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1024xf32>
    %sine = stablehlo.sine %wide : tensor<1024x1024xf32>
    %product = stablehlo.dot_general %sine, %sine, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %tanh = stablehlo.tanh %product : tensor<1024x1024xf32>
    %again = stablehlo.dot_general %tanh, %product, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %next = stablehlo.reduce(%again init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    return %next : tensor<1024xf32>
  })";
  const std::string refused = error_text_of([&] { compile(2, kLarge); });
  EXPECT_NE(refused.find("the memory that a program works in takes"), std::string::npos) << refused;
  EXPECT_EQ(quota.used_bytes(), before) << "what was refused holds nothing";
  const std::string text = std::string(kStep) + std::string(1 << 20, ' ');
  EXPECT_NE(error_text_of([&] { compile(2, text); }).find("a program's text takes"), std::string::npos);
  session.release(std::vector<std::uint64_t>{1});
  EXPECT_EQ(quota.used_bytes(), 0U);
}

TEST_F(SessionTest, BuffersWithoutElementsCountBeyondAFew) {
  constexpr std::size_t kMost = Session::kUncountedBuffers, kMore = 100;
  std::vector<std::uint64_t> numbers;
  const auto make = [&](std::size_t count) {
    while (count-- > 0) {
      numbers.push_back(numbers.size() + 1);
      const WritePiece piece{{numbers.back(), 0, 0}, {DType::kF32, {0}}, {}};
      session.write({&piece, 1});
    }
  };
  make(kMost);
  EXPECT_EQ(quota.used_bytes(), 0U);
  make(kMore);
  EXPECT_EQ(quota.used_bytes(), kMore * Session::kHandleBytes);
  session.release(std::span(numbers).first(kMore / 2));
  EXPECT_EQ(quota.used_bytes(), kMore / 2 * Session::kHandleBytes);
  EXPECT_NE(error_text_of([&] { make(quota.limit_bytes()); }).find("a buffer takes 512 bytes; of 1048576"),
            std::string::npos);
  session.release(numbers);
  EXPECT_EQ(quota.used_bytes(), 0U);
  {
    Session another(runtime::make_client("cpu"), 0, quota);
    for (std::uint64_t number = 1; number <= kMost + kMore; ++number) {
      const WritePiece piece{{number, 0, 0}, {DType::kF32, {0}}, {}};
      another.write({&piece, 1});
    }
    EXPECT_EQ(quota.used_bytes(), kMore * Session::kHandleBytes);
  }
  EXPECT_EQ(quota.used_bytes(), 0U) << "a session that ends gives back what it had";
}

TEST_F(SessionTest, SmallProgramsCountWithWhatTheyBecome) {
  compile(1);
  EXPECT_GE(quota.used_bytes(), Session::kProgramBytes);
  std::uint64_t number = 1;
  EXPECT_NE(error_text_of([&] {
              while (true) compile(++number);
            }).find("a parsed program takes"),
            std::string::npos);
  EXPECT_LE(number, quota.limit_bytes() / Session::kProgramBytes);
}

TEST_F(SessionTest, ConstantsOfProgramsCountAgainstTheQuota) {
  const auto program = [](std::int64_t count) {
    return fmt::format(R"(
  func.func @main(%w: tensor<2xf32>, %x: tensor<1x{0}xf32>) -> (tensor<2xf32>, tensor<1x{0}xf32>) {{
    %many = stablehlo.constant dense<2.0> : tensor<1x{0}xf32>
    %y = stablehlo.add %x, %many : tensor<1x{0}xf32>
    return %w, %y : tensor<2xf32>, tensor<1x{0}xf32>
  }})",
                       count);
  };
  compile(1, program(1));
  const std::size_t small = quota.used_bytes();
  compile(2, program(50'001));
  EXPECT_GE(quota.used_bytes(), 2 * small + 200'000) << "as long as the program is there";
  session.release(std::vector<std::uint64_t>{2});
  EXPECT_EQ(quota.used_bytes(), small);
  // 64 MiB in a line of text.
  const std::string refused = error_text_of([&] { compile(2, program(1 << 24)); });
  EXPECT_NE(refused.find("a program's data (constants, operands, arguments) takes 6711"), std::string::npos)
      << refused;
  EXPECT_EQ(quota.used_bytes(), small);
}

TEST_F(SessionTest, ATextIsRefusedBeforeItBecomesMoreThanTheQuota) {
  // Each ends in nonsense, which is not reached.
  const auto refused = [&](const std::string& body, std::string_view what) {
    const std::string error = error_text_of([&] {
      compile(1, "func.func @main(%w: tensor<2xf32>, %x: tensor<3x2xf32>) -> tensor<2xf32> {\n" + body +
                     "\nnonsense\n}");
    });
    EXPECT_NE(error.find(what), std::string::npos) << error;
    EXPECT_EQ(quota.used_bytes(), 0U);
  };
  std::string many, operands = "%w", types = "tensor<2xf32>", list = "a";
  for (int i = 0; i < 1000; ++i) many += fmt::format("%{} = stablehlo.add %w, %w : tensor<2xf32>\n", i);
  for (int i = 0; i < 10'000; ++i) operands += ",%w";
  for (int i = 0; i < 10'000; ++i) types += ",tensor<2xf32>";
  for (int i = 0; i < 10'000; ++i) list += ",a";
  refused(many, "a parsed program takes");
  refused("%0 = stablehlo.concatenate " + operands + ", dim = 0 : (" + types + ") -> tensor<20002xf32>",
          "a program's data (constants, operands, arguments) takes");
  refused("%0 = stablehlo.add %w, %w {x = [" + list + "]} : tensor<2xf32>",
          "a program's data (constants, operands, arguments) takes");
}

TEST_F(SessionTest, CompositesCountWithTheirDecompositions) {
  constexpr std::size_t kMany = 20;
  std::string text =
      "func.func @main(%w: tensor<2xf32>, %c0: tensor<1x4xf32>) -> (tensor<2xf32>, tensor<1x4xf32>) {\n";
  for (std::size_t i = 0; i < kMany; ++i)
    text += fmt::format(
        "%c{} = \"stablehlo.composite\"(%c{}) <{{composite_attributes = {{axis = -1 : i64}}, decomposition = "
        "@d, name = \"cornu.softmax\"}}> : (tensor<1x4xf32>) -> tensor<1x4xf32>\n",
        i + 1, i);
  text += fmt::format("return %w, %c{} : tensor<2xf32>, tensor<1x4xf32>\n}}", kMany);
  compile(1, text);
  // A maximum, an exponential, a sum, a quotient and what broadcasts them.
  EXPECT_GE(quota.used_bytes(), Session::kProgramBytes + kMany * 5 * Session::kOpBytes);
}

TEST_F(SessionTest, ArgumentsAndResultsOfProgramsCountAgainstTheQuota) {
  constexpr int kMany = 200;
  const auto program = [](bool has_arguments, bool has_results) {
    std::string arguments, results, types;
    for (int i = 0; has_arguments && i < kMany; ++i) arguments += fmt::format(", %a{}: tensor<f32>", i);
    for (int i = 0; has_results && i < kMany; ++i) results += ", %w", types += ", tensor<2xf32>";
    return "func.func @main(%w: tensor<2xf32>, %x: tensor<1x2xf32>" + arguments + ") -> (tensor<2xf32>" +
           types + ") { return %w" + results + " : tensor<2xf32>" + types + " }";
  };
  const auto used = [&](const std::string& text) {
    std::vector<runtime::ArgumentKind> kinds(2 + kMany, runtime::ArgumentKind::kFixed);
    kinds[0] = runtime::ArgumentKind::kState;
    kinds[1] = runtime::ArgumentKind::kRows;
    if (text.find("%a0") == std::string::npos) kinds.resize(2);
    session.compile({.program = 1, .stablehlo = text, .arguments = kinds, .name = "step"});
    const std::size_t num_bytes = quota.used_bytes();
    session.release(std::vector<std::uint64_t>{1});
    return num_bytes;
  };
  const std::size_t small = used(program(false, false));
  EXPECT_GE(used(program(true, false)), small + kMany * (Session::kArgumentBytes + 256));
  EXPECT_GE(used(program(false, true)), small + kMany * Session::kOpBytes);
}

TEST_F(SessionTest, LargeAnswersOfAnExecutionCountAgainstTheQuota) {
  compile(1, R"(
  func.func @main(%w: tensor<2xf32>, %x: tensor<1xi8>) -> (tensor<2xf32>, tensor<65536xf32>) {
    %next = stablehlo.add %w, %w : tensor<2xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %wide = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<65536xf32>
    return %next, %wide : tensor<2xf32>, tensor<65536xf32>
  })");
  write(2, {1, 2});
  const std::size_t before = quota.used_bytes();
  const std::vector<std::byte> rows(8);
  const auto execute = [&](std::int64_t num_steps) {
    return error_text_of([&] {
      session.execute(
          {.program = 1, .num_steps = num_steps, .num_rows = num_steps, .state = {2}, .rows = rows},
          progress);
    });
  };
  EXPECT_EQ(execute(4), "no error") << "1 MiB, as a message of a Read";
  const std::string refused = execute(8);
  EXPECT_NE(refused.find("an execution's outputs takes 2097152 bytes"), std::string::npos) << refused;
  EXPECT_EQ(quota.used_bytes(), before);
}

TEST_F(SessionTest, NothingIsCompiledForAClientThatHasGone) {
  Session another(runtime::make_client("cpu", {.cache_folder = "off"}), 0, quota);
  another.stop_all("the client has gone");
  EXPECT_EQ(error_text_of([&] {
              another.compile({.program = 1,
                               .stablehlo = kStep,
                               .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows},
                               .name = "step"});
            }),
            "[worker] the client has gone: a program is not compiled to its end");
  EXPECT_EQ(quota.used_bytes(), 0U);
}

TEST(ExecuteResultTest, LargeAnswersCountAsLongAsTheyLive) {
  std::optional<MemoryQuota> quota(8 << 20);
  std::optional<Session> session;
  session.emplace(runtime::make_client("cpu"), 0, *quota);
  session->compile({.program = 1,
                    .stablehlo = R"(
  func.func @main(%w: tensor<524288xf32>) -> (tensor<524288xf32>, tensor<524288xf32>) {
    %next = stablehlo.add %w, %w : tensor<524288xf32>
    return %next, %next : tensor<524288xf32>, tensor<524288xf32>
  })",
                    .arguments = {runtime::ArgumentKind::kState},
                    .name = "step"});
  const std::vector<std::byte> zeros(2 << 20);
  const WritePiece piece{{2, 0, zeros.size()}, {DType::kF32, {524288}}, {zeros}};
  session->write({&piece, 1});
  const std::size_t before = quota->used_bytes();
  runtime::Progress progress;
  std::optional<ExecuteResult> result =
      session->execute({.program = 1, .num_steps = 1, .state = {2}, .read_buffers = {2}}, progress);
  EXPECT_EQ(quota->used_bytes(), before + (4 << 20)) << "outputs and what was read back";
  result.reset();
  EXPECT_EQ(quota->used_bytes(), before);
  result = session->execute({.program = 1, .num_steps = 1, .state = {2}}, progress);
  session.reset();
  EXPECT_EQ(quota->used_bytes(), 2U << 20);
  quota.reset();  // gRPC may send the answer when the worker ends
}

TEST(MemoryQuotaTest, WhatIsRefusedTakesNoRoomFromOthers) {
  MemoryQuota quota(100);
  std::atomic<bool> has_begun = false, is_over = false;
  std::thread greedy([&] {
    const auto bytes = std::make_shared<const std::byte>();
    for (; !is_over; has_begun = true) EXPECT_EQ(quota.hold(bytes, 101), nullptr);
  });
  while (!has_begun) std::this_thread::yield();
  int num_refused = 0;
  const auto bytes = std::make_shared<const std::byte>();
  for (int i = 0; i < 1'000'000; ++i) {
    const std::shared_ptr<const std::byte> held = quota.hold(bytes, 50);
    num_refused += held == nullptr ? 1 : 0;
  }
  is_over = true;
  greedy.join();
  EXPECT_EQ(num_refused, 0);
  EXPECT_EQ(quota.used_bytes(), 0U);
}

TEST_F(SessionTest, TheListOfAnExecutionsRowsCountsAgainstTheQuota) {
  compile(1, R"(
  func.func @main(%w: tensor<2xf32>, %x: tensor<1xi8>) -> tensor<2xf32> {
    %next = stablehlo.add %w, %w : tensor<2xf32>
    return %next : tensor<2xf32>
  })");
  write(2, {1, 2});
  const std::vector<std::byte> rows(std::size_t{1} << 18);
  const WritePiece piece{{3, 0, 4}, {DType::kI8, {4}}, {std::span(rows).first(4)}};
  session.write({&piece, 1});
  const std::size_t before = quota.used_bytes();
  const auto refused = [&](const ExecuteOrder& order) {
    const std::string text = error_text_of([&] { session.execute(order, progress); });
    EXPECT_NE(text.find("the list of an execution's rows takes 2097152 bytes"), std::string::npos) << text;
    EXPECT_EQ(quota.used_bytes(), before);
  };
  // 256 KiB of rows, and eight bytes for each, of the 1 MiB that there is.
  refused({.program = 1, .num_steps = 1 << 18, .num_rows = 1 << 18, .state = {2}, .rows = rows});
  refused({.program = 1,
           .num_steps = 1,
           .num_rows = 1,
           .state = {2},
           .row_buffers = {3},
           .row_indices = std::vector<std::int64_t>(std::size_t{1} << 18)});
  session.execute({.program = 1, .num_steps = 2, .num_rows = 2, .state = {2}, .rows = rows}, progress);
  session.execute({.program = 1,
                   .num_steps = 1,
                   .num_rows = 1,
                   .state = {2},
                   .row_buffers = {3},
                   .row_indices = std::vector<std::int64_t>(1)},
                  progress);
  EXPECT_EQ(read(2, 2), (std::vector<float>{8, 16})) << "what was refused has run no step";
  EXPECT_EQ(quota.used_bytes(), before);
}

TEST(SessionFilesTest, ABackupOfATypeThatFilesDoNotHaveIsRefused) {
  const DataRoot files(testing::TempDir());
  MemoryQuota quota(1 << 20);
  Session session(runtime::make_client("cpu"), 0, quota, &files);
  const ir::TensorType type{DType::kF8E4M3FN, {4}};
  const std::vector<std::byte> bytes(4, std::byte{1});
  const WritePiece piece{{2, 0, bytes.size()}, type, {std::span<const std::byte>(bytes)}};
  session.write({&piece, 1});
  expect_error_text(
      {"\"w\" of the backup \"small.backup\" is of type f8E4M3FN, which files do not have", "worker_file"},
      [&] { session.save({.path = "small", .mark = 1, .buffers = {{2, "w", type}}}); });
}

TEST_F(SessionTest, ProgramsAreVerifiedBeforeAnythingElse) {
  EXPECT_NE(error_text_of([&] { compile(1, "func.func @main() {"); }).find("step:1:"), std::string::npos);
  EXPECT_NE(error_text_of([&] { compile(1, "func.func @main() { return }"); }).find("kinds"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              compile(1, "func.func @main(%a: tensor<1152921504606846976xi8>, %b: tensor<2xf32>) { return }");
            }),
            "no error");
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
