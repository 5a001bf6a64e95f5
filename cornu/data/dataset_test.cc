#include "cornu/data/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/data/position.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::data {
namespace {

std::vector<std::int64_t> numbers(const Dataset& dataset) {
  std::vector<std::int64_t> all;
  for (const Element& element : dataset) all.push_back(element.item<std::int64_t>());
  return all;
}
std::vector<std::int64_t> counting(std::int64_t n) { return numbers(Dataset::range(n)); }
std::vector<std::int64_t> sorted(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}
/// Numbers below n as rows in memory.
Dataset rows(std::int64_t n) { return Dataset::from_tensor_slices(counting(n)); }
/// Numbers below n; `bad` is an error.
Dataset failing_at(std::int64_t n, std::int64_t bad) {
  return Dataset::range(n).map([bad](std::int64_t v) {
    if (v == bad) throw Error(ErrorCode::kDataLoss, "bad");
    return v;
  });
}

TEST(DatasetTest, SlicesShareTheMemoryOfTheArray) {
  const Tensor array = Tensor::zeros({4, 3});
  const std::vector<Element> slices = Dataset::from_tensor_slices(array).to_vector();
  EXPECT_EQ(slices[2].tensor().bytes(), array.bytes() + 2 * 3 * sizeof(float));
}

TEST(ShuffleTest, RowsAndStreamsComeOnceEachInOtherOrdersPassByPass) {
  for (const Dataset& dataset :
       {rows(100).shuffle(100, {.seed = 1}), Dataset::range(100).shuffle(100, {.seed = 1}),
        rows(100).shuffle(10, {.seed = 1}), Dataset::range(100).shuffle(10, {.seed = 1}),
        rows(70'000).skip(69'900).shuffle(100, {.seed = 1}).map([](std::int64_t v) { return v - 69'900; })}) {
    const std::vector<std::int64_t> first = numbers(dataset), second = numbers(dataset);
    EXPECT_NE(first, counting(100));
    EXPECT_NE(first, second);
    EXPECT_EQ(sorted(first), counting(100));
    EXPECT_EQ(sorted(second), counting(100));
  }
}

TEST(ShuffleTest, OneSeedGivesOneOrderAndOneWithoutReshufflingAlwaysTheSame) {
  EXPECT_EQ(numbers(rows(50).shuffle(50, {.seed = 7})), numbers(rows(50).shuffle(50, {.seed = 7})));
  EXPECT_NE(numbers(rows(50).shuffle(50, {.seed = 7})), numbers(rows(50).shuffle(50, {.seed = 8})));
  const Dataset fixed = rows(50).shuffle(50, {.seed = 7, .reshuffle_each_iteration = false});
  EXPECT_EQ(numbers(fixed), numbers(fixed));
  set_random_seed(3);
  const std::vector<std::int64_t> first = numbers(rows(50).shuffle(50));
  set_random_seed(3);
  EXPECT_EQ(numbers(rows(50).shuffle(50)), first);
}

TEST(ShuffleTest, ABufferBringsNoElementForwardByMoreThanItsSize) {
  for (const Dataset& dataset :
       {rows(200).shuffle(8, {.seed = 2}), Dataset::range(200).shuffle(8, {.seed = 2})}) {
    const std::vector<std::int64_t> order = numbers(dataset);
    for (std::size_t place = 0; place < order.size(); ++place)
      EXPECT_LT(order[place], static_cast<std::int64_t>(place) + 8);
  }
}

// Chi squared of 24 orders of 4 elements, and of what a reservoir gives first.
TEST(ShuffleTest, AllOrdersAreAboutEquallyLikely) {
  for (const bool in_memory : {true, false}) {
    std::map<std::vector<std::int64_t>, int> counts;
    constexpr int kPasses = 4800;
    const Dataset dataset = (in_memory ? rows(4) : Dataset::range(4)).shuffle(4, {.seed = 11});
    for (int i = 0; i < kPasses; ++i) ++counts[numbers(dataset)];
    EXPECT_EQ(counts.size(), 24u);
    double chi_squared = 0;
    for (const auto& [order, count] : counts)
      chi_squared += (count - kPasses / 24.0) * (count - kPasses / 24.0) / (kPasses / 24.0);
    EXPECT_LT(chi_squared, 49.7);  // 23 degrees of freedom: 1 in 1000
  }
}

TEST(ShuffleTest, EachRepeatedPassIsShuffledByItself) {
  const std::vector<std::int64_t> both = numbers(rows(30).shuffle(30, {.seed = 1}).repeat(2));
  const std::vector<std::int64_t> first(both.begin(), both.begin() + 30),
      second(both.begin() + 30, both.end());
  EXPECT_EQ(sorted(first), counting(30));
  EXPECT_EQ(sorted(second), counting(30));
  EXPECT_NE(first, second);
}

TEST(ShuffleTest, LookingAtTheSpecificationUsesNoPassUp) {
  const Dataset a = rows(50).shuffle(50, {.seed = 7}), b = rows(50).shuffle(50, {.seed = 7});
  EXPECT_EQ(a.element_spec(), "int64 ()");
  EXPECT_EQ(numbers(a), numbers(b));
}

// The places of random pipelines: what comes after is what would have come, in this pass and the next.
TEST(PlaceTest, RandomStagesGoOnWhereTheyStood) {
  const auto make = [](int which) {
    switch (which) {
      case 0: return rows(40).shuffle(40, {.seed = 5});
      case 1: return Dataset::range(40).shuffle(7, {.seed = 5});
      case 2: return rows(40).shuffle(9, {.seed = 5}).repeat(2).batch(6).unbatch();
      case 3: return Dataset::random({.seed = 5, .rerandomize_each_iteration = true}).take(40);
      case 4:
        return Dataset::sample_from_datasets({Dataset::range(20), Dataset::range(100, {.start = 50})},
                                             {.weights = {0.3, 0.7}, .seed = 5});
      case 5:
        return Dataset::range(6)
            .interleave(
                [](std::int64_t v) { return rows(9).shuffle(9, {.seed = static_cast<std::uint64_t>(v)}); },
                {.cycle_length = 3, .num_parallel_calls = 2})
            .prefetch(3);
      case 6:
        return rows(40)
            .shuffle(40, {.seed = 5})
            .map([](std::int64_t v) { return v; }, {.num_parallel_calls = 3});
      default: return rows(8).batch(3).shuffle(3, {.seed = 5}).repeat(4).unbatch();
    }
  };
  for (int which = 0; which < 8; ++which) {
    SCOPED_TRACE(which);
    for (const std::int64_t done : {0, 1, 5, 17, 30}) {
      const Dataset original = make(which), other = make(which);
      Iterator iterator = original.iterator();
      iterator.skip(done);
      const std::vector<std::byte> place = iterator.save();
      const auto rest = [](Iterator from) {
        std::vector<std::int64_t> values;
        while (const std::optional<Element> element = from.next())
          values.push_back(element->item<std::int64_t>());
        return values;
      };
      Iterator restored = other.iterator();
      restored.restore(place);
      EXPECT_EQ(rest(restored), rest(iterator)) << done;
      EXPECT_EQ(numbers(other.take(40)), numbers(original.take(40))) << "the next pass, after " << done;
    }
  }
}

TEST(PlaceTest, APlaceOfAnotherPipelineOrADamagedOneIsRefused) {
  Iterator iterator = rows(10).shuffle(10, {.seed = 1}).iterator();
  std::vector<std::byte> place = iterator.save();
  EXPECT_NE(error_text_of([&] { rows(10).batch(2).iterator().restore(place); }).find("another pipeline"),
            std::string::npos);
  place.pop_back();
  Iterator same = rows(10).shuffle(10, {.seed = 1}).iterator();
  EXPECT_THROW(same.restore(place), Error);
  EXPECT_EQ(same.skip(100), 10);  // as it was
}

// Files of 1, 1, 2, 2, 2 and 2 records: an empty place gets its next file when its turn comes.
TEST(PlaceTest, AParallelInterleaveOfUnevenDatasetsGoesOnInItsOrder) {
  const Dataset dataset = Dataset::range(6).interleave(
      [](std::int64_t v) {
        return Dataset::range(v < 2 ? 1 : 2).map([v](std::int64_t i) { return 10 * v + i; });
      },
      {.cycle_length = 4, .num_parallel_calls = 2});
  const std::vector<std::int64_t> wanted = {0, 10, 20, 30, 21, 31, 40, 50, 41, 51};
  for (std::int64_t done = 0; done <= 10; ++done) {
    Iterator iterator = dataset.iterator();
    iterator.skip(done);
    Iterator restored = dataset.iterator();
    restored.restore(iterator.save());
    std::vector<std::int64_t> rest;
    while (const std::optional<Element> element = restored.next())
      rest.push_back(element->item<std::int64_t>());
    EXPECT_EQ(rest, std::vector<std::int64_t>(wanted.begin() + done, wanted.end())) << "after " << done;
  }
}

TEST(PlaceTest, AnErrorThatWaitsInABufferIsPartOfThePlace) {
  std::atomic<bool> has_failed = false;
  const auto failing = [&](std::int64_t v) {
    if (v != 2) return v;
    has_failed = true;
    throw Error(ErrorCode::kDataLoss, "two", {.op = "test"});
  };
  for (const Dataset& dataset : {Dataset::range(6).map(failing, {.num_parallel_calls = 2}),
                                 Dataset::range(6).map(failing).prefetch(10)}) {
    has_failed = false;
    Iterator iterator = dataset.iterator();
    EXPECT_EQ(iterator.next()->item<std::int64_t>(), 0);
    while (!has_failed) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::vector<std::byte> place = iterator.save();
    Iterator restored = dataset.iterator();
    restored.restore(place);
    for (Iterator* const one : {&iterator, &restored}) {
      EXPECT_EQ(one->next()->item<std::int64_t>(), 1);
      expect_error(ErrorCode::kDataLoss, {"[test] two"}, [&] { one->next(); });
      for (const std::int64_t v : {3, 4, 5}) EXPECT_EQ(one->next()->item<std::int64_t>(), v);
      EXPECT_FALSE(one->next().has_value());
    }
  }
}

TEST(ParallelMapTest, KeepsTheOrderAtAnyNumberOfThreadsAndEveryElementWithoutIt) {
  const Dataset numbers_below = Dataset::range(2000);
  const auto work = [](std::int64_t v) {
    if (v % 97 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    return v * 2;
  };
  std::vector<std::int64_t> wanted;
  for (std::int64_t v = 0; v < 2000; ++v) wanted.push_back(2 * v);
  for (const std::int64_t threads :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{8}, kAutotune})
    EXPECT_EQ(numbers(numbers_below.map(work, {.num_parallel_calls = threads})), wanted);
  EXPECT_EQ(sorted(numbers(numbers_below.map(work, {.num_parallel_calls = 4, .deterministic = false}))),
            wanted);
  EXPECT_EQ(sorted(numbers(
                numbers_below.map(work, {.num_parallel_calls = 4}).with_options({.deterministic = false}))),
            wanted);
}

TEST(ParallelMapTest, AnErrorComesInItsPlaceAndTheRestGoesOn) {
  const auto failing = [](std::int64_t v) {
    if (v == 5) throw Error(ErrorCode::kDataLoss, "five");
    return v;
  };
  const Dataset dataset = Dataset::range(10).map(failing, {.num_parallel_calls = 3});
  Iterator iterator = dataset.iterator();
  for (std::int64_t v = 0; v < 5; ++v) EXPECT_EQ(iterator.next()->item<std::int64_t>(), v);
  EXPECT_EQ(error_text_of([&] { iterator.next(); }), "five");
  EXPECT_EQ(iterator.next()->item<std::int64_t>(), 6);
  EXPECT_EQ(numbers(dataset.ignore_errors()).size(), 9u);
  EXPECT_EQ(numbers(Dataset::range(10).map(failing).prefetch(2).ignore_errors()).size(), 9u);
}

// A dataset without end is an element that no place can hold.
TEST(ParallelMapTest, ItsThreadsGoOnBehindASaveThatFails) {
  std::atomic<int> made = 0;
  const Dataset endless = Dataset::range(20).map(
      [&](std::int64_t) {
        ++made;
        return Dataset::counter();
      },
      {.num_parallel_calls = 2});
  Iterator iterator = endless.iterator();
  EXPECT_TRUE(iterator.next().has_value());
  while (made < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect_error(ErrorCode::kInvalidArgument, {"an infinite dataset"}, [&] { iterator.save(); });
  EXPECT_EQ(iterator.skip(100), 19);
}

TEST(ParallelMapTest, AConsumerMayLeaveAtAnyTime) {
  std::atomic<std::int64_t> made = 0;
  const Dataset endless = Dataset::counter()
                              .map(
                                  [&](std::int64_t v) {
                                    ++made;
                                    return v;
                                  },
                                  {.num_parallel_calls = 3})
                              .prefetch(4);
  for (std::int64_t taken = 0; taken < 20; ++taken) {
    {
      Iterator iterator = endless.iterator();
      EXPECT_EQ(iterator.skip(taken), taken);
    }
    const std::int64_t made_before_it_left = made;
    EXPECT_GE(made_before_it_left, taken);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(made, made_before_it_left) << "a thread works for an iterator that is gone";
  }
}

TEST(PrefetchTest, ReadsAheadNoFurtherThanItsBufferAndTheBudget) {
  std::atomic<std::int64_t> made = 0;
  const auto counted = Dataset::counter().map([&](std::int64_t) {
    ++made;
    return Tensor::zeros({1000});
  });
  const auto made_behind_one = [&](const Dataset& dataset) {
    made = 0;
    Iterator iterator = dataset.iterator();
    iterator.next();
    std::int64_t before = -1;
    while (before != made) {
      before = made;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return made.load();
  };
  EXPECT_EQ(made_behind_one(counted.prefetch(5)), 6);
  EXPECT_LE(made_behind_one(counted.prefetch(500).with_options({.memory_budget_bytes = 20'000})), 7);
  // All buffers together hold 50 elements; each may hold one more, and each thread one that has just come. A
  // budget for each buffer would be 150.
  const auto three =
      counted.prefetch(500).prefetch(500).map([](const Tensor& x) { return x; }, {.num_parallel_calls = 2});
  EXPECT_LE(made_behind_one(three.with_options({.memory_budget_bytes = 200'000})), 65);
  EXPECT_EQ(three.with_options({.memory_budget_bytes = 1}).take(300).to_vector().size(), 300U)
      << "no buffer starves";
}

TEST(PrefetchTest, ShuffleAndCacheLeaveTheOtherBuffersLess) {
  std::atomic<std::int64_t> made = 0;
  const auto row = [](std::int64_t) { return Tensor::zeros({1000}); };
  const auto count = [&](const Tensor& x) {
    ++made;
    return x;
  };
  const auto made_behind_one = [&](const Dataset& dataset) {
    made = 0;
    Iterator iterator = dataset.with_options({.memory_budget_bytes = 200'000}).iterator();
    iterator.next();
    std::int64_t before = -1;
    while (before != made) {
      before = made;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return made.load();
  };
  const Dataset rows = Dataset::counter().map(row);
  EXPECT_GE(made_behind_one(rows.map(count).shuffle(10, {.seed = 1}).prefetch(500)), 40)
      << "40 rows fit beside 10";
  EXPECT_LE(made_behind_one(rows.map(count).shuffle(100, {.seed = 1}).prefetch(500)), 105)
      << "the 100 fill the budget";
  const Dataset cached = rows.take(100).cache();
  EXPECT_LE(made_behind_one(cached.repeat().map(count).prefetch(500)), 104);
  cached.to_vector();
  EXPECT_LE(made_behind_one(cached.map(count).prefetch(500)), 5) << "what is kept counts in later passes";
  // Nothing stays counted: another pass of the same has as much room.
  EXPECT_GE(made_behind_one(rows.map(count).shuffle(10, {.seed = 1}).prefetch(500)), 40);
}

/// `count` elements of a number and a row of `size` floats of that value.
Dataset large_rows(std::int64_t count, std::int64_t size) {
  return Dataset::range(count).map([size](std::int64_t i) {
    return std::pair(
        Tensor::adopt({size}, std::vector<float>(static_cast<std::size_t>(size), static_cast<float>(i))), i);
  });
}

TEST(BatchTest, LargeRowsAreTheSameBatchesAsSmallOnes) {
  constexpr std::int64_t kLarge = 20'000;  // floats: above 64 KiB
  for (const bool drops : {false, true}) {
    const std::vector<Element> large = large_rows(10, kLarge).batch(4, {.drop_remainder = drops}).to_vector();
    const std::vector<Element> small = large_rows(10, 3).batch(4, {.drop_remainder = drops}).to_vector();
    ASSERT_EQ(large.size(), small.size());
    for (std::size_t b = 0; b < large.size(); ++b) {
      EXPECT_EQ(large[b][1].tensor().to_vector<std::int64_t>(),
                small[b][1].tensor().to_vector<std::int64_t>());
      const Tensor rows = large[b][0].tensor();
      ASSERT_EQ(rows.shape(), (Dims{small[b][0].tensor().shape()[0], kLarge}));
      for (std::int64_t i = 0; i < rows.num_elements(); ++i)
        ASSERT_EQ(rows.at(i), static_cast<double>(static_cast<std::int64_t>(4 * b) + i / kLarge));
    }
  }
}

TEST(BatchTest, LargeRowsOfOtherShapesAreRefusedAndRowsBehindAnErrorBeginABatch) {
  const auto growing = Dataset::range(5).map([](std::int64_t i) { return Tensor::zeros({20'000 + i / 2}); });
  Iterator iterator = growing.batch(3).iterator();
  EXPECT_NE(error_text_of([&] {
              iterator.next();
            }).find("component 0 of the first element has shape (20000,), of element 2 (20001,)"),
            std::string::npos);
  const auto failing = Dataset::range(7).map([](std::int64_t i) {
    if (i == 2) throw Error(ErrorCode::kDataLoss, "two");
    return Tensor::adopt({20'000}, std::vector<float>(20'000, static_cast<float>(i)));
  });
  Iterator behind = failing.batch(3).iterator();
  EXPECT_NE(error_text_of([&] { behind.next(); }).find("two"), std::string::npos);
  const Tensor next = behind.next()->tensor();
  EXPECT_EQ(next.at(0), 3);
  EXPECT_EQ(next.at(59'999), 5);
  EXPECT_EQ(behind.next()->tensor().shape(), (Dims{1, 20'000}));
}

// As in tf.data: a batch that fails takes with it what it had, and the next one begins behind what failed.
TEST(BatchTest, ElementsBehindOneThatFailsAreInTheNextBatch) {
  const Dataset mapped = failing_at(10, 1).batch(4);
  const Dataset filtered = Dataset::range(10)
                               .filter([](std::int64_t v) {
                                 if (v == 1) throw Error(ErrorCode::kDataLoss, "bad");
                                 return v != 3;
                               })
                               .batch(4);
  using Batches = std::vector<std::vector<std::int64_t>>;
  for (const auto& [dataset, wanted] : {std::pair(mapped, Batches{{2, 3, 4, 5}, {6, 7, 8, 9}}),
                                        {filtered, Batches{{2, 4, 5, 6}, {7, 8, 9}}}}) {
    Iterator ignoring = dataset.ignore_errors().iterator();
    Iterator iterator = dataset.iterator(), restored = dataset.iterator();
    EXPECT_EQ(error_text_of([&] { iterator.next(); }), "bad");
    restored.restore(iterator.save());
    for (Iterator* const one : {&ignoring, &iterator, &restored}) {
      Batches batches;
      while (const std::optional<Element> batch = one->next())
        batches.push_back(batch->tensor().to_vector<std::int64_t>());
      EXPECT_EQ(batches, wanted);
    }
  }
}

TEST(PaddedBatchTest, ATextShapeOfMoreElementsThanMemoryHoldsIsRefused) {
  const Dataset texts =
      Dataset::from_tensor_slices(Strings(Dims{2, 1, 1}, std::vector<std::string>{"a", "b"}));
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  for (const Dims& shape : {Dims{kFar, kFar}, Dims{kFar, 1 << 16}})
    expect_error(ErrorCode::kResourceExhausted, {"[padded_batch] an element of texts"},
                 [&] { texts.padded_batch(2, {.padded_shapes = {shape}}).to_vector(); });
  const Element padded = *texts.padded_batch(2, {.padded_shapes = {{1, 2}}}).begin();
  EXPECT_EQ(padded.strings().to_vector(), (std::vector<std::string>{"a", "", "b", ""}));
}

TEST(UnbatchTest, ABatchWhoseComponentsDifferInRowsIsLeftOut) {
  const Dataset batches = Dataset::range(1, {.start = -2}).map([](std::int64_t i) {
    const Tensor rows = Tensor::of<std::int64_t>({3}, {10 * i, 10 * i + 1, 10 * i + 2});
    return std::pair(rows, i == -1 ? rows.rows(0, 2) : rows);
  });
  std::vector<std::int64_t> first, second;
  for (const Element& pair : batches.unbatch().ignore_errors()) {
    first.push_back(pair[0].item<std::int64_t>());
    second.push_back(pair[1].item<std::int64_t>());
  }
  EXPECT_EQ(first, (std::vector<std::int64_t>{-20, -19, -18, 0, 1, 2}));
  EXPECT_EQ(second, first);
}

TEST(ZipTest, AnElementThatFailsLeavesTheOthersInStep) {
  using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const auto pairs_of = [](const Dataset& dataset) {
    Pairs pairs;
    for (const Element& element : dataset.ignore_errors())
      pairs.emplace_back(element[0].item<std::int64_t>(), element[1].item<std::int64_t>());
    return pairs;
  };
  const Pairs without_one = {{0, 0}, {2, 2}, {3, 3}};
  EXPECT_EQ(pairs_of(Dataset::zip({failing_at(4, 1), Dataset::range(4)})), without_one);
  EXPECT_EQ(pairs_of(Dataset::zip({Dataset::range(4), failing_at(4, 1)})), without_one);
  EXPECT_EQ(pairs_of(Dataset::zip({failing_at(4, 1), failing_at(4, 1)})), without_one);
  EXPECT_EQ(pairs_of(Dataset::zip({failing_at(4, 2), Dataset::range(2)})), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(pairs_of(failing_at(4, 1).enumerate(10)), (Pairs{{10, 0}, {12, 2}, {13, 3}}));
}

TEST(ZipTest, ACacheAsLongAsTheInputBeforeItIsKept) {
  int made = 0;
  const Dataset cached = Dataset::range(3)
                             .map([&](std::int64_t v) {
                               ++made;
                               return v;
                             })
                             .cache();
  const Dataset zipped = Dataset::zip({Dataset::range(3), cached});
  for (int pass = 0; pass < 2; ++pass) EXPECT_EQ(zipped.to_vector().size(), 3U);
  EXPECT_EQ(made, 3);
}

TEST(RepeatTest, HasNoEndThoughItsInputsLengthIsUnknown) {
  const Dataset odd = Dataset::range(4).filter([](std::int64_t v) { return v % 2 == 1; });
  EXPECT_EQ(odd.repeat().cardinality(), kInfiniteCardinality);
  EXPECT_EQ(odd.repeat().batch(2).cardinality(), kInfiniteCardinality);
  EXPECT_EQ(odd.repeat(2).cardinality(), kUnknownCardinality);
  EXPECT_THROW(odd.repeat().to_vector(), Error);
}

TEST(SkipTest, AnElementThatFailsCountsAsSkipped) {
  std::vector<std::int64_t> left;
  for (const Element& element : failing_at(6, 1).skip(3).ignore_errors())
    left.push_back(element.item<std::int64_t>());
  EXPECT_EQ(left, (std::vector<std::int64_t>{3, 4, 5}));
}

TEST(WindowTest, MoreElementsThanAnIntegerCountsAreAllThatThereAre) {
  const auto every_third = [](const WindowOptions& options) {
    return Dataset::range(7).window(std::int64_t{1} << 62, options).flat_map([](const Dataset& window) {
      return window;
    });
  };
  EXPECT_EQ(numbers(every_third({.stride = 3})), (std::vector<std::int64_t>{0, 3, 6}));
  EXPECT_EQ(numbers(every_third({.stride = 3, .drop_remainder = true})), (std::vector<std::int64_t>{}));
}

TEST(GroupTest, AWindowThatFailsDoesNotComeAgain) {
  std::vector<std::int64_t> sizes;  // of the windows
  const auto parity = [](std::int64_t v) { return v % 2; };
  const Dataset failing = Dataset::range(6).group_by_window(parity,
                                                            [&](std::int64_t key, const Dataset& window) {
                                                              sizes.push_back(window.cardinality());
                                                              if (key == 0)
                                                                throw Error(ErrorCode::kDataLoss, "zero");
                                                              return window;
                                                            },
                                                            {.window_size = 3});
  EXPECT_EQ(numbers(failing.ignore_errors()), (std::vector<std::int64_t>{1, 3, 5}));
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{3, 3}));
  sizes.clear();
  const Dataset without_size = Dataset::range(4).group_by_window(
      parity,
      [&](std::int64_t, const Dataset& window) {
        sizes.push_back(window.cardinality());
        return window;
      },
      {.window_size_func = [](std::int64_t key) { return key == 0 ? 2 : 0; }});
  EXPECT_EQ(numbers(without_size.ignore_errors()), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{2}));
}

TEST(CacheTest, GoesThroughItsInputOnce) {
  int made = 0;
  const Dataset cached = Dataset::range(5)
                             .map([&](std::int64_t v) {
                               ++made;
                               return v;
                             })
                             .cache();
  EXPECT_EQ(numbers(cached.take(3)).size(), 3u);  // no whole pass: nothing is kept
  EXPECT_EQ(numbers(cached), counting(5));
  EXPECT_EQ(numbers(cached.repeat(3)).size(), 15u);
  EXPECT_EQ(made, 3 + 5);
}

TEST(GeneratorTest, EachPassBeginsAnew) {
  const Dataset generated = Dataset::from_generator([] {
    return [n = std::int64_t{0}]() mutable { return n < 4 ? std::optional<Element>(n++) : std::nullopt; };
  });
  EXPECT_EQ(numbers(generated.repeat(2)), (std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(generated.cardinality(), kUnknownCardinality);
}

TEST(SampleTest, FollowsTheWeights) {
  const Dataset ones = Dataset::range(1).repeat(), twos = Dataset::range(2, {.start = 1}).repeat();
  const std::vector<std::int64_t> drawn =
      numbers(Dataset::sample_from_datasets({ones, twos}, {.weights = {0.25, 0.75}, .seed = 1}).take(4000));
  EXPECT_NEAR(static_cast<double>(std::count(drawn.begin(), drawn.end(), 1)), 3000, 120);
}

TEST(DatasetTest, ArgumentsAreCheckedWhenTheDatasetIsMade) {
  const Dataset d = Dataset::range(4);
  EXPECT_NE(error_text_of([&] { d.batch(0); }).find("batch_size must be at least 1"), std::string::npos);
  EXPECT_NE(error_text_of([&] { d.shuffle(0); }).find("buffer_size"), std::string::npos);
  EXPECT_NE(error_text_of([&] { d.shard(2, 2); }).find("index"), std::string::npos);
  EXPECT_NE(error_text_of([&] { Dataset::range(4, {.step = 0}); }).find("step"), std::string::npos);
  EXPECT_NE(error_text_of([&] { Dataset::from_tensor_slices({1, 2}); }).find("braces make a tuple"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              Dataset::from_tensor_slices({Tensor::zeros({2}), Tensor::zeros({3})});
            }).find("same number of rows"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              d.map([](const Tensor&, const Tensor& y) { return y; }).to_vector();
            }).find("takes 2 arguments"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] { Dataset::list_files("no/such/*.file"); }).find("no file matches"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              d.map([](std::int64_t n) { return Tensor::zeros({n}); }).batch(2).to_vector();
            }).find("component 0 of the first element has shape (0,), of element 1 (1,)"),
            std::string::npos);
}

TEST(DatasetTest, ExplainNamesTheStageThatTakesTheTime) {
  const std::string report = Dataset::range(50)
                                 .map([](std::int64_t v) {
                                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                   return v;
                                 })
                                 .batch(10)
                                 .explain(0.2);
  const std::size_t slowest = report.find("<- most of the time");
  ASSERT_NE(slowest, std::string::npos) << report;
  const std::string line = report.substr(report.rfind('\n', slowest) + 1);
  EXPECT_EQ(line.find("map"), line.find_first_not_of(' ')) << report;
}

TEST(ElementTest, BytesGiveTheElementBack) {
  const Element element({{"n", 7},
                         {"t", Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                         {"s", Strings({"a", "bc"})},
                         {"r", Ragged(Strings({"a", "bc"}), {0, 1, 2})},
                         {"d", Element(Dataset::range(2).stage())},
                         {"p", {1.5, Text("x")}}});
  const Element again = parse_element(element_bytes(element), "again");
  EXPECT_EQ(again.str(), element.str());
  EXPECT_EQ(again.type_str(), element.type_str());
  EXPECT_EQ(numbers(Dataset(again["d"].dataset())), counting(2));
}

TEST(ElementTest, BytesThatAreNoValueOfTheirTypeAreRefused) {
  std::vector<std::byte> boolean = element_bytes(Element(true));  // kind, dtype, the value's eight bytes
  boolean[2] = std::byte{2};
  expect_error(ErrorCode::kDataLoss, {"neither 0 nor 1"}, [&] { parse_element(boolean, "bytes"); });
  std::vector<std::byte> booleans = element_bytes(Element(Tensor::of<bool>({2}, {true, false})));
  booleans.back() = std::byte{0xff};
  expect_error(ErrorCode::kDataLoss, {"neither 0 nor 1"}, [&] { parse_element(booleans, "bytes"); });
  for (const auto& [dtype, message] :
       {std::pair(DType::kC128, "more than eight bytes"), std::pair(DType::kU4, "less than a byte")}) {
    std::vector<std::byte> number = element_bytes(Element(1.5));
    number[1] = static_cast<std::byte>(dtype);
    expect_error(ErrorCode::kDataLoss, {message}, [&] { parse_element(number, "bytes"); });
  }
}

TEST(MapTest, TracedFunctionsAreCompiledOnceForATypeOfElement) {
  const auto traced = function([](const Tensor& x, const Tensor& y) { return std::pair(x * 2 + y, y * y); });
  const Dataset rows = Dataset::from_tensor_slices(
      {Tensor::of<float>({5}, {1, 2, 3, 4, 5}), Tensor::of<float>({5}, {5, 4, 3, 2, 1})});
  for (const std::optional<std::int64_t> threads : {std::optional<std::int64_t>(), {2}}) {
    const std::vector<Element> batches =
        rows.batch(2).map(traced, {.num_parallel_calls = threads}).to_vector();
    ASSERT_EQ(batches.size(), 3U);
    EXPECT_EQ(batches[0][0].tensor().to_vector<float>(), (std::vector<float>{7, 8}));
    EXPECT_EQ(batches[2][1].tensor().to_vector<float>(), (std::vector<float>{1}));
  }
  EXPECT_EQ(traced.trace_count(), 2) << "of two rows, and of one";
  const auto is_large = function([](const Tensor& x, const Tensor& y) { return ops::greater(x, y); });
  EXPECT_EQ(rows.filter(is_large).to_vector().size(), 2U);
  EXPECT_EQ(is_large.trace_count(), 1);
  const auto sum = function([](const Tensor& state, const Tensor& x) { return state + x; });
  EXPECT_EQ(Dataset::range(5).reduce(Tensor::of<std::int64_t>({}, {10}), sum).item<int>(), 20);
}

TEST(IteratorTest, DoesNotGoBack) {
  Iterator iterator = Dataset::from_tensor_slices(std::vector<std::int64_t>{7, 8}).iterator();
  EXPECT_THROW(iterator.skip(-1), Error);
  EXPECT_EQ(iterator.skip(0), 0);
  EXPECT_EQ(iterator.next()->item<std::int64_t>(), 7);
}

TEST(IteratorTest, ADatasetIsNotGoneThroughWhileAFunctionIsTraced) {
  auto loop = function([](const Tensor& x) {
    Tensor sum = x;
    for (const Element& element : Dataset::range(3)) sum = sum + element.tensor();
    return sum;
  });
  expect_error(ErrorCode::kUnimplemented, {"next(iterator)"},
               [&] { loop(Tensor::of<std::int64_t>({}, {1})); });
}

}  // namespace
}  // namespace cornu::inline v0::data
