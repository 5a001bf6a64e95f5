#include "cornu/keras/layers/preprocessing/mixing.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/preprocessing/random_image_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// A layer that mixes each image, and its label if there are labels, with another one of the batch.
class MixingLayer : public RandomImageLayer, public RowsTogether {
 public:
  bool takes_rows_together() const override { return true; }
  std::vector<std::string> input_names() const override { return {"images", "labels"}; }
  std::size_t num_optional_inputs() const override { return 1; }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_inputs(shapes_of(inputs));
    std::vector<TensorType> types = {{compute_dtype(), compute_output_shape(inputs[0].dims)}};
    if (inputs.size() == 2) types.push_back({compute_dtype(), inputs[1].dims});
    return types;
  }

 protected:
  template <typename Options>
  MixingLayer(const char* class_name, const Options& options) : RandomImageLayer(class_name, options) {
    set_input_spec({});  // it is the images'; labels have another
    set_type_rule(TypeRule::kOverridden);
  }

  /// The draws of one call for a batch of images.
  struct Mix {
    /// The images, or masks, mixed with the others.
    std::function<Tensor(const Tensor& images, const Tensor& others)> of_images;
    Tensor share;                    // of the label that stays, [batch]
    bool mixes_masks;                // to values between those of the classes
    std::string refuses_boxes = {};  // as in ImageChange
  };
  virtual Mix mix(const Dims& shape, const CallContext& context) const = 0;

  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    check_inputs(shapes_of(inputs));
    std::vector<Tensor> outputs = RandomImageLayer::call_for(inputs.first(1), context);
    if (inputs.size() == 2) {
      const Tensor labels = ops::cast(inputs[1], compute_dtype());
      outputs.push_back(change_.of_labels ? change_.of_labels(labels) : labels);
    }
    change_ = {};
    return outputs;
  }

  Tensor transform_at_random(const Tensor& images, const CallContext& context) final {
    change_ = change_at_random(images.shape(), context);
    return change_.of_images(images);
  }

  image::ImageChange change_at_random(const Dims& shape, const CallContext& context) final {
    context.rows.require_exact(fmt::format("layer \"{}\" mixes the rows of a batch", name()));
    const Tensor order =
        random::shuffle(ops::arange(shape[0], DType::kI32), {.seed = stream_seed(context, 1)});
    const Mix drawn = mix(shape, context);
    const auto mixed = [drawn, order, is_one = shape[0] == 1](const Tensor& images) {
      return is_one ? images : drawn.of_images(images, ops::take(images, order, {.axis = 0}));
    };
    const auto joined = [order](const Tensor& x) {
      return ops::concatenate({x, ops::take(x, order, {.axis = 0})}, 1);
    };
    return {.of_images = mixed,
            .of_masks = mixed,
            .of_mixed_boxes =
                [joined](const image::BoxesAndLabels& boxes) {
                  return image::BoxesAndLabels{joined(boxes.boxes), joined(boxes.labels)};
                },
            .refuses_boxes = drawn.refuses_boxes,
            .of_labels =
                [=, this](const Tensor& labels) {
                  check_labels(shape[0], labels.shape());
                  const Tensor share = ops::cast(ops::expand_dims(drawn.share, 1), compute_dtype());
                  return labels * share + ops::take(labels, order, {.axis = 0}) * (1.0 - share);
                },
            .mixes_masks = drawn.mixes_masks};
  }

  /// A function that gives other numbers at each call.
  std::function<random::Seed()> seeds(const CallContext& context) const {
    return [this, &context, stream = std::uint64_t{2}]() mutable { return stream_seed(context, stream++); };
  }

 private:
  void check_inputs(std::span<const Dims> shapes) const {
    if (shapes.size() != 1 && shapes.size() != 2)
      invalid_argument("[{}] expected images, or images and labels; got {} inputs", snake_case(class_name()),
                       shapes.size());
    if (shapes.size() == 2) check_labels(shapes[0].size() == 4 ? shapes[0][0] : 0, shapes[1]);
  }
  void check_labels(std::int64_t batch, const Dims& labels) const {
    if (labels.size() != 2 || !(labels[0] == batch || labels[0] == kUnknown || batch == kUnknown))
      invalid_argument(
          {.layer = name()},
          "[{}] labels must have the shape [batch, classes], with the batch of the images; got {}",
          snake_case(class_name()), shape_with_none_str(labels));
  }

  image::ImageChange change_;  // during a training call
};

class MixUpLayer : public MixingLayer {
 public:
  explicit MixUpLayer(const MixUpOptions& options) : MixingLayer("MixUp", options), alpha_(options.alpha) {
    if (!(alpha_ > 0)) option_error("alpha", "must be positive", fmt::format("{}", alpha_));
  }

 protected:
  Mix mix(const Dims& shape, const CallContext& context) const override {
    const std::int64_t batch = shape[0];
    const Tensor alpha = Tensor::of<float>({}, {static_cast<float>(alpha_)});
    const Tensor share = symmetric_beta(alpha, batch, seeds(context));
    return {.of_images =
                [=](const Tensor& images, const Tensor& others) {
                  const Tensor of_pixels = ops::cast(ops::reshape(share, {batch, 1, 1, 1}), images.dtype());
                  return images * of_pixels + others * (1.0 - of_pixels);
                },
            .share = share,
            .mixes_masks = true};
  }

 private:
  double alpha_;
};

class CutMixLayer : public MixingLayer {
 public:
  explicit CutMixLayer(const CutMixOptions& options)
      : MixingLayer("CutMix", with_bounds(options, 0)), factor_(with_bounds(options, 0).factor) {
    check_factor(options.factor, 0);
  }

 protected:
  Mix mix(const Dims& shape, const CallContext& context) const override {
    const std::int64_t batch = shape[0];
    const std::function<random::Seed()> next_seed = seeds(context);
    const Tensor alpha = random::uniform({}, {.dtype = DType::kF32, .seed = next_seed()}) *
                             (factor_.upper() - factor_.lower()) +
                         (factor_.lower() + 1e-6);
    const Tensor side = ops::reshape(ops::sqrt(1.0 - symmetric_beta(alpha, batch, next_seed)), {batch, 1, 1});
    const Tensor drawn = draws(shape, context, 2);
    const Box box = box_of(
        {.width = side, .height = side, .left = between(drawn, 0, 0, 1), .top = between(drawn, 1, 0, 1)},
        shape);
    const auto area = static_cast<double>(shape[1] * shape[2]);
    const Tensor share = 1.0 - (box.right - box.left) * (box.bottom - box.top) / area;
    return {.of_images =
                [box](const Tensor& images, const Tensor& others) {
                  return ops::where(inside_of(box, images), others, images);
                },
            .share = ops::reshape(share, {batch}),
            .mixes_masks = false,
            .refuses_boxes = "a patch may show a part of an object; use MixUp"};
  }

 private:
  Factor factor_;
};

}  // namespace

MixUp::MixUp(MixUpOptions options) : ImageHandle(std::make_shared<MixUpLayer>(options)) {}
CutMix::CutMix(CutMixOptions options) : ImageHandle(std::make_shared<CutMixLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
