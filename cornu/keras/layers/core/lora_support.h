#pragma once

#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/tensor/ops.h"

/// What the layers with a weight that LoRA can freeze share; no part of the interface.
namespace cornu::inline v0::keras::layers {

class LoraLayer {
 public:
  virtual void enable_lora(const LoraOptions& options) = 0;

 protected:
  ~LoraLayer() = default;
};

/// A layer on top of Base with one such weight, which it gives by set_lora_weight() when it is built.
template <typename Base>
class WithLora : public Base, public LoraLayer {
 public:
  using Base::Base;

  void enable_lora(const LoraOptions& options) final {
    if (options.rank <= 0)
      this->option_error(fmt::format("the rank of LoRA must be positive; got rank = {}", options.rank));
    if (!weight_.defined())
      this->option_error(
          "LoRA needs a layer that is built; call build(), or the layer on data, before enable_lora()");
    if (has_constraint_)
      this->option_error(fmt::format("LoRA and the constraint of \"{}\" exclude each other", weight_.name()));
    if (a_.defined()) this->option_error("LoRA can be enabled once");
    this->check_initializer("a_initializer", options.a_initializer);
    this->check_initializer("b_initializer", options.b_initializer);
    Dims shape = weight_.shape();
    const std::int64_t outputs = std::exchange(shape.back(), options.rank);
    const std::string name = "lora_" + weight_.name();
    a_ = this->add_weight({.name = name + "_a",
                           .shape = shape,
                           .initializer = options.a_initializer,
                           .dtype = DType::kF32,
                           .regularizer = regularizer_});
    b_ = this->add_weight({.name = name + "_b",
                           .shape = {options.rank, outputs},
                           .initializer = options.b_initializer,
                           .dtype = DType::kF32,
                           .regularizer = regularizer_});
    weight_.set_trainable(false);
    const auto rank = static_cast<double>(options.rank);
    factor_ = options.lora_alpha.value_or(rank) / rank;
  }

 protected:
  /// For constructors: the options lora_rank and lora_alpha.
  void set_lora_options(std::optional<std::int64_t> rank, std::optional<double> alpha, bool has_constraint) {
    has_constraint_ = has_constraint;
    rank_ = rank;
    alpha_ = alpha;
    if (!rank.has_value()) return;
    if (*rank <= 0) this->option_error("lora_rank", "must be positive", fmt::format("{}", *rank));
    if (has_constraint) this->option_error("lora_rank and a constraint of the weight exclude each other");
  }
  /// When it is built, behind its other weights.
  void set_lora_weight(const Variable& weight, const RegularizerSpec& regularizer) {
    weight_ = weight;
    regularizer_ = regularizer;
    a_ = b_ = Variable();
    if (rank_.has_value()) enable_lora({.rank = *rank_, .lora_alpha = alpha_});
  }
  /// With its addition, if there is one.
  Tensor lora_weight() const {
    const Tensor weight = weight_;
    if (!a_.defined()) return weight;
    const Tensor sum = weight + ops::matmul(a_, b_) * factor_;
    return sum.dtype() == weight.dtype() ? sum : ops::cast(sum, weight.dtype());
  }

 private:
  std::optional<std::int64_t> rank_;
  std::optional<double> alpha_;
  bool has_constraint_ = false;
  RegularizerSpec regularizer_;
  double factor_ = 1;
  Variable weight_, a_, b_;
};

}  // namespace cornu::inline v0::keras::layers
