#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_fill.h"

/// Code shared by the layers with a weight that LoRA can freeze; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// A weight and its low-rank addition.
struct LoraWeights {
  Variable weight = {};
  Variable a = {}, b = {};  // undefined before enable_lora()
  double factor = 1;        // lora_alpha / rank
};

/// weight + a . b * factor, in the weight's dtype.
inline Tensor lora_sum(const Tensor& weight, const Tensor& a, const Tensor& b, double factor) {
  const Tensor sum = weight + ops::matmul(a, b) * factor;
  return sum.dtype() == weight.dtype() ? sum : ops::cast(sum, weight.dtype());
}

class LoraLayer {
 public:
  virtual void enable_lora(const LoraOptions& options) = 0;
  /// Null before enable_lora(). Lifetime: the layer's.
  virtual const LoraWeights* lora() const = 0;
  /// The values that Keras's files have in place of those of some weights. Requires: LoRA is enabled.
  virtual std::vector<std::pair<Variable, Tensor>> merged_values() const = 0;
  virtual bool is_merged(const Variable& variable) const = 0;

 protected:
  ~LoraLayer() = default;
};

/// A layer derived from Base with one such weight, which it passes to set_lora_weight() when it is built.
template <typename Base>
class WithLora : public Base, public LoraLayer {
 public:
  using Base::Base;

  void enable_lora(const LoraOptions& options) final {
    if (options.rank <= 0)
      this->option_error(fmt::format("the rank of LoRA must be positive; got rank = {}", options.rank));
    if (this->dtype_policy().weight_bits() != 0)
      this->option_error(fmt::format("LoRA needs a kernel of floats, int8 or int4; the policy is \"{}\"",
                                     this->dtype_policy().name()));
    if (!lora_.weight.defined())
      this->option_error(
          "LoRA needs a layer that is built; call build(), or the layer on data, before enable_lora()");
    if (has_constraint_)
      this->option_error(
          fmt::format("LoRA and the constraint of \"{}\" exclude each other", lora_.weight.name()));
    if (lora_.a.defined()) this->option_error("LoRA can be enabled once");
    this->check_initializer("a_initializer", options.a_initializer);
    this->check_initializer("b_initializer", options.b_initializer);
    Dims shape = shape_.empty() ? lora_.weight.shape() : shape_;
    const std::int64_t outputs = std::exchange(shape.back(), options.rank);
    const std::string name = "lora_" + lora_.weight.name();
    lora_.a = this->add_weight({.name = name + "_a",
                                .shape = shape,
                                .initializer = options.a_initializer,
                                .dtype = DType::kF32,
                                .regularizer = regularizer_,
                                .is_table = lora_.weight.is_table()});
    lora_.b = this->add_weight({.name = name + "_b",
                                .shape = {options.rank, outputs},
                                .initializer = options.b_initializer,
                                .dtype = DType::kF32,
                                .regularizer = regularizer_});
    lora_.weight.set_trainable(false);
    const auto rank = static_cast<double>(options.rank);
    lora_.factor = options.lora_alpha.value_or(rank) / rank;
    rank_ = options.rank;
    alpha_ = options.lora_alpha;
  }
  const LoraWeights* lora() const final { return lora_.a.defined() ? &lora_ : nullptr; }
  bool is_merged(const Variable& variable) const override { return variable == lora_.weight; }
  std::vector<std::pair<Variable, Tensor>> merged_values() const override {
    const EagerScope outside_of_traces;
    const cornu::detail::HostScope on_host;
    return {
        {lora_.weight, lora_sum(cornu::detail::host_value(lora_.weight), cornu::detail::host_value(lora_.a),
                                cornu::detail::host_value(lora_.b), lora_.factor)}};
  }

 protected:
  /// For constructors: sets the options lora_rank and lora_alpha.
  void set_lora_options(std::optional<std::int64_t> rank, std::optional<double> alpha, bool has_constraint) {
    has_constraint_ = has_constraint;
    rank_ = rank;
    alpha_ = alpha;
    if (!rank.has_value()) return;
    if (*rank <= 0) this->option_error("lora_rank", "must be positive", fmt::format("{}", *rank));
    if (has_constraint) this->option_error("lora_rank and a constraint of the weight exclude each other");
  }
  /// Called when the layer is built, after its other weights are made.
  void set_lora_weight(const Variable& weight, const RegularizerSpec& regularizer) {
    lora_ = {.weight = weight};
    regularizer_ = regularizer;
    if (rank_.has_value()) enable_lora({.rank = *rank_, .lora_alpha = alpha_});
  }
  /// Sets the quantized weight, whose shape before was `shape`; its addition stays.
  void set_quantized_lora_weight(const Variable& weight, const Dims& shape) {
    lora_.weight = weight;
    shape_ = shape;
  }
  /// inputs . a . b * factor, in the dtype of `sum`, added to `sum`; `sum` itself without an addition.
  template <typename Product>
  Tensor with_lora_product(const Tensor& sum, const Product& inputs_times_a) const {
    if (!lora_.a.defined()) return sum;
    const Tensor addition = ops::matmul(inputs_times_a(Tensor(lora_.a)), lora_.b) * lora_.factor;
    return ops::cast(sum + addition, sum.dtype());
  }
  /// The weight with its addition, if there is one.
  Tensor lora_weight() const {
    const Tensor weight = lora_.weight;
    return lora_.a.defined() ? lora_sum(weight, lora_.a, lora_.b, lora_.factor) : weight;
  }
  /// Writes the present rank and alpha; without a rank alpha has no effect, and Keras does not write it.
  void add_to_config(Config& fields) const override {
    Base::add_to_config(fields);
    const bool has_alpha = rank_.has_value() && alpha_.has_value();
    fields.set("lora_rank", rank_.has_value() ? Config(*rank_) : Config());
    fields.set("lora_alpha", has_alpha ? Config(*alpha_) : Config());
  }

 private:
  std::optional<std::int64_t> rank_;
  std::optional<double> alpha_;
  bool has_constraint_ = false;
  RegularizerSpec regularizer_;
  LoraWeights lora_;
  Dims shape_;  // of a quantized weight before; empty: that of the weight
};

}  // namespace cornu::inline v0::keras::layers
