#include "cornu/keras/initializers/initializers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/environment.h"
#include "cornu/base/float_environment.h"
#include "cornu/base/thread_pool.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/initializers/element_values.h"
#include "cornu/keras/initializers/fourier_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {
namespace {

/// Refuses a number that an integer dtype cannot represent.
void check_holds(const char* initializer, double value, DType dtype) {
  if (!ir::is_integer(dtype)) return;
  const bool is_signed = ir::is_signed_integer(dtype);
  const double limit = std::ldexp(1, ir::bit_width(dtype) - (is_signed ? 1 : 0));
  if (!(value >= (is_signed ? -limit : 0) && value < limit))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must hold the value; got dtype = {} for {}",
                     initializer, ir::numpy_name(dtype), value);
}

constexpr std::uint64_t kSliceElements = 1 << 16;

/// A literal whose element i is value(i). Several threads make a large one; `value` must not throw.
ir::Literal fill(const Dims& shape, DType dtype, const std::function<double(std::uint64_t)>& value) {
  struct Elements {
    DType dtype;
    const std::function<double(std::uint64_t)>& value;
    std::span<std::byte> bytes;
  };
  ir::Literal literal(TensorType{dtype, shape});
  Elements elements{dtype, value, literal.mutable_bytes()};
  const auto write_slice = [](void* context, std::int64_t slice) {
    const auto& [type, at, bytes] = *static_cast<const Elements*>(context);
    const std::uint64_t first = static_cast<std::uint64_t>(slice) * kSliceElements;
    const std::size_t begin = first * ir::size_bytes(type);
    const std::size_t size =
        std::min<std::size_t>(kSliceElements * ir::size_bytes(type), bytes.size() - begin);
    write_elements(type, first, at, bytes.subspan(begin, size));
  };
  const auto count = static_cast<std::uint64_t>(literal.type().num_elements());
  const std::uint64_t num_slices = (count + kSliceElements - 1) / kSliceElements;
  ThreadPool pool(num_slices < 16 ? 1 : environment::num_threads().value_or(default_num_threads()));
  pool.parallel_for(static_cast<std::int64_t>(num_slices), write_slice, &elements);
  return literal;
}

/// The values of an initializer that is made of elements.
ir::Literal filled(const ElementInitializer& initializer, const Dims& shape, DType dtype) {
  const std::optional<std::uint64_t> given = initializer.seed();
  const std::uint64_t seed = given ? *given : initializer.is_random() ? next_seed() : 0;
  const ElementValues values = initializer.element_values(shape, dtype, seed);
  return values.at ? fill(shape, dtype, values.at) : ir::Literal(TensorType{dtype, shape});
}

class ConstantInitializer : public Initializer, public ElementInitializer {
 public:
  ConstantInitializer(std::string class_name, double value)
      : class_name_(std::move(class_name)), value_(value) {}
  std::string class_name() const override { return class_name_; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    return filled(*this, shape, dtype);
  }
  bool is_random() const override { return false; }
  ElementValues element_values(const Dims&, DType dtype, std::uint64_t) const override {
    ElementValues values{.description = fmt::format("constant {}", value_)};
    if (value_ == 0) return values;
    check_holds("constant", value_, dtype);
    values.at = [value = value_](std::uint64_t) { return value; };
    return values;
  }

 private:
  std::string class_name_;
  double value_;
};

class ArrayInitializer : public Initializer {
 public:
  explicit ArrayInitializer(Tensor value) : value_(std::move(value)) {}
  std::string class_name() const override { return "Constant"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    const Dims& own = value_.shape();
    bool fits = own.size() <= shape.size();
    for (std::size_t i = 0; fits && i < own.size(); ++i)
      fits = own[i] == 1 || own[i] == shape[shape.size() - own.size() + i];
    if (!fits)
      invalid_argument({.argument = "value"},
                       "[constant] value must be broadcastable to the weight's shape {}; got shape {}",
                       ir::shape_str(shape), ir::shape_str(own));
    return ops::broadcast_to(ops::cast(value_, dtype), shape).literal();
  }

 private:
  Tensor value_;
};

std::shared_ptr<Initializer> constant_initializer(const Tensor& value) {
  if (!value.defined() || value.is_symbolic())
    invalid_argument({.argument = "value"}, "[constant] value must be a number or a tensor with values");
  if (!value.is_weak()) return std::make_shared<ArrayInitializer>(value);
  return std::make_shared<ConstantInitializer>("Constant", value.strong_scalar(DType::kF64).item<double>());
}

class FunctionInitializer : public Initializer {
 public:
  explicit FunctionInitializer(std::function<Tensor(const Dims&, DType)> function)
      : function_(std::move(function)) {}
  std::string class_name() const override { return "function"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    const Tensor value = function_(shape, dtype);
    if (!value.defined() || value.shape() != shape)
      invalid_argument("[initializer] the function must give a tensor of shape {}; got {}",
                       ir::shape_str(shape), value.defined() ? type_str(value.type()) : "an undefined one");
    return ops::cast(value, dtype).literal();
  }

 private:
  std::function<Tensor(const Dims&, DType)> function_;
};

class IdentityInitializer : public Initializer {
 public:
  explicit IdentityInitializer(double gain) : gain_(gain) {}
  std::string class_name() const override { return "Identity"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    if (shape.size() != 2)
      invalid_argument("the identity initializer makes matrices only; got shape {}", ir::shape_str(shape));
    check_holds("identity", gain_, dtype);
    const auto columns = static_cast<std::uint64_t>(shape[1]);
    return fill(shape, dtype, [&](std::uint64_t i) { return i / columns == i % columns ? gain_ : 0.0; });
  }

 private:
  double gain_;
};

enum class Distribution { kUniform, kNormal, kTruncatedNormal };

/// centre + spread * (uniform in [-1, 1), or (truncated) normal).
ElementValues random_values(DType dtype, Distribution distribution, double centre, double spread,
                            std::uint64_t seed) {
  if (!ir::is_float(dtype))
    invalid_argument({.argument = "dtype"}, "random initializers make floating-point values; got dtype = {}",
                     ir::numpy_name(dtype));
  static constexpr const char* kNames[] = {"uniform", "normal", "truncated normal"};
  const RandomStream stream(seed);
  return {.description = fmt::format("{} {} +- {}", kNames[static_cast<int>(distribution)], centre, spread),
          .at = [=](std::uint64_t i) {
            double unit = 0;
            switch (distribution) {
              case Distribution::kUniform: unit = 2 * stream.uniform(i) - 1; break;
              case Distribution::kNormal: unit = stream.normal(i); break;
              case Distribution::kTruncatedNormal: unit = stream.truncated_normal(i); break;
            }
            return centre + spread * unit;
          }};
}

class RandomInitializer : public Initializer, public ElementInitializer {
 public:
  RandomInitializer(std::string class_name, Distribution distribution, double centre, double spread,
                    initializers::Seed seed)
      : class_name_(std::move(class_name)),
        distribution_(distribution),
        centre_(centre),
        spread_(spread),
        seed_(seed) {}
  std::string class_name() const override { return class_name_; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    return filled(*this, shape, dtype);
  }
  std::optional<std::uint64_t> seed() const override { return seed_; }
  ElementValues element_values(const Dims&, DType dtype, std::uint64_t seed) const override {
    return random_values(dtype, distribution_, centre_, spread_, seed);
  }

 private:
  std::string class_name_;
  Distribution distribution_;
  double centre_;
  double spread_;
  initializers::Seed seed_;
};

struct Fans {
  double in = 1;
  double out = 1;
};

double half_sum(double x, double y) {
  const FloatEnvironment environment;
  return (x + y) / 2;
}

/// The product of the extents of these axes.
double extent_of(const Dims& shape, const Dims& axes, const char* option) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  double product = 1;
  for (const std::int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      invalid_argument({.argument = option},
                       "[variance_scaling] {} must be axes of the shape {}; got {} = {}", option,
                       ir::shape_str(shape), option, ir::shape_str(axes));
    product *= static_cast<double>(shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)]);
  }
  return product;
}

/// Kernels are [receptive field..., in, out], unless the options name the axes.
Fans compute_fans(const Dims& shape, const initializers::VarianceScalingOptions& options) {
  if (options.input_axes.has_value() && options.output_axes.has_value())
    return {extent_of(shape, *options.input_axes, "input_axes"),
            extent_of(shape, *options.output_axes, "output_axes")};
  if (shape.empty()) return {};
  if (shape.size() == 1) return {static_cast<double>(shape[0]), static_cast<double>(shape[0])};
  double receptive_field = 1;
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) receptive_field *= static_cast<double>(shape[i]);
  return {static_cast<double>(shape[shape.size() - 2]) * receptive_field,
          static_cast<double>(shape.back()) * receptive_field};
}

class VarianceScalingInitializer : public Initializer, public ElementInitializer {
 public:
  VarianceScalingInitializer(std::string class_name, initializers::VarianceScalingOptions options)
      : class_name_(std::move(class_name)), options_(std::move(options)) {
    const std::array<std::string, 3> modes = {"fan_in", "fan_out", "fan_avg"};
    const std::array<std::string, 4> distributions = {"truncated_normal", "untruncated_normal", "uniform",
                                                      "normal"};
    if (!(options_.scale > 0))
      invalid_argument({.argument = "scale"}, "[variance_scaling] scale must be positive; got scale = {}",
                       options_.scale);
    if (std::find(modes.begin(), modes.end(), options_.mode) == modes.end())
      unknown_name({"variance_scaling", "mode"}, options_.mode, modes);
    if (std::find(distributions.begin(), distributions.end(), options_.distribution) == distributions.end())
      unknown_name({"variance_scaling", "distribution"}, options_.distribution, distributions);
  }
  std::string class_name() const override { return class_name_; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    return filled(*this, shape, dtype);
  }
  std::optional<std::uint64_t> seed() const override { return options_.seed; }
  ElementValues element_values(const Dims& shape, DType dtype, std::uint64_t seed) const override {
    // The standard deviation of a standard normal truncated at two of its standard deviations.
    constexpr double kTruncatedStddev = 0.87962566103423978;
    const FloatEnvironment environment;
    const Fans fans = compute_fans(shape, options_);
    const double fan = options_.mode == "fan_in"    ? fans.in
                       : options_.mode == "fan_out" ? fans.out
                                                    : (fans.in + fans.out) / 2;
    const double variance = options_.scale / std::max(1.0, fan);
    if (options_.distribution == "uniform")
      return random_values(dtype, Distribution::kUniform, 0, std::sqrt(3 * variance), seed);
    if (options_.distribution == "untruncated_normal")
      return random_values(dtype, Distribution::kNormal, 0, std::sqrt(variance), seed);
    return random_values(dtype, Distribution::kTruncatedNormal, 0, std::sqrt(variance) / kTruncatedStddev,
                         seed);
  }

 private:
  std::string class_name_;
  initializers::VarianceScalingOptions options_;
};

class OrthogonalInitializer : public Initializer {
 public:
  explicit OrthogonalInitializer(initializers::OrthogonalOptions options) : options_(options) {
    if (!std::isfinite(options.gain))
      invalid_argument({.argument = "gain"}, "[orthogonal] gain must be finite; got gain = {}", options.gain);
  }
  std::string class_name() const override { return "Orthogonal"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    if (shape.size() < 2)
      invalid_argument({.argument = "shape"},
                       "[orthogonal] needs a shape of at least two extents; got shape = {}",
                       ir::shape_str(shape));
    if (!ir::is_float(dtype))
      invalid_argument({.argument = "dtype"}, "[orthogonal] makes floating-point values; got dtype = {}",
                       ir::numpy_name(dtype));
    const FloatEnvironment environment;
    const ir::TensorType type{dtype, shape};
    ir::check_type(type);
    const auto columns = static_cast<std::size_t>(shape.back());
    const auto rows = static_cast<std::size_t>(CheckedSize::product(std::span(shape).first(shape.size() - 1))
                                                   .value("[orthogonal] the number of rows"));
    const std::size_t length = std::max(rows, columns), count = std::min(rows, columns);
    const RandomStream stream(options_.seed ? *options_.seed : next_seed());
    const CheckedSize num_bytes = CheckedSize(count) * length * sizeof(double) + type.size_bytes();
    auto vectors = with_host_memory(
        num_bytes,
        [&] {
          return fmt::format("[orthogonal] a matrix of {} orthonormal vectors of {} numbers", count, length);
        },
        [&] { return std::vector<std::vector<double>>(count, std::vector<double>(length)); });
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < length; ++i) vectors[k][i] = stream.normal(i * count + k);
      make_orthonormal(vectors, k);
    }
    return fill(shape, dtype, [&](std::uint64_t i) {
      const std::size_t row = i / columns, column = i % columns;
      return options_.gain * (rows >= columns ? vectors[column][row] : vectors[row][column]);
    });
  }

 private:
  /// One Gram-Schmidt step for vector k. Two steps are as exact as reflections.
  static void make_orthonormal(std::vector<std::vector<double>>& vectors, std::size_t k) {
    std::vector<double>& mine = vectors[k];
    for (int round = 0; round < 2; ++round) {
      for (std::size_t j = 0; j < k; ++j) {
        const double overlap = std::inner_product(mine.begin(), mine.end(), vectors[j].begin(), 0.0);
        for (std::size_t i = 0; i < mine.size(); ++i) mine[i] -= overlap * vectors[j][i];
      }
    }
    const double norm = std::sqrt(std::inner_product(mine.begin(), mine.end(), mine.begin(), 0.0));
    for (double& value : mine) value /= norm;
  }

  initializers::OrthogonalOptions options_;
};

std::shared_ptr<Initializer> scaled(const char* class_name, double scale, const char* mode,
                                    const char* distribution, const initializers::SeedOptions& options) {
  return std::make_shared<VarianceScalingInitializer>(
      class_name, initializers::VarianceScalingOptions{.scale = scale,
                                                       .mode = mode,
                                                       .distribution = distribution,
                                                       .seed = options.seed,
                                                       .input_axes = options.input_axes,
                                                       .output_axes = options.output_axes});
}

constexpr std::array<NamedMaker<Initializer>, 20> kInitializers = {{
    {"stft", &make_default<Initializer, initializers::STFT>},
    {"orthogonal", &make_default<Initializer, initializers::Orthogonal>},
    {"zeros", &make_default<Initializer, initializers::Zeros>},
    {"ones", &make_default<Initializer, initializers::Ones>},
    {"constant", &make_default<Initializer, initializers::Constant>},
    {"identity", &make_default<Initializer, initializers::Identity>},
    {"random_uniform", &make_default<Initializer, initializers::RandomUniform>},
    {"random_normal", &make_default<Initializer, initializers::RandomNormal>},
    {"truncated_normal", &make_default<Initializer, initializers::TruncatedNormal>},
    {"variance_scaling", &make_default<Initializer, initializers::VarianceScaling>},
    {"glorot_uniform", &make_default<Initializer, initializers::GlorotUniform>},
    {"glorot_normal", &make_default<Initializer, initializers::GlorotNormal>},
    {"he_uniform", &make_default<Initializer, initializers::HeUniform>},
    {"he_normal", &make_default<Initializer, initializers::HeNormal>},
    {"lecun_uniform", &make_default<Initializer, initializers::LecunUniform>},
    {"lecun_normal", &make_default<Initializer, initializers::LecunNormal>},
    {"uniform", &make_default<Initializer, initializers::RandomUniform>},
    {"normal", &make_default<Initializer, initializers::RandomNormal>},
    {"zero", &make_default<Initializer, initializers::Zeros>},
    {"one", &make_default<Initializer, initializers::Ones>},
}};

}  // namespace

void write_elements(DType dtype, std::uint64_t first, const std::function<double(std::uint64_t)>& at,
                    std::span<std::byte> to) {
  const FloatEnvironment environment;
  const bool has_native = ir::visit_dtype(dtype, [&]<typename T>() {
    auto* const elements = reinterpret_cast<T*>(to.data());
    const std::uint64_t count = to.size() / sizeof(T);
    for (std::uint64_t i = 0; i < count; ++i) elements[i] = static_cast<T>(at(first + i));
  });
  if (has_native) return;
  // For f16 and bf16 each value is rounded to nearest.
  const std::size_t size = ir::size_bytes(dtype);
  for (std::uint64_t i = 0; i * size < to.size(); ++i) {
    const ir::Literal element = ir::Literal::scalar(dtype, at(first + i));
    std::ranges::copy(element.bytes(), to.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
}

Config Initializer::get_config() const {
  return described_config("keras.initializers", "initializer", class_name());
}

std::shared_ptr<Initializer> Initializer::from_name(const StringArgument& name,
                                                    const ArgumentName& argument) {
  if (std::shared_ptr<Initializer> initializer = make_named<Initializer>(kInitializers, name))
    return initializer;
  unknown_name(argument, name, table_names<Initializer>(kInitializers));
}

std::shared_ptr<Initializer> Initializer::from_function(std::function<Tensor(const Dims&, DType)> function) {
  check_callable("initializers.get", "initializer", function);
  return std::make_shared<FunctionInitializer>(std::move(function));
}

namespace initializers {

using Base = InitializerHandle;

Zeros::Zeros() : Base(std::make_shared<ConstantInitializer>("Zeros", 0)) {
  saving::describe(*this, "Zeros", saving::NoFields());
}
Ones::Ones() : Base(std::make_shared<ConstantInitializer>("Ones", 1)) {
  saving::describe(*this, "Ones", saving::NoFields());
}
Constant::Constant(ConstantOptions options) : Base(constant_initializer(options.value)) {
  saving::describe(*this, "Constant", options);
}
Identity::Identity(IdentityOptions options) : Base(std::make_shared<IdentityInitializer>(options.gain)) {
  saving::describe(*this, "Identity", options);
}
RandomUniform::RandomUniform(RandomUniformOptions options)
    : Base(std::make_shared<RandomInitializer>("RandomUniform", Distribution::kUniform,
                                               half_sum(options.minval, options.maxval),
                                               half_sum(options.maxval, -options.minval), options.seed)) {
  saving::describe(*this, "RandomUniform", options);
}
RandomNormal::RandomNormal(RandomNormalOptions options)
    : Base(std::make_shared<RandomInitializer>("RandomNormal", Distribution::kNormal, options.mean,
                                               options.stddev, options.seed)) {
  saving::describe(*this, "RandomNormal", options);
}
TruncatedNormal::TruncatedNormal(RandomNormalOptions options)
    : Base(std::make_shared<RandomInitializer>("TruncatedNormal", Distribution::kTruncatedNormal,
                                               options.mean, options.stddev, options.seed)) {
  saving::describe(*this, "TruncatedNormal", options);
}
Orthogonal::Orthogonal(OrthogonalOptions options) : Base(std::make_shared<OrthogonalInitializer>(options)) {
  saving::describe(*this, "Orthogonal", options);
}
VarianceScaling::VarianceScaling(VarianceScalingOptions options)
    : Base(std::make_shared<VarianceScalingInitializer>("VarianceScaling", options)) {
  saving::describe(*this, "VarianceScaling", options);
}
GlorotUniform::GlorotUniform(SeedOptions options)
    : Base(scaled("GlorotUniform", 1, "fan_avg", "uniform", options)) {
  saving::describe(*this, "GlorotUniform", options);
}
GlorotNormal::GlorotNormal(SeedOptions options)
    : Base(scaled("GlorotNormal", 1, "fan_avg", "truncated_normal", options)) {
  saving::describe(*this, "GlorotNormal", options);
}
HeUniform::HeUniform(SeedOptions options) : Base(scaled("HeUniform", 2, "fan_in", "uniform", options)) {
  saving::describe(*this, "HeUniform", options);
}
HeNormal::HeNormal(SeedOptions options) : Base(scaled("HeNormal", 2, "fan_in", "truncated_normal", options)) {
  saving::describe(*this, "HeNormal", options);
}
LecunUniform::LecunUniform(SeedOptions options)
    : Base(scaled("LecunUniform", 1, "fan_in", "uniform", options)) {
  saving::describe(*this, "LecunUniform", options);
}
LecunNormal::LecunNormal(SeedOptions options)
    : Base(scaled("LecunNormal", 1, "fan_in", "truncated_normal", options)) {
  saving::describe(*this, "LecunNormal", options);
}
STFT::STFT(STFTOptions options) : Base(fourier_initializer(options)) {
  saving::describe(*this, "STFT", options);
}

}  // namespace initializers
}  // namespace cornu::inline v0::keras
