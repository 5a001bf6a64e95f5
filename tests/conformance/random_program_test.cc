#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/all.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/runtime/client.h"

// Random step programs on the CPU engine against the reference backend: what no hand-written case thinks of
// (ops that are fused with transposes of themselves, states that swap, values that several groups want, ...).
// Seeds are fixed and printed on failure.
namespace cornu::inline v0 {
namespace {

using ir::Dims;
using ir::Value;
using runtime::ArgumentKind;

class ProgramMaker {
 public:
  explicit ProgramMaker(std::uint32_t seed) : random_(seed) {}

  /// A step with a few states, fixed tensors, rows and a valid-rows argument, and random ops between them.
  void make() {
    function.name = "main";
    const std::vector<Dims> shapes = {{},      {5},       {7, 5},  {5, 7}, {21, 3},
                                      {3, 21}, {2, 7, 3}, {40, 6}, {1, 9}, {9, 1}};
    const std::size_t num_states = 1 + pick(4);
    std::vector<Value> states;
    for (std::size_t i = 0; i < num_states; ++i)
      states.push_back(argument({ir::DType::kF32, shapes[pick(shapes.size())]}, ArgumentKind::kState));
    // Two states of one type, so that results can swap.
    states.push_back(argument(states[0].type(), ArgumentKind::kState));
    for (int i = 0; i < 3; ++i)
      argument({ir::DType::kF32, shapes[pick(shapes.size())]}, ArgumentKind::kFixed);
    argument({ir::DType::kF32, {kBatch, 4}}, ArgumentKind::kRows);
    argument({ir::DType::kF32, {kBatch, 3}}, ArgumentKind::kRows);
    values_.push_back(
        ops::convert(b_, argument({ir::DType::kI32, {}}, ArgumentKind::kValidRows), ir::DType::kF32));
    const std::size_t num_ops = 5 + pick(40);
    for (std::size_t i = 0; i < num_ops; ++i) add_op();
    std::vector<Value> results;
    for (const Value& state : states) results.push_back(result_like(state));
    std::vector<Value> rows;
    for (const Value& v : values_)
      if (v.rank() >= 1 && v.dims()[0] == kBatch) rows.push_back(v);
    results.push_back(rows[pick(rows.size())]);
    function.body.set_results(results);
  }

  static constexpr std::int64_t kBatch = 6;
  ir::Function function;
  std::vector<ArgumentKind> kinds;

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }

  Value argument(ir::TensorType type, ArgumentKind kind) {
    kinds.push_back(kind);
    const Value v = function.body.add_argument(std::move(type));
    if (kind != ArgumentKind::kValidRows) values_.push_back(v);
    return v;
  }

  Value any() {
    return values_[pick(3) == 0 ? pick(values_.size())
                                : values_.size() - 1 - pick(std::min<std::size_t>(values_.size(), 6))];
  }

  /// Any value of the same shape, else a broadcast scalar.
  Value like(const Value& v) {
    std::vector<Value> fits;
    for (const Value& w : values_)
      if (w.dims() == v.dims()) fits.push_back(w);
    if (!fits.empty() && pick(4) != 0) return fits[pick(fits.size())];
    return ops::full(b_, v.type(), 0.5);
  }

  Value bounded(Value v) { return ops::tanh(b_, v); }

  void add_op() {
    const Value y = made_of(any());
    if (y && y.type().num_elements() <= 4000) values_.push_back(y);
  }

  /// x through an op, or a few; an empty Value where the kind that was drawn does not suit x.
  Value made_of(const Value& x) {
    switch (pick(20)) {
      case 0: return ops::tanh(b_, x);
      case 1: return ops::exponential(b_, bounded(x));
      case 2: return ops::negate(b_, x);
      case 3:
      case 4: return ops::add(b_, x, like(x));
      case 5: return ops::multiply(b_, bounded(x), like(x));
      case 6: return ops::maximum(b_, x, like(x));
      case 7: return ops::select(b_, ops::compare(b_, x, like(x), ops::ComparisonDirection::kLt), x, like(x));
      case 8: return transposed(x);
      case 9: return reduced(x);
      case 10: return times_matrix(x);
      case 11: return broadcast(x);
      case 12: return reshaped(x);
      case 13: return strided_or_reversed(x);
      case 14: return joined_cut_or_padded(x);
      case 16: return looped(x);
      case 17: return branched(x);
      case 18: return rounded(x);
      case 19: return updated(x);
      default: return plus_ramp(x);
    }
  }

  Value transposed(const Value& x) {
    if (x.rank() < 2) return {};
    Dims permutation(static_cast<std::size_t>(x.rank()));
    for (std::size_t d = 0; d < permutation.size(); ++d)
      permutation[d] = static_cast<std::int64_t>(permutation.size() - 1 - d);
    const Value y = ops::transpose(b_, x, permutation);
    return y.dims() == x.dims() || pick(2) == 0 ? ops::multiply(b_, y, like(y)) : y;
  }

  Value reduced(const Value& x) {
    if (x.rank() == 0) return {};
    const Dims dims = pick(2) == 0 ? Dims{static_cast<std::int64_t>(pick(static_cast<std::size_t>(x.rank())))}
                                   : all_dimensions(x);
    const Value y = pick(2) == 0 ? ops::reduce_sum(b_, x, dims) : ops::reduce_max(b_, x, dims);
    if (dims.size() != 1 || pick(2) != 0) return y;
    Dims kept;  // back to the old shape, as softmax does
    for (std::int64_t d = 0; d < x.rank(); ++d)
      if (d != dims[0]) kept.push_back(d);
    return ops::subtract(b_, x, ops::broadcast_in_dim(b_, y, x.dims(), kept));
  }

  /// The product of x, or of x transposed, with another matrix.
  Value times_matrix(const Value& x) {
    if (x.rank() != 2) return {};
    std::vector<Value> fits;
    for (const Value& w : values_)
      if (w.rank() == 2 && (w.dims()[0] == x.dims()[1] || w.dims()[0] == x.dims()[0])) fits.push_back(w);
    if (fits.empty()) return {};
    const Value w = fits[pick(fits.size())];
    return w.dims()[0] == x.dims()[1] ? ops::matmul(b_, bounded(x), bounded(w))
                                      : ops::matmul(b_, ops::transpose(b_, bounded(x), {1, 0}), bounded(w));
  }

  Value broadcast(const Value& x) {
    if (x.rank() == 0) return ops::broadcast_in_dim(b_, x, {7, 5}, {});
    return x.rank() == 1 ? ops::broadcast_in_dim(b_, x, {4, x.dims()[0]}, {1}) : Value();
  }

  /// Flat, or with its dimensions in the opposite order.
  Value reshaped(const Value& x) {
    if (x.rank() < 2) return {};
    Dims dims = x.dims();
    return pick(2) == 0 ? ops::reshape(b_, x, {x.type().num_elements()})
                        : ops::reshape(b_, x, Dims(dims.rbegin(), dims.rend()));
  }

  Value strided_or_reversed(const Value& x) {
    if (x.rank() == 0 || x.dims()[0] < 4) return {};
    Dims start(static_cast<std::size_t>(x.rank()), 0), strides(start.size(), 1);
    start[0] = 1;
    strides[0] = 2;
    return pick(2) == 0 ? ops::slice(b_, x, start, x.dims(), strides) : ops::reverse(b_, x, {0});
  }

  Value joined_cut_or_padded(const Value& x) {
    if (x.rank() == 0) return {};
    const Dims none(static_cast<std::size_t>(x.rank()), 0), one(none.size(), 1);
    switch (pick(3)) {
      case 0: return ops::concatenate(b_, {x, x}, 0);
      case 1: return ops::dynamic_slice(b_, x, starts(x), halves(x));
      default:
        return ops::pad(b_, x, ops::scalar(b_, ir::DType::kF32, 0.5), one, pick(2) == 0 ? one : none,
                        pick(2) == 0 ? one : none);
    }
  }

  /// Rounded to a half and back.
  Value rounded(const Value& x) {
    const ir::DType half = pick(2) == 0 ? ir::DType::kF16 : ir::DType::kBF16;
    const Value h = ops::convert(b_, bounded(x), half);
    return ops::convert(b_, pick(2) == 0 ? ops::negate(b_, h) : ops::maximum(b_, h, h), ir::DType::kF32);
  }

  Value plus_ramp(const Value& x) {
    const Value ramp =
        x.rank() == 0
            ? ops::scalar(b_, ir::DType::kF32, 1)
            : ops::iota(b_, x.type(), static_cast<std::int64_t>(pick(static_cast<std::size_t>(x.rank()))));
    return ops::add(b_, x, ramp);
  }

  /// A loop of a few passes over two carried values that swap, and what it captures.
  Value looped(const Value& x) {
    const Value other = like(x), captured = bounded(x);
    const double passes = static_cast<double>(pick(4));
    const bool swaps = pick(2) == 0, nested = pick(3) == 0;
    const std::vector<Value> out = ops::while_(
        b_, {ops::scalar(b_, ir::DType::kI32, 0), x, other},
        [&](ir::Builder& c, std::span<const Value> v) {
          return ops::compare(c, v[0], ops::scalar(c, ir::DType::kI32, passes),
                              ops::ComparisonDirection::kLt);
        },
        [&](ir::Builder& c, std::span<const Value> v) -> std::vector<Value> {
          const Value next = ops::tanh(c, ops::add(c, v[1], captured));
          const Value chosen = nested ? ops::if_(
                                            c,
                                            ops::compare(c, v[0], ops::scalar(c, ir::DType::kI32, 1),
                                                         ops::ComparisonDirection::kLt),
                                            [&](ir::Builder&) -> std::vector<Value> { return {v[2]}; },
                                            [&](ir::Builder& d) -> std::vector<Value> {
                                              return {ops::multiply(d, v[2], next)};
                                            })[0]
                                      : v[2];
          const Value i = ops::add(c, v[0], ops::scalar(c, ir::DType::kI32, 1));
          return swaps ? std::vector<Value>{i, chosen, next} : std::vector<Value>{i, next, chosen};
        });
    return out[1 + pick(2)];
  }

  Value branched(const Value& x) {
    const Value other = like(x);
    const Value sum = x.rank() == 0 ? x : ops::reduce_sum(b_, x, all_dimensions(x));
    const Value positive =
        ops::compare(b_, sum, ops::full(b_, sum.type(), 0.3), ops::ComparisonDirection::kGt);
    return ops::if_(
        b_, positive,
        [&](ir::Builder& c) -> std::vector<Value> { return {ops::multiply(c, other, ops::tanh(c, x))}; },
        [&](ir::Builder&) -> std::vector<Value> { return {other}; })[0];
  }

  /// Part of x written over, at a place that is clamped; or rows of x gathered and added to others.
  Value updated(const Value& x) {
    if (x.rank() == 0) return {};
    if (pick(2) == 0)
      return ops::dynamic_update_slice(b_, x, ops::dynamic_slice(b_, x, starts(x), halves(x)), starts(x));
    const std::int64_t n = x.dims()[0];
    const Value ids = ops::remainder(
        b_,
        ops::multiply(b_, ops::iota(b_, {ir::DType::kI32, {6}}, 0), ops::full(b_, {ir::DType::kI32, {6}}, 5)),
        ops::full(b_, {ir::DType::kI32, {6}}, static_cast<double>(n + 1)));
    const Value rows = ops::gather_rows(b_, x, ids);
    const Value base = pick(2) == 0 ? ops::full(b_, x.type(), 0) : x;
    return ops::scatter_add_rows(b_, base, ids, bounded(rows));
  }

  static Dims all_dimensions(const Value& x) {
    Dims dims;
    for (std::int64_t d = 0; d < x.rank(); ++d) dims.push_back(d);
    return dims;
  }
  static Dims halves(const Value& x) {
    Dims dims = x.dims();
    for (std::int64_t& d : dims) d = (d + 1) / 2;
    return dims;
  }
  std::vector<Value> starts(const Value& x) {
    std::vector<Value> out;
    for (std::int64_t d = 0; d < x.rank(); ++d)
      out.push_back(ops::scalar(b_, ir::DType::kI32, static_cast<double>(d)));
    return out;
  }

  Value result_like(const Value& state) {
    std::vector<Value> fits;
    for (const Value& w : values_)
      if (w.type() == state.type()) fits.push_back(w);
    return fits[pick(2) == 0 ? fits.size() - 1 : pick(fits.size())];
  }

  std::mt19937 random_;
  ir::Builder b_{function.body};
  std::vector<Value> values_;
};

struct Outcome {
  std::vector<ir::Literal> state;
  std::vector<float> output;
};

Outcome run_program(runtime::Client& client, const ProgramMaker& maker, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  runtime::StepProgram program{&maker.function, maker.kinds, "random"};
  const std::unique_ptr<runtime::Executable> executable = client.compile(program);
  constexpr std::int64_t kSteps = 3, kRows = 10;
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state, fixed;
  std::vector<std::vector<float>> data;
  std::vector<const std::byte*> rows;
  for (std::size_t i = 0; i < maker.kinds.size(); ++i) {
    ir::TensorType type = maker.function.body.arguments()[i].type();
    if (maker.kinds[i] == ArgumentKind::kValidRows) continue;
    if (maker.kinds[i] == ArgumentKind::kRows) type.dims[0] = kRows;
    data.emplace_back(static_cast<std::size_t>(type.num_elements()));
    for (float& x : data.back()) x = uniform(random);
    if (maker.kinds[i] == ArgumentKind::kRows) continue;
    owned.push_back(client.allocate(type));
    owned.back()->copy_from_host(data.back().data());
    (maker.kinds[i] == ArgumentKind::kState ? state : fixed).push_back(owned.back().get());
  }
  rows = {reinterpret_cast<const std::byte*>(data[data.size() - 2].data()),
          reinterpret_cast<const std::byte*>(data.back().data())};
  std::vector<std::int64_t> indices(static_cast<std::size_t>(kSteps * ProgramMaker::kBatch));
  for (std::int64_t& i : indices) i = static_cast<std::int64_t>(random() % kRows);
  Outcome out;
  const ir::TensorType output_type = maker.function.body.results().back().type();
  out.output.resize(static_cast<std::size_t>(output_type.num_elements() * kSteps));
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(out.output.data())};
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  replica.rows = rows;
  replica.row_indices = indices.data();
  replica.num_rows = kSteps * ProgramMaker::kBatch - 2;
  replica.outputs = outputs;
  EXPECT_EQ(executable->run(replica, kSteps), kSteps);
  for (runtime::Buffer* buffer : state) {
    out.state.emplace_back(buffer->type());
    buffer->copy_to_host(out.state.back().mutable_bytes().data());
  }
  return out;
}

TEST(RandomProgramTest, CpuEqualsReference) {
  const auto reference = runtime::make_client("reference");
  std::vector<std::shared_ptr<runtime::Client>>
      cpus;  // one of these at a time; the bits do not depend on the threads
  for (const int threads : {1, 2, 3, 8, 16})
    cpus.push_back(runtime::make_client("cpu", {.num_threads = threads}));
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ProgramMaker maker(seed);
    maker.make();
    ir::verify(maker.function);
    const Outcome expected = run_program(*reference, maker, seed);
    const Outcome actual = run_program(*cpus[seed % cpus.size()], maker, seed);
    for (std::size_t i = 0; i < expected.state.size(); ++i)
      ASSERT_EQ(ops::compare_literals(actual.state[i], expected.state[i], 20), "")
          << "state " << i << "\n"
          << ir::to_stablehlo(maker.function);
    const auto n = static_cast<std::int64_t>(expected.output.size());
    ASSERT_EQ(ops::compare_literals(ir::Literal::of<float>({n}, std::span<const float>(actual.output)),
                                    ir::Literal::of<float>({n}, std::span<const float>(expected.output)), 20),
              "")
        << ir::to_stablehlo(maker.function);
  }
}

}  // namespace
}  // namespace cornu::inline v0
