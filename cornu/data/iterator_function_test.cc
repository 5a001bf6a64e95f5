// Tests of next(iterator) in traced functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/data/dataset.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::data {
namespace {

Tensor number(std::int64_t value) { return Tensor::of<std::int64_t>({}, {value}); }
Tensor count_of(std::int32_t value) { return Tensor::of<std::int32_t>({}, {value}); }

/// Appends the next digit: 0, 1, 2 become 1012 after "1".
Tensor append(const Tensor& digits, const Element& next_digit) { return digits * 10 + next_digit.tensor(); }

/// Takes `count` digits in one call.
auto digits_function() {
  return function([](Iterator iterator, const Tensor& count) {
    return fori_loop(
        0, count, [&](const Tensor&, const Tensor& digits) { return append(digits, next(iterator)); },
        number(1));
  });
}

std::int64_t num_lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(IteratorFunctionTest, EachCallTakesTheNextElement) {
  const auto step = function([](Iterator iterator) { return next(iterator).tensor() + 0; });
  for (int pass = 0; pass < 2; ++pass) {
    const Iterator iterator = Dataset::range(3).iterator();
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(step(iterator).item<std::int64_t>(), i);
    expect_error(ErrorCode::kOutOfRange, {"[function]", "at its end", "repeat()"}, [&] { step(iterator); });
  }
  EXPECT_EQ(step.trace_count(), 1);
}

TEST(IteratorFunctionTest, OutsideOfFunctionsElementsAreTakenAtOnce) {
  const Iterator iterator = Dataset::range(2).iterator();
  EXPECT_EQ(next(iterator).item<int>(), 0);
  EXPECT_EQ(next(iterator).item<int>(), 1);
  expect_error(ErrorCode::kOutOfRange, {"[next]", "at its end"}, [&] { next(iterator); });
}

TEST(IteratorFunctionTest, ALoopTakesOneInEachIterationAndAFewProgramsServeAllCounts) {
  const auto digits = digits_function();
  const Iterator iterator = Dataset::range(9).repeat().iterator();
  EXPECT_EQ(digits(iterator, count_of(5)).item<std::int64_t>(), 101234);
  EXPECT_EQ(num_lines(digits.pretty_printed_signatures()), 1);
  EXPECT_EQ(digits(iterator, count_of(6)).item<std::int64_t>(), 1567801);  // stacks of 8
  EXPECT_EQ(digits(iterator, count_of(8)).item<std::int64_t>(), 123456780);
  EXPECT_EQ(digits(iterator, count_of(4)).item<std::int64_t>(), 11234);  // of 5
  EXPECT_EQ(digits(iterator, count_of(0)).item<std::int64_t>(), 1);
  EXPECT_EQ(digits(iterator, count_of(3)).item<std::int64_t>(), 1567);
  EXPECT_EQ(digits.trace_count(), 1);
  EXPECT_EQ(num_lines(digits.pretty_printed_signatures()), 2) << digits.pretty_printed_signatures();
  EXPECT_NE(digits.pretty_printed_signatures().find("up to 8 elements a call"), std::string::npos)
      << digits.pretty_printed_signatures();
}

TEST(IteratorFunctionTest, ElementsAreTakenInTheOrderOfTheProgram) {
  const auto run = function([](Iterator a, Iterator b, const Tensor& count) {
    Tensor digits = append(number(0), next(a));
    digits = fori_loop(
        1, count + 1,
        [&](const Tensor&, const Tensor& outer) {
          const Tensor with_first = append(outer, next(b));
          return fori_loop(
              0, 2, [&](const Tensor&, const Tensor& inner) { return append(inner, next(a)); }, with_first);
        },
        digits);
    return append(append(digits, next(a)), next(b));
  });
  const Iterator a = Dataset::range(0, {.start = 9, .step = -1}).iterator(), b = Dataset::range(9).iterator();
  EXPECT_EQ(run(a, b, count_of(2)).item<std::int64_t>(), 908716542);
}

TEST(IteratorFunctionTest, ScanTakesOneAStep) {
  const auto run = function([](Iterator iterator, const Tensor& xs) {
    return scan(
        [&](const Tensor& carry, const Tensor& x) {
          const Tensor sum = carry + x * next(iterator).tensor();
          return std::pair(sum, sum);
        },
        number(0), xs);
  });
  const auto [last, all] =
      run(Dataset::range(10).iterator(), Tensor::of<std::int64_t>({4}, {1, 10, 100, 1000}));
  EXPECT_EQ(last.item<std::int64_t>(), 3210);
  EXPECT_EQ(all.to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 10, 210, 3210}));
}

TEST(IteratorFunctionTest, WhatACallCannotHaveInFullIsStillThere) {
  const auto digits = digits_function();
  Iterator iterator = Dataset::range(7).iterator();
  EXPECT_EQ(digits(iterator, count_of(3)).item<std::int64_t>(), 1012);
  for (int twice = 0; twice < 2; ++twice)
    expect_error(ErrorCode::kOutOfRange, {"[function]", "takes 5 elements", "4 are left", "Nothing was run"},
                 [&] { digits(iterator, count_of(5)); });
  EXPECT_EQ(iterator.read_ahead(5), 4);
  EXPECT_EQ(digits(iterator, count_of(3)).item<std::int64_t>(), 1345);
  EXPECT_EQ(iterator.next()->item<int>(), 6);
  EXPECT_EQ(iterator.read_ahead(5), 0);
  EXPECT_EQ(digits(iterator, count_of(0)).item<std::int64_t>(), 1);
  expect_error(ErrorCode::kOutOfRange, {"at its end", "takes 2 elements"},
               [&] { digits(iterator, count_of(2)); });
  EXPECT_EQ(digits.trace_count(), 1);

  std::vector<std::int64_t> results;
  Iterator later = Dataset::range(7).iterator();
  while (const std::int64_t count = later.read_ahead(3))
    results.push_back(digits(later, Tensor(number(count))).item<std::int64_t>());
  EXPECT_EQ(results, (std::vector<std::int64_t>{1012, 1345, 16}));
  expect_error(ErrorCode::kOutOfRange, {"[next]", "empty"},
               [&] { digits(Dataset::range(0).iterator(), count_of(1)); });
}

TEST(IteratorFunctionTest, AnElementOfAnotherTypeEndsACall) {
  const auto total = function([](Iterator iterator, const Tensor& count) {
    return fori_loop(
        0, count,
        [&](const Tensor&, const Tensor& sum) { return sum * 100 + ops::sum(next(iterator).tensor()); },
        number(0));
  });
  Iterator iterator = Dataset::range(10).batch(4).iterator();
  expect_error(ErrorCode::kInvalidArgument,
               {"takes 3 elements, of which 2 are", "(4,)", "the next is", "(2,)", "drop_remainder"},
               [&] { total(iterator, count_of(3)); });
  std::vector<std::int64_t> results;
  while (const std::int64_t count = iterator.read_ahead(3))
    results.push_back(total(iterator, number(count)).item<std::int64_t>());
  EXPECT_EQ(results, (std::vector<std::int64_t>{622, 17}));
  EXPECT_EQ(total.trace_count(), 3) << "two types, and a count of i64";
}

TEST(IteratorFunctionTest, StructuresKeepTheirNames) {
  const auto both = function([](Iterator iterator) {
    const Element element = next(iterator);
    return element["x"].tensor() * 100 + element["y"][1].tensor() * 10 + element["y"][0].tensor();
  });
  const Dataset digits = Dataset::range(3);
  const auto named = [&](const char* first, const char* second) {
    return digits.map([=](std::int64_t i) {
      return Element({{first, Element(i)}, {second, Element({Element(i + 1), Element(i + 2)})}});
    });
  };
  const Iterator iterator = named("x", "y").iterator();
  EXPECT_EQ(both(iterator).item<std::int64_t>(), 21);
  EXPECT_EQ(both(iterator).item<std::int64_t>(), 132);
  expect_error(ErrorCode::kInvalidArgument, {"\"x\""}, [&] { both(named("a", "y").iterator()); });
  expect_error(ErrorCode::kInvalidArgument, {"[next]", "programs take numbers", "string"},
               [&] { both(digits.map([](std::int64_t) { return std::string("text"); }).iterator()); });
}

TEST(IteratorFunctionTest, HowManyMustBeKnownBeforeTheProgramRuns) {
  const auto expect_refused = [](ErrorCode code, const std::vector<std::string>& parts, auto f) {
    Iterator iterator = Dataset::range(5).iterator();
    const auto refused = function(f);
    expect_error(code, parts, [&] { refused(iterator, count_of(2)); });
    EXPECT_EQ(iterator.next()->template item<int>(), 0) << "nothing was taken";
  };
  expect_refused(ErrorCode::kUnimplemented, {"[next]", "a branch of cond", "outside"},
                 [](Iterator iterator, const Tensor& count) {
                   return cond(
                       ops::greater(count, 1), [&] { return next(iterator).tensor(); },
                       [] { return number(0); });
                 });
  expect_refused(ErrorCode::kUnimplemented, {"[next]", "the body of while_loop", "fori_loop"},
                 [](Iterator iterator, const Tensor&) {
                   return while_loop([](const Tensor& x) { return ops::less(x, 3); },
                                     [&](const Tensor& x) { return x + next(iterator).tensor(); }, number(0));
                 });
  const Variable bound(Tensor::of<std::int32_t>({}, {3}), {.name = "bound", .trainable = false});
  expect_refused(
      ErrorCode::kInvalidArgument, {"[next]", "a variable"}, [&](Iterator iterator, const Tensor&) {
        return fori_loop(
            0, bound + 1, [&](const Tensor&, const Tensor& x) { return x + next(iterator).tensor(); },
            number(0));
      });
  expect_refused(ErrorCode::kInvalidArgument, {"[next]", "an element"}, [](Iterator iterator, const Tensor&) {
    return fori_loop(
        0, next(iterator).tensor(),
        [&](const Tensor&, const Tensor& x) { return x + next(iterator).tensor(); }, number(0));
  });
  expect_refused(ErrorCode::kInvalidArgument, {"[next]", "inside another loop"},
                 [](Iterator iterator, const Tensor& count) {
                   fori_loop(0, count, [&](const Tensor& i) {
                     fori_loop(0, i, [&](const Tensor&) { next(iterator); });
                   });
                 });
}

TEST(IteratorFunctionTest, MoreThanMemoryHoldsIsRefusedBeforeItIsRead) {
  std::int64_t made = 0;
  const Dataset endless = Dataset::counter().map([&](std::int64_t) {
    ++made;
    return Tensor::zeros({1'000'000});
  });
  const auto run = function([](Iterator iterator, const Tensor& count) {
    return fori_loop(
        0, count, [&](const Tensor&, const Tensor& sum) { return sum + ops::sum(next(iterator).tensor()); },
        Tensor(0.0f));
  });
  const Iterator iterator = endless.iterator();
  EXPECT_EQ(run(iterator, count_of(2)).item<float>(), 0);
  const std::int64_t before = made;
  try {
    run(iterator, count_of(2'000'000'000));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
    EXPECT_NE(std::string_view(error.what()).find("loop over fewer"), std::string_view::npos) << error.what();
  }
  EXPECT_LE(made, before + 1);
}

TEST(IteratorFunctionTest, BoundsMayBeComputedFromArguments) {
  const auto run = function([](Iterator iterator, const Tensor& count) {
    const Tensor twice = ops::maximum(count * 2, 1);
    return fori_loop(
        count, twice, [&](const Tensor&, const Tensor& digits) { return append(digits, next(iterator)); },
        number(1));
  });
  const Iterator iterator = Dataset::range(10).iterator();
  EXPECT_EQ(run(iterator, count_of(3)).item<std::int64_t>(), 1012);
  EXPECT_EQ(run(iterator, count_of(0)).item<std::int64_t>(), 13);
  EXPECT_EQ(run(iterator, count_of(-5)).item<std::int64_t>(), 1456789);
}

TEST(IteratorFunctionTest, ACapturedIteratorIsRefused) {
  Iterator iterator = Dataset::range(3).iterator();
  const auto step = function([&](const Tensor& x) { return x + next(iterator).tensor(); });
  expect_error(ErrorCode::kFailedPrecondition, {"[next]", "not an argument", "f(iterator)"},
               [&] { step(number(1)); });
  EXPECT_EQ(iterator.next()->item<int>(), 0);
}

TEST(IteratorFunctionTest, FunctionsInsideAndIteratorsTwiceAreOneIterator) {
  const auto inner = function([](Iterator iterator) { return next(iterator).tensor(); });
  const auto outer = function([&](Iterator a, Iterator b) {
    const Tensor first = inner(a), second = inner(b);
    return first * 100 + second * 10 + next(a).tensor();
  });
  const Iterator iterator = Dataset::range(10).iterator(), other = Dataset::range(10).iterator();
  EXPECT_EQ(outer(iterator, iterator).item<std::int64_t>(), 12);
  EXPECT_EQ(outer(iterator, other).item<std::int64_t>(), 304);
  EXPECT_EQ(outer(iterator, iterator).item<std::int64_t>(), 567);
  EXPECT_EQ(outer.trace_count(), 2);
}

TEST(IteratorFunctionTest, AFailingTraceTakesNothing) {
  Iterator iterator = Dataset::range(3).iterator();
  bool fails = true;
  const auto step = function([&](Iterator from) {
    const Tensor x = next(from).tensor() + 0;
    if (fails) throw std::runtime_error("no");
    return x;
  });
  EXPECT_THROW(step(iterator), std::runtime_error);
  fails = false;
  EXPECT_EQ(step(iterator).item<std::int64_t>(), 0);
}

TEST(IteratorFunctionTest, PlacesKeepWhatWasReadAhead) {
  const Dataset dataset = Dataset::range(100).shuffle(20, {.seed = 3}).batch(3);
  Iterator iterator = dataset.iterator();
  const std::vector<std::byte> before = iterator.save();
  EXPECT_EQ(iterator.read_ahead(4), 4);
  const std::vector<std::byte> ahead = iterator.save();
  iterator.skip(2);
  const std::vector<std::byte> behind = iterator.save();
  const std::string wanted = next(iterator).str() + next(iterator).str();
  for (const auto& [place, skipped] : {std::pair(before, 2), std::pair(ahead, 2), std::pair(behind, 0)}) {
    Iterator later = dataset.iterator();
    later.read_ahead(1);
    later.restore(place);
    EXPECT_EQ(later.skip(skipped), skipped);
    EXPECT_EQ(next(later).str() + next(later).str(), wanted);
  }
  EXPECT_EQ(iterator.skip(1000), 34 - 4);
}

TEST(IteratorFunctionTest, ATapeOutsideSeesTheCall) {
  const Variable slope(Tensor(3.0f), {.name = "slope"});
  const auto loss = function([&](Iterator iterator, const Tensor& count) {
    return fori_loop(
        0, count,
        [&](const Tensor&, const Tensor& sum) { return sum + ops::square(slope * next(iterator).tensor()); },
        Tensor(0.0f));
  });
  const Iterator iterator =
      Dataset::from_tensor_slices(Tensor::of<float>({6}, {1, 2, 3, 4, 5, 6})).iterator();
  for (const float squares : {1.0f + 4 + 9, 16.0f + 25 + 36}) {
    GradientTape tape;
    const Tensor value = loss(iterator, count_of(3));
    EXPECT_EQ(value.item<float>(), 9 * squares);
    EXPECT_EQ(tape.gradient(value, std::vector<Variable>{slope})[0].item<float>(), 6 * squares);
  }
}

TEST(IteratorFunctionTest, ElementsMayComeFromThreadsThatReadWhatTheCallWrites) {
  const Variable total(Tensor(0.0F), {.name = "total"});
  const auto make = [&] {
    return [&]() -> std::optional<Element> {
      float now = 0;
      std::thread([&] { now = total.value().item<float>(); }).join();
      return Element(Tensor(now + 1));
    };
  };
  const Iterator iterator = Dataset::from_generator(make).iterator();
  const auto step = function([&](Iterator elements) {
    total.assign_add(next(elements).tensor() + next(elements).tensor());
    return total.value();
  });
  for (const float least : {1.0F, 2.0F, 3.0F}) {
    const GradientTape tape;  // records the values that the call runs on
    EXPECT_GE(step(iterator).item<float>(), least);
  }
}

}  // namespace
}  // namespace cornu::inline v0::data
