#include "cornu/keras/initializers/initializers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {
namespace {

struct Statistics {
  double mean = 0;
  double stddev = 0;
  double largest = 0;
};

Statistics statistics_of(const ir::Literal& literal) {
  Statistics result;
  double squares = 0;
  const auto count = static_cast<double>(literal.type().num_elements());
  for (const float value : literal.data<float>()) {
    result.mean += value / count;
    squares += static_cast<double>(value) * value / count;
    result.largest = std::max(result.largest, std::fabs(static_cast<double>(value)));
  }
  result.stddev = std::sqrt(squares - result.mean * result.mean);
  return result;
}

TEST(InitializersTest, NoBitDependsOnTheRoundingModeOfTheCaller) {
  struct RoundingMode {
    explicit RoundingMode(int mode) { std::fesetround(mode); }
    ~RoundingMode() { std::fesetround(FE_TONEAREST); }
  };
  const auto made = [](DType dtype) {
    using namespace initializers;
    std::vector<Tensor> values;
    for (const InitializerHandle& each : std::vector<InitializerHandle>{
             RandomUniform({.minval = -0.1, .maxval = 0.3, .seed = 1}), RandomNormal({.seed = 2}),
             TruncatedNormal({.seed = 3}), Orthogonal({.gain = 0.7, .seed = 4}), GlorotUniform({.seed = 5}),
             GlorotNormal({.seed = 6}), HeNormal({.seed = 7}), Constant(0.1), Identity({.gain = 0.1}),
             VarianceScaling({.scale = 0.3, .distribution = "untruncated_normal", .seed = 8})})
      values.push_back(each({12, 12}, dtype));
    return values;
  };
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kBF16}) {
    const std::vector<Tensor> expected = made(dtype);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const RoundingMode rounding(mode);
      const std::vector<Tensor> found = made(dtype);
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(found[i].literal() == expected[i].literal()) << i << " in mode " << mode;
    }
  }
}

TEST(InitializersTest, RandomOnesHaveKerasLimitsAndSpread) {
  struct Case {
    InitializerSpec spec;
    double stddev;
    double limit;  // of the absolute value; 0: none
  };
  const initializers::SeedOptions seed = {.seed = 5};
  const double fan_in = 300;
  const double fan_out = 200;
  const auto uniform = [](double variance) {
    return std::pair(std::sqrt(variance), std::sqrt(3 * variance));
  };
  const auto [glorot_stddev, glorot_limit] = uniform(2 / (fan_in + fan_out));
  const auto [he_stddev, he_limit] = uniform(2 / fan_in);
  const auto [lecun_stddev, lecun_limit] = uniform(1 / fan_in);
  constexpr double kTruncated = 2 / 0.87962566103423978;
  const std::vector<Case> cases = {
      {initializers::GlorotUniform(seed), glorot_stddev, glorot_limit},
      {initializers::GlorotNormal(seed), glorot_stddev, glorot_stddev * kTruncated},
      {initializers::HeUniform(seed), he_stddev, he_limit},
      {initializers::HeNormal(seed), he_stddev, he_stddev * kTruncated},
      {initializers::LecunUniform(seed), lecun_stddev, lecun_limit},
      {initializers::LecunNormal(seed), lecun_stddev, lecun_stddev * kTruncated},
      {initializers::RandomUniform({.seed = 5}), 0.1 / std::sqrt(12), 0.05},
      {initializers::RandomNormal({.seed = 5}), 0.05, 0},
      {initializers::TruncatedNormal({.seed = 5}), 0.05 * 0.87962566103423978, 0.1},
      {initializers::VarianceScaling(
           {.scale = 3, .mode = "fan_out", .distribution = "untruncated_normal", .seed = 5}),
       std::sqrt(3 / fan_out), 0},
  };
  for (const Case& row : cases) {
    const auto initializer = row.spec.get();
    const Statistics found = statistics_of((*initializer)({300, 200}, DType::kF32));
    EXPECT_NEAR(found.mean / row.stddev, 0, 0.02) << initializer->class_name();
    EXPECT_NEAR(found.stddev / row.stddev, 1, 0.01) << initializer->class_name();
    if (row.limit > 0) {
      EXPECT_LE(found.largest, row.limit * (1 + 1e-6)) << initializer->class_name();
      EXPECT_GE(found.largest, row.limit * 0.99) << initializer->class_name();
    }
  }
}

TEST(InitializersTest, AxesOfInputsAndOutputsGiveTheVariance) {
  const std::optional<Dims> inputs = Dims{0}, outputs = Dims{1, -1};
  const auto stddev_of = [](const InitializerSpec& spec) {
    return statistics_of((*spec.get())({50, 40, 30}, DType::kF32)).stddev;
  };
  EXPECT_NEAR(stddev_of(initializers::LecunNormal({.seed = 5, .input_axes = inputs, .output_axes = outputs})),
              std::sqrt(1.0 / 50), 1e-3);
  EXPECT_NEAR(
      stddev_of(initializers::GlorotUniform({.seed = 5, .input_axes = inputs, .output_axes = outputs})),
      std::sqrt(2.0 / (50 + 40 * 30)), 1e-3);
  // As in Keras, one of the two alone has no effect.
  EXPECT_NEAR(stddev_of(initializers::LecunNormal({.seed = 5, .input_axes = inputs})),
              std::sqrt(1.0 / (50 * 40)), 1e-3);
  const initializers::VarianceScaling outside({.input_axes = Dims{3}, .output_axes = Dims{0}});
  EXPECT_THROW((void)(*outside)({2, 3}, DType::kF32), Error);
}

TEST(InitializersTest, ConstantOnes) {
  EXPECT_EQ((*initializers::Zeros())({2}, DType::kF32).at(1), 0);
  EXPECT_EQ((*initializers::Ones())({2}, DType::kI32).at(1), 1);
  EXPECT_EQ((*initializers::Constant(2.5))({2}, DType::kF64).at(1), 2.5);
  const ir::Literal identity = (*initializers::Identity({.gain = 3}))({2, 3}, DType::kF32);
  EXPECT_TRUE(identity == ir::Literal::of<float>({2, 3}, {3, 0, 0, 0, 3, 0}));
  EXPECT_THROW((*initializers::Identity())({2}, DType::kF32), Error);
  EXPECT_EQ((*initializers::Constant(0.1))({3}, DType::kF16).at(2), 0.0999755859375) << "the nearest f16";
  EXPECT_EQ((*initializers::Constant(0.1))({3}, DType::kBF16).at(2), 0.10009765625) << "the nearest bf16";
}

TEST(InitializersTest, AConstantMayBeATensor) {
  const Tensor matrix = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const initializers::Constant rows(matrix);
  EXPECT_TRUE((*rows)({2, 3}, DType::kF32) == matrix.literal());
  EXPECT_EQ((*rows)({2, 3}, DType::kF64).at(5), 6);
  EXPECT_TRUE((*initializers::Constant({.value = matrix.rows(0, 1)}))({2, 3}, DType::kI32) ==
              ir::Literal::of<std::int32_t>({2, 3}, {1, 2, 3, 1, 2, 3}));
  EXPECT_THROW((*rows)({4, 3}, DType::kF32), Error);
  EXPECT_THROW((*rows)({3}, DType::kF32), Error);
  EXPECT_THROW(initializers::Constant{Tensor()}, Error);
  const Config value = rows->get_config().at("value");
  EXPECT_EQ(value, Config::list({Config::list({1.0, 2.0, 3.0}), Config::list({4.0, 5.0, 6.0})}));
  EXPECT_EQ(initializers::Constant(1.0 / 3)->get_config().at("value"), Config(1.0 / 3)) << "not as f32";
}

TEST(InitializersTest, AConstantKeepsItsDigitsInAConfiguration) {
  const auto read_back = [](const Tensor& value) {
    const std::string json = saving::serialize<Initializer>(*initializers::Constant(value)).json();
    return saving::deserialize<Initializer>(Config::parse(json));
  };
  constexpr std::int64_t kOdd = (std::int64_t{1} << 60) + 1;
  EXPECT_TRUE((*read_back(Tensor::of<std::int64_t>({2}, {16777217, -kOdd})))({2}, DType::kI64) ==
              ir::Literal::of<std::int64_t>({2}, {16777217, -kOdd}));
  EXPECT_TRUE((*read_back(Tensor::of<double>({2}, {1.0 / 3, 2})))({2}, DType::kF64) ==
              ir::Literal::of<double>({2}, {1.0 / 3, 2}));
  EXPECT_TRUE((*read_back(Tensor::of<float>({2}, {0.1F, 2})))({2}, DType::kF32) ==
              ir::Literal::of<float>({2}, {0.1F, 2}));
  EXPECT_EQ(initializers::Constant(Tensor(0.1F))->get_config().at("value"), Config(0.1)) << "as short as f32";
}

TEST(InitializersTest, AreCallable) {
  EXPECT_EQ(initializers::Orthogonal()({4, 3}).shape(), (Dims{4, 3}));
  EXPECT_EQ(initializers::Ones()({2}).dtype(), DType::kF32);
  EXPECT_EQ(initializers::Constant(3)({2}, DType::kI32).at(1), 3);
}

TEST(InitializersTest, AnyFunctionWillDo) {
  const InitializerSpec threes = [](const Dims& shape, DType dtype) { return ops::full(shape, 3.0, dtype); };
  EXPECT_EQ((*threes.get())({2, 2}, DType::kF64).at(3), 3);
  const InitializerSpec of_f32 = [](const Dims& shape, DType) { return ops::ones(shape); };
  EXPECT_EQ((*of_f32.get())({2}, DType::kF16).type().dtype, DType::kF16);
  const InitializerSpec flat = [](const Dims&, DType) { return Tensor(1.0F); };
  EXPECT_THROW((*flat.get())({2}, DType::kF32), Error);
  try {
    (void)threes.get()->get_config();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be written: it is a function"), std::string::npos)
        << error.what();
  }
}

TEST(InitializersTest, OrthogonalVectorsHaveTheGainAsNormAndNoOverlap) {
  const auto check = [](const Dims& shape, double gain) {
    const ir::Literal literal = (*initializers::Orthogonal({.gain = gain, .seed = 3}))(shape, DType::kF64);
    const std::span<const double> values = literal.data<double>();
    const std::int64_t columns = shape.back();
    const auto rows = static_cast<std::int64_t>(values.size()) / columns;
    const bool of_columns = rows >= columns;
    const auto at = [&](std::int64_t vector, std::int64_t i) {
      return values[static_cast<std::size_t>(of_columns ? i * columns + vector : vector * columns + i)];
    };
    for (std::int64_t a = 0; a < std::min(rows, columns); ++a)
      for (std::int64_t b = 0; b <= a; ++b) {
        double product = 0;
        for (std::int64_t i = 0; i < std::max(rows, columns); ++i) product += at(a, i) * at(b, i);
        EXPECT_NEAR(product, a == b ? gain * gain : 0, 1e-12);
      }
  };
  check({6, 4}, 1);
  check({4, 6}, 2);
  check({3, 2, 2, 5}, 0.5);
  EXPECT_EQ(Initializer::from_name("orthogonal")->class_name(), "Orthogonal");
  EXPECT_THROW((*initializers::Orthogonal())({3}, DType::kF32), Error);
}

TEST(InitializersTest, ASeedRepeatsAndDefaultSeedsFollowTheProcessSeed) {
  const initializers::GlorotUniform fixed({.seed = 9});
  EXPECT_TRUE((*fixed)({4, 4}, DType::kF32) == (*fixed)({4, 4}, DType::kF32));
  const initializers::GlorotUniform open;
  set_random_seed(1);
  const ir::Literal first = (*open)({4, 4}, DType::kF32);
  EXPECT_FALSE(first == (*open)({4, 4}, DType::kF32));
  set_random_seed(1);
  EXPECT_TRUE(first == (*open)({4, 4}, DType::kF32));
}

TEST(InitializersTest, ElementsOfALargeTensorFollowFromTheirPositionsAlone) {
  constexpr std::int64_t kCount = 20 * 65536 + 17;
  const initializers::RandomUniform uniform({.minval = -1.0, .maxval = 1.0, .seed = 9});
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    const ir::Literal large = (*uniform)({kCount}, dtype), small = (*uniform)({1000}, dtype);
    EXPECT_TRUE(std::equal(small.bytes().begin(), small.bytes().end(), large.bytes().begin()));
    for (const std::int64_t i : {65535, 65536, 65537, 20 * 65536 - 1, 20 * 65536, 20 * 65536 + 16})
      EXPECT_NEAR(large.at(i), 2 * RandomStream(9).uniform(static_cast<std::uint64_t>(i)) - 1, 4e-3);
  }
}

TEST(InitializersTest, NamesAreKerasSpellings) {
  for (const char* name : {"glorot_uniform", "GlorotUniform"})
    EXPECT_EQ(Initializer::from_name(name)->class_name(), "GlorotUniform");
  EXPECT_EQ(Initializer::from_name("uniform")->class_name(), "RandomUniform");
  try {
    (void)Initializer::from_name("glorot_unifrom");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"glorot_uniform\"?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
