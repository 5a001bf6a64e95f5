#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/ir/literal.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Makes initial values. Random values depend only on (seed, row-major index); without a seed, each call
/// takes the process's next default seed (set_random_seed makes those repeatable).
class Initializer : public Configurable {
 public:
  static constexpr const char* kHandleKind = "initializer";  // see Handle

  /// Keras's class name: "GlorotUniform".
  virtual std::string class_name() const = 0;
  /// Errors: InvalidArgument for a shape or dtype that it cannot make.
  virtual ir::Literal operator()(const Dims& shape, DType dtype) const = 0;
  Config get_config() const override;

  /// Accepts Keras's spellings: "glorot_uniform", "GlorotUniform", "uniform", ...
  static std::shared_ptr<Initializer> from_name(const StringArgument& name,
                                                const ArgumentName& argument = {"initializers.get", "name"});
  /// Uses the results of `function(shape, dtype)`, cast to the dtype if they have another one.
  static std::shared_ptr<Initializer> from_function(
      std::function<Tensor(const Dims& shape, DType dtype)> function);
};
/// A name, an object or a callable: `.kernel_initializer = [](const Dims& shape, DType dtype) { ... }`.
using InitializerSpec = Spec<Initializer>;

/// A shared handle to an initializer, for users; callable: `initializers::Orthogonal()({4, 3})`.
class InitializerHandle : public Handle<Initializer> {
 public:
  using Handle<Initializer>::Handle;
  /// Values of this dtype; if not given, config::floatx().
  Tensor operator()(const Dims& shape, DType dtype = current_floatx()) const {
    return Tensor((**this)(shape, dtype));
  }
};

namespace initializers {

using Seed = std::optional<std::uint64_t>;

/// Every element 0.
class Zeros : public InitializerHandle {
 public:
  Zeros();
};
/// Every element 1.
class Ones : public InitializerHandle {
 public:
  Ones();
};
struct ConstantOptions {  // options/initializers.toml
  /// Number, or values that broadcast to the weight's shape.
  Tensor value = 0.0;
};
CORNU_FIELDS(ConstantOptions, value)
/// Every element `value`, or the values of a tensor.
///
///     layers::Embedding({.input_dim = 1000, .output_dim = 50,
///                        .embeddings_initializer = initializers::Constant(vectors)});
///
/// Errors: InvalidArgument for an undefined or symbolic value, and for one that cannot be broadcast to the
///         weight's shape.
class Constant : public InitializerHandle {
 public:
  explicit Constant(double value = 0.0) : Constant(ConstantOptions{.value = value}) {}
  explicit Constant(const Tensor& value) : Constant(ConstantOptions{.value = value}) {}
  explicit Constant(ConstantOptions options);
};
struct IdentityOptions {  // options/initializers.toml
  /// Factor of the matrix.
  double gain = 1.0;
};
CORNU_FIELDS(IdentityOptions, gain)
/// A matrix with `gain` on the diagonal, else zeros. Errors: InvalidArgument for another rank than 2.
class Identity : public InitializerHandle {
 public:
  explicit Identity(IdentityOptions options = {});
  explicit Identity(NoOptions) : Identity() {}
};
struct RandomUniformOptions {  // options/initializers.toml
  /// Lower bound, included.
  double minval = -0.05;
  /// Upper bound, not included.
  double maxval = 0.05;
  /// Seed; unset: each call takes the process's next default seed.
  Seed seed = {};
};
CORNU_FIELDS(RandomUniformOptions, minval, maxval, seed)
/// Uniform values in [minval, maxval).
class RandomUniform : public InitializerHandle {
 public:
  explicit RandomUniform(RandomUniformOptions options = {});
  explicit RandomUniform(NoOptions) : RandomUniform() {}
};
struct RandomNormalOptions {  // options/initializers.toml
  /// Mean of the values.
  double mean = 0.0;
  /// Standard deviation of the values, before truncation.
  double stddev = 0.05;
  /// Seed; unset: each call takes the process's next default seed.
  Seed seed = {};
};
CORNU_FIELDS(RandomNormalOptions, mean, stddev, seed)
/// Normal values.
class RandomNormal : public InitializerHandle {
 public:
  explicit RandomNormal(RandomNormalOptions options = {});
  explicit RandomNormal(NoOptions) : RandomNormal() {}
};
/// Normal values truncated at two standard deviations from the mean.
class TruncatedNormal : public InitializerHandle {
 public:
  explicit TruncatedNormal(RandomNormalOptions options = {});
  explicit TruncatedNormal(NoOptions) : TruncatedNormal() {}
};
struct VarianceScalingOptions {  // options/initializers.toml
  /// Variance times n; must be positive.
  double scale = 1.0;
  /// Number n by which scale is divided: "fan_in", the inputs, "fan_out", the outputs, or "fan_avg", their
  /// mean.
  std::string mode = "fan_in";
  /// "truncated_normal", "untruncated_normal" or "uniform".
  std::string distribution = "truncated_normal";
  /// Seed; unset: each call takes the process's next default seed.
  Seed seed = {};
  /// Axes of the inputs, whose extents are multiplied; negative: from the end. Unset, as output_axes: a
  /// matrix or a kernel whose last two axes are inputs and outputs.
  std::optional<Dims> input_axes = {};
  /// Axes of the outputs; only together with input_axes.
  std::optional<Dims> output_axes = {};
};
CORNU_FIELDS(VarianceScalingOptions, scale, mode, distribution, seed, input_axes, output_axes)
/// Random values with mean 0 and variance scale / n, where n is the number of inputs, of outputs,
/// or the mean of the two.
class VarianceScaling : public InitializerHandle {
 public:
  explicit VarianceScaling(VarianceScalingOptions options = {});
  explicit VarianceScaling(NoOptions) : VarianceScaling() {}
};
struct OrthogonalOptions {  // options/initializers.toml
  /// Factor of the matrix.
  double gain = 1.0;
  /// Seed; unset: each call takes the process's next default seed.
  Seed seed = {};
};
CORNU_FIELDS(OrthogonalOptions, gain, seed)
/// `gain` times a random matrix with orthonormal columns (rows, if there are fewer rows); all extents but the
/// last form its rows.
/// Errors: InvalidArgument for a rank below 2.
class Orthogonal : public InitializerHandle {
 public:
  explicit Orthogonal(OrthogonalOptions options = {});
  explicit Orthogonal(NoOptions) : Orthogonal() {}
};
struct SeedOptions {  // options/initializers.toml
  /// Seed; unset: each call takes the process's next default seed.
  Seed seed = {};
  /// Axes of the inputs, whose extents are multiplied; negative: from the end. Unset, as output_axes: a
  /// matrix or a kernel whose last two axes are inputs and outputs.
  std::optional<Dims> input_axes = {};
  /// Axes of the outputs; only together with input_axes.
  std::optional<Dims> output_axes = {};
};
CORNU_FIELDS(SeedOptions, seed, input_axes, output_axes)
/// Uniform values with mean 0 and variance 2 / (inputs + outputs).
class GlorotUniform : public InitializerHandle {
 public:
  explicit GlorotUniform(SeedOptions options = {});
  explicit GlorotUniform(NoOptions) : GlorotUniform() {}
};
/// Normal values, truncated at two standard deviations, with mean 0 and variance 2 / (inputs + outputs).
class GlorotNormal : public InitializerHandle {
 public:
  explicit GlorotNormal(SeedOptions options = {});
  explicit GlorotNormal(NoOptions) : GlorotNormal() {}
};
/// Uniform values with mean 0 and variance 2 / inputs.
class HeUniform : public InitializerHandle {
 public:
  explicit HeUniform(SeedOptions options = {});
  explicit HeUniform(NoOptions) : HeUniform() {}
};
/// Normal values, truncated at two standard deviations, with mean 0 and variance 2 / inputs.
class HeNormal : public InitializerHandle {
 public:
  explicit HeNormal(SeedOptions options = {});
  explicit HeNormal(NoOptions) : HeNormal() {}
};
/// Uniform values with mean 0 and variance 1 / inputs.
class LecunUniform : public InitializerHandle {
 public:
  explicit LecunUniform(SeedOptions options = {});
  explicit LecunUniform(NoOptions) : LecunUniform() {}
};
/// Normal values, truncated at two standard deviations, with mean 0 and variance 1 / inputs.
class LecunNormal : public InitializerHandle {
 public:
  explicit LecunNormal(SeedOptions options = {});
  explicit LecunNormal(NoOptions) : LecunNormal() {}
};
struct STFTOptions {  // options/initializers.toml
  /// Part of the transform: "real" or "imag".
  std::string side = "real";
  /// Window by its name in SciPy: "hann", "hamming", "blackman", "bartlett", "nuttall", "blackmanharris",
  /// "flattop", "barthann", "bohman", "cosine", "triang" or "boxcar"; unset: none.
  std::optional<std::string> window = "hann";
  /// Divisor of the window w: "density" for the root of sum(w * w), "spectrum" for sum(abs(w)); unset: 1.
  std::optional<std::string> scaling = "density";
  /// True: the window of a periodic signal; false: a symmetric one.
  bool periodic = false;
};
CORNU_FIELDS(STFTOptions, side, window, scaling, periodic)
/// The kernel [time, 1, frequencies] of a convolution that computes the real or the imaginary part of a
/// short-time Fourier transform of length 2 (frequencies - 1); layers::STFTSpectrogram uses it.
/// Errors: InvalidArgument for an unknown side, window or scaling; for a shape of another rank, or with other
///         than one channel.
class STFT : public InitializerHandle {
 public:
  explicit STFT(STFTOptions options = {});
  explicit STFT(NoOptions) : STFT() {}
};

}  // namespace initializers
}  // namespace cornu::inline v0::keras
