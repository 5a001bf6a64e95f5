#include "cornu/keras/trainer/array_source.h"

#include <gtest/gtest.h>

#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/trainer/device_data_cache.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

ArrayData ten_rows() { return {.x = Tensor::zeros({10, 2}), .y = {}, .sample_weight = {}}; }

/// The rows of the batches left in the pass, requested `max_steps` at a time.
std::vector<std::int64_t> rows_left(ArraySource& source, std::int64_t max_steps) {
  std::vector<std::int64_t> rows;
  for (Batches batches = source.next(max_steps); batches.num_steps > 0; batches = source.next(max_steps)) {
    rows.insert(rows.end(), batches.row_indices, batches.row_indices + batches.num_rows);
    source.advance(batches.num_steps);
  }
  return rows;
}

TEST(ArraySourceTest, NextLooksAndAdvanceMovesOn) {
  ArraySource source(ten_rows(), 4);
  source.begin_epoch({});
  EXPECT_EQ(source.num_steps(), 3);
  EXPECT_EQ(source.next(2).num_rows, 8);
  EXPECT_EQ(source.next(5).num_steps, 3) << "nothing has been worked on";
  source.advance(2);
  EXPECT_EQ(source.num_steps_left(), 1);
  const Batches last = source.next(5);
  EXPECT_EQ(last.num_steps, 1);
  EXPECT_TRUE(last.ends_partial());
  EXPECT_EQ(std::vector<std::int64_t>(last.row_indices, last.row_indices + 4),
            (std::vector<std::int64_t>{8, 9, 8, 8}));
  source.advance(1);
  EXPECT_EQ(source.next(1).num_steps, 0);
}

TEST(ArraySourceTest, SizesOfTheNextBatchesAreKnown) {
  ArraySource source(ten_rows(), 4);
  source.begin_epoch({});
  EXPECT_EQ(source.sizes_ahead(2).partial, 0);
  EXPECT_EQ(source.sizes_ahead(3).full, 4);
  EXPECT_EQ(source.sizes_ahead(3).partial, 2);
  source.skip(2);
  EXPECT_EQ(source.sizes_ahead(9).full, 0);
  EXPECT_EQ(source.sizes_ahead(9).partial, 2);
  const Batches batches = source.next(1);
  EXPECT_EQ(batches.part(0, 1).num_rows, 2);
}

TEST(ArraySourceTest, APartOfSomeBatchesIsThoseBatches) {
  ArraySource source(ten_rows(), 4);
  source.begin_epoch({});
  const Batches two = source.next(3).part(1, 2);
  EXPECT_EQ(two.num_rows, 6);
  EXPECT_EQ(two.row_indices[0], 4);
  EXPECT_EQ(two.rows_of(1).size(), 2U);
  EXPECT_EQ(two.rows_of(1)[0], 8);
}

TEST(ArraySourceTest, AnotherSourceGoesOnWhereOneWas) {
  for (const ArrayOrder& order :
       {ArrayOrder{.shuffle = true}, ArrayOrder{.shuffle = true, .repeat_steps = 7}, ArrayOrder{},
        ArrayOrder{.row_order = [](std::int64_t) { return std::vector<std::int64_t>{9, 1, 1, 3, 7, 2}; }}}) {
    ArraySource source(ten_rows(), 2, order), other(ten_rows(), 2, order);
    source.begin_epoch({.epoch = 3, .seed = 5, .steps_trained = 11});
    source.advance(2);
    load_state(other.state(), save_state(source.state()));
    EXPECT_EQ(rows_left(other, 3), rows_left(source, 1));
  }
}

TEST(ArraySourceTest, APositionInOtherDataIsRefused) {
  ArraySource source(ten_rows(), 2), other(ten_rows(), 5);
  try {
    check_state(other.state(), save_state(source.state()), "fit");
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "[fit] \"batch_size\" of the state to resume from: batch_size must be 5; the state was of 2");
  }
}

TEST(ArraySourceTest, AStepThatThePassDoesNotHaveIsRefused) {
  const auto refused = [](const ArrayOrder& order, const char* path, const std::vector<std::int64_t>& values,
                          const char* says) {
    ArraySource source(ten_rows(), 2, order);
    source.begin_epoch({.epoch = 3, .seed = 5, .steps_trained = 11});
    source.advance(2);
    StateValues state = save_state(source.state());
    EXPECT_NO_THROW(check_state(source.state(), state, "fit"));
    state.at(path) = Tensor(values);
    try {
      check_state(source.state(), state, "fit");
      ADD_FAILURE() << "no error was thrown: " << says;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
    EXPECT_EQ(source.num_steps_left(), (order.repeat_steps ? 7 : order.row_order ? 3 : 5) - 2);
  };
  const ArrayOrder shuffled{.shuffle = true}, repeated{.shuffle = true, .repeat_steps = 7},
      given{.row_order = [](std::int64_t) { return std::vector<std::int64_t>{9, 1, 1, 3, 7, 2}; }};
  for (const std::int64_t number : {-1, 6})
    refused(shuffled, "next_step", {number}, "between 0 and 5; found");
  for (const std::int64_t number : {-1, 8})
    refused(repeated, "next_step", {number}, "between 0 and 7; found");
  for (const std::int64_t number : {-1, 4}) refused(given, "next_step", {number}, "between 0 and 3; found");
  refused(given, "rows", {9, 1, 1, 3, 10, 2}, "row 10 is not one of the 10 rows");
}

/// Requests rows as the next step of a source does, and moves the position forward.
std::span<runtime::Buffer* const> rows_on(const Placement& placement, ArraySource& source,
                                          std::int64_t num_steps = 1) {
  const Batches batches = source.next(num_steps);
  source.advance(num_steps);
  return batches.resident->find(placement, batches);
}

/// Three batches of 32 rows; with 1,024 columns a batch has 128 KiB.
std::unique_ptr<ArraySource> source_of_columns(std::int64_t columns) {
  auto source = std::make_unique<ArraySource>(ArrayData{.x = Tensor::zeros({96, columns})}, 32);
  source->begin_epoch({});
  return source;
}

TEST(ArraySourceTest, ManyBytesThatAreUsedAgainStayOnADeviceThatKeepsRows) {
  const auto client = std::make_shared<runtime::FakeClient>(2);
  const Placement first(client), second(client, {1});
  const auto source = source_of_columns(1024);
  source->expect_passes(2);
  EXPECT_TRUE(rows_on(first, *source).empty()) << "the client has not said that it keeps rows";
  client->keep_rows();
  const std::span<runtime::Buffer* const> kept = rows_on(first, *source);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0]->type().dims, (ir::Dims{96, 1024}));
  EXPECT_EQ(kept[0]->device(), 0);
  EXPECT_EQ(rows_on(first, *source)[0], kept[0]);
  source->begin_epoch({});
  EXPECT_EQ(rows_on(second, *source)[0]->device(), 1);
}

TEST(ArraySourceTest, RowsAreSentWhereThatCostsNothing) {
  const auto client = std::make_shared<runtime::FakeClient>();
  client->keep_rows();
  const Placement placement(client);
  // Few bytes, also where many have put the arrays there.
  const auto few = source_of_columns(1023);
  few->expect_passes(2);
  EXPECT_TRUE(rows_on(placement, *few).empty());
  EXPECT_EQ(rows_on(placement, *few, 2).size(), 1U);
  few->begin_epoch({});
  EXPECT_TRUE(rows_on(placement, *few).empty());
  // Rows that may not come again.
  const auto unknown = source_of_columns(1024);
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(rows_on(placement, *unknown).empty());
  unknown->begin_epoch({});
  EXPECT_EQ(rows_on(placement, *unknown).size(), 1U);
}

TEST(ArraySourceTest, ArraysLeaveHalfOfADevicesMemoryToTheTraining) {
  for (const std::size_t memory : {std::size_t{1} << 20, std::size_t{1} << 10}) {
    const auto client = std::make_shared<runtime::FakeClient>(1, memory);
    client->keep_rows();
    const auto source = source_of_columns(1024);
    source->expect_passes(2);
    EXPECT_EQ(rows_on(Placement(client), *source).size(), memory == std::size_t{1} << 20 ? 1U : 0U);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
