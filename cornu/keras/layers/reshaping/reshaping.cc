#include "cornu/keras/layers/reshaping/reshaping.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ReshapeLayer : public Layer {
 public:
  explicit ReshapeLayer(ReshapeOptions options)
      : Layer(layer_settings("Reshape", options)), target_shape_(std::move(options.target_shape)) {
    for (const std::int64_t extent : target_shape_)
      if (extent < -1)
        option_error(
            fmt::format("extents must not be below -1; got target_shape = {}", ir::shape_str(target_shape_)));
    if (std::count(target_shape_.begin(), target_shape_.end(), -1) > 1)
      option_error(
          fmt::format("at most one extent can be -1; got target_shape = {}", ir::shape_str(target_shape_)));
    set_input_spec({.min_ndim = 1});
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims shape = {input_shape.at(0)};
    const bool is_open = std::find(input_shape.begin() + 1, input_shape.end(), kUnknown) != input_shape.end();
    const std::int64_t elements = is_open ? kUnknown
                                          : CheckedSize::product(std::span(input_shape).subspan(1))
                                                .value("[reshape] the input's number of elements");
    Dims fixed = target_shape_;
    std::erase(fixed, -1);
    const std::int64_t known = CheckedSize::product(fixed).value("[reshape] the target's number of elements");
    const bool has_open = std::find(target_shape_.begin(), target_shape_.end(), -1) != target_shape_.end();
    if (elements != kUnknown && (has_open ? known == 0 || elements % known != 0 : elements != known)) {
      invalid_argument(
          "[reshape] a row of the input shape {} has {} elements, which do not fit target_shape = {}; in "
          "layer \"{}\"",
          shape_with_none_str(input_shape), elements, ir::shape_str(target_shape_), name());
    }
    for (const std::int64_t extent : target_shape_)
      shape.push_back(extent != -1 ? extent : elements == kUnknown ? kUnknown : elements / known);
    return shape;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::reshape(input, compute_output_shape(input.shape()));
  }

 private:
  Dims target_shape_;
};

class PermuteLayer : public Layer {
 public:
  explicit PermuteLayer(PermuteOptions options)
      : Layer(layer_settings("Permute", options)), dims_(std::move(options.dims)) {
    Dims sorted = dims_;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != static_cast<std::int64_t>(i) + 1)
        option_error("dims", "must be a permutation of 1, 2, ...", ir::shape_str(dims_));
    }
    set_input_spec({.ndim = static_cast<std::int64_t>(dims_.size()) + 1});
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims shape = {input_shape.at(0)};
    for (const std::int64_t dim : dims_) shape.push_back(input_shape.at(static_cast<std::size_t>(dim)));
    return shape;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    Dims permutation = {0};
    permutation.insert(permutation.end(), dims_.begin(), dims_.end());
    return ops::transpose(input, permutation);
  }

 private:
  Dims dims_;
};

class RepeatVectorLayer : public Layer {
 public:
  explicit RepeatVectorLayer(const RepeatVectorOptions& options)
      : Layer(layer_settings("RepeatVector", options)), n_(options.n) {
    if (n_ <= 0) option_error("n", "must be positive", fmt::format("{}", n_));
    set_input_spec({.ndim = 2});
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    return {input_shape.at(0), n_, input_shape.at(1)};
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::broadcast_to(ops::expand_dims(input, 1), {input.shape()[0], n_, input.shape()[1]});
  }

 private:
  std::int64_t n_;
};

}  // namespace

Reshape::Reshape(ReshapeOptions options) : LayerHandle(std::make_shared<ReshapeLayer>(std::move(options))) {}
Permute::Permute(PermuteOptions options) : LayerHandle(std::make_shared<PermuteLayer>(std::move(options))) {}
RepeatVector::RepeatVector(RepeatVectorOptions options)
    : LayerHandle(std::make_shared<RepeatVectorLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
