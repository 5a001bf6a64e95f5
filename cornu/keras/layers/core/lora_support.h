#pragma once

#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/tensor/ops.h"

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
    if (!lora_.weight.defined())
      this->option_error(
          "LoRA needs a layer that is built; call build(), or the layer on data, before enable_lora()");
    if (has_constraint_)
      this->option_error(
          fmt::format("LoRA and the constraint of \"{}\" exclude each other", lora_.weight.name()));
    if (lora_.a.defined()) this->option_error("LoRA can be enabled once");
    this->check_initializer("a_initializer", options.a_initializer);
    this->check_initializer("b_initializer", options.b_initializer);
    Dims shape = lora_.weight.shape();
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
};

}  // namespace cornu::inline v0::keras::layers
