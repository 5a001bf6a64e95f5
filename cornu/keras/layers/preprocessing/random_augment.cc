#include "cornu/keras/layers/preprocessing/random_augment.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/preprocessing/equalization.h"
#include "cornu/keras/layers/preprocessing/random_color.h"
#include "cornu/keras/layers/preprocessing/random_image.h"
#include "cornu/keras/layers/preprocessing/random_image_support.h"
#include "cornu/tensor/control_flow.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// A layer that applies changes which are drawn from a list, the same ones to all images of a batch.
class AugmentingLayer : public ValueRangeLayer, public RowsTogether {
 public:
  bool takes_rows_together() const override { return true; }

 protected:
  template <typename Options>
  AugmentingLayer(const char* class_name, const Options& options, bool has_colors)
      : ValueRangeLayer(class_name, with_bounds(options, 0)),
        seed_(options.seed),
        value_range_(options.value_range) {
    check_factor(options.factor, 0);
    const Factor factor = with_bounds(options, 0).factor;
    const double most_bits = std::max(1.0, std::floor(8 * factor.upper()));
    add("random_shear",
        RandomShearOptions{.x_factor = factor, .y_factor = factor, .interpolation = options.interpolation},
        [](auto& o) { return RandomShear(o); });
    add("random_translation",
        RandomTranslationOptions{
            .height_factor = factor, .width_factor = factor, .interpolation = options.interpolation},
        [](auto& o) { return RandomTranslation(o); });
    add("random_rotation", RandomRotationOptions{.factor = factor, .interpolation = options.interpolation},
        [](auto& o) { return RandomRotation(o); });
    add("random_posterization", RandomPosterizationOptions{.factor = most_bits},
        [](auto& o) { return RandomPosterization(o); });
    add("solarization", SolarizationOptions{.addition_factor = factor, .threshold_factor = factor},
        [](auto& o) { return Solarization(o); });
    add("auto_contrast", AutoContrastOptions{}, [](auto& o) { return AutoContrast(o); });
    add("equalization", EqualizationOptions{}, [](auto& o) { return Equalization(o); });
    if (!has_colors) return;
    add("random_brightness", RandomBrightnessOptions{.factor = factor},
        [](auto& o) { return RandomBrightness(o); });
    add("random_color_degeneration", RandomColorDegenerationOptions{.factor = factor},
        [](auto& o) { return RandomColorDegeneration(o); });
    add("random_contrast", RandomContrastOptions{.factor = factor},
        [](auto& o) { return RandomContrast(o); });
    add("random_sharpness", RandomSharpnessOptions{.factor = factor},
        [](auto& o) { return RandomSharpness(o); });
  }

  std::size_t num_changes() const { return changes_.size(); }

  /// The counter of a call's random numbers.
  Tensor call_counter(const CallContext& context) const {
    return context.random_counter.defined() ? context.random_counter : seed_generator().next();
  }
  random::Seed seed_of(const Tensor& counter, std::uint64_t stream) const {
    return {seed_generator().seed() ^ splitmix64(stream), counter};
  }
  /// The images after change `index`, an i32 scalar; none from num_changes() on. `step`: other numbers for
  /// each.
  Tensor changed(const Tensor& images, const Tensor& index, const Tensor& counter, std::uint32_t step) const {
    const Tensor of_step = counter_of(counter, step);
    std::vector<std::function<Tensor()>> branches;
    for (const LayerHandle& change : changes_)
      branches.emplace_back([&] { return change(images, {.training = true, .random_counter = of_step}); });
    branches.emplace_back([&] { return images + 0.0; });
    return switch_case(index, branches);
  }
  /// The same change of masks.
  Tensor changed_masks(const Tensor& masks, const Tensor& index, const Tensor& counter,
                       std::uint32_t step) const {
    return with_change(index, counter, step, masks.shape(), [&](const image::ImageChange& change) {
      return change.of_masks ? change.of_masks(masks) : masks + 0.0;
    });
  }
  /// The same change of boxes in images of this shape.
  image::BoxesAndLabels changed_boxes_of(const image::BoxesAndLabels& boxes, const Dims& shape,
                                         const Tensor& index, const Tensor& counter,
                                         std::uint32_t step) const {
    const Tensor moved = with_change(index, counter, step, shape, [&](const image::ImageChange& change) {
      return change.of_boxes ? change.of_boxes(boxes).boxes : boxes.boxes + 0.0;
    });
    return {moved, boxes.labels};
  }
  /// `count` numbers in [0, num_choices), i32.
  static Tensor choices(std::int64_t count, std::size_t num_choices, const random::Seed& seed) {
    const auto n = static_cast<double>(num_choices);
    return ops::cast(ops::clip(random::uniform({count}, {.dtype = DType::kF32, .seed = seed}) * n, 0, n - 1),
                     DType::kI32);
  }

 private:
  /// apply(the change with this index in a call for images of this shape); with none from num_changes() on.
  template <typename Apply>
  Tensor with_change(const Tensor& index, const Tensor& counter, std::uint32_t step, const Dims& shape,
                     const Apply& apply) const {
    const CallContext context{.training = true, .random_counter = counter_of(counter, step)};
    std::vector<std::function<Tensor()>> branches;
    for (const LayerHandle& change : changes_)
      branches.emplace_back([&] { return apply(ImageLayer::change_of(*change, shape, context)); });
    branches.emplace_back([&] { return apply(image::ImageChange()); });
    return switch_case(index, branches);
  }
  static Tensor counter_of(const Tensor& counter, std::uint32_t step) {
    return counter + Tensor::of<std::uint32_t>({}, {step * 0x9E3779B9U});
  }

  template <typename Options, typename Make>
  void add(const char* name, Options options, const Make& make) {
    options.name = name;
    options.dtype = dtype_policy();
    if constexpr (requires { options.value_range; }) options.value_range = value_range_;
    if constexpr (requires { options.seed; })
      if (seed_.has_value()) options.seed = *seed_ + changes_.size();
    changes_.push_back(track(LayerHandle(make(options)), name));
  }

  std::optional<std::uint64_t> seed_;
  std::vector<double> value_range_;
  std::vector<LayerHandle> changes_;
};

class RandAugmentLayer : public AugmentingLayer {
 public:
  explicit RandAugmentLayer(const RandAugmentOptions& options)
      : AugmentingLayer("RandAugment", options, true), num_ops_(options.num_ops) {
    constexpr std::int64_t kMostChanges = 256;  // each is in the program with all its choices
    if (num_ops_ < 0 || num_ops_ > kMostChanges)
      option_error("num_ops", fmt::format("must be in [0, {}]", kMostChanges), fmt::format("{}", num_ops_));
  }

 protected:
  image::ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    if (num_ops_ == 0) return {.of_images = [](const Tensor& images) { return images; }};
    const Tensor counter = call_counter(context);
    const Tensor indices = choices(num_ops_, num_changes(), seed_of(counter, 1));
    // one(x, index, step) for each change in turn
    const auto in_turn = [count = num_ops_, indices](auto x, const auto& one) {
      for (std::int64_t i = 0; i < count; ++i) x = one(x, indices[i], static_cast<std::uint32_t>(i));
      return x;
    };
    return {.of_images =
                [=, this](const Tensor& images) {
                  return in_turn(images, [&](const Tensor& x, const Tensor& index, std::uint32_t step) {
                    return changed(x, index, counter, step);
                  });
                },
            .of_masks =
                [=, this](const Tensor& masks) {
                  return in_turn(masks, [&](const Tensor& x, const Tensor& index, std::uint32_t step) {
                    return changed_masks(x, index, counter, step);
                  });
                },
            .of_boxes =
                [=, this](const image::BoxesAndLabels& boxes) {
                  return in_turn(
                      boxes, [&](const image::BoxesAndLabels& x, const Tensor& index, std::uint32_t step) {
                        return changed_boxes_of(x, shape, index, counter, step);
                      });
                }};
  }

 private:
  std::int64_t num_ops_;
};

class AugMixLayer : public AugmentingLayer {
 public:
  explicit AugMixLayer(const AugMixOptions& options)
      : AugmentingLayer("AugMix", options, options.all_ops),
        num_chains_(options.num_chains),
        chain_depth_(options.chain_depth),
        alpha_(options.alpha) {
    constexpr std::int64_t kMost = 16;  // each change is in the program with all its choices
    for (const auto& [option, value] :
         {std::pair("num_chains", num_chains_), std::pair("chain_depth", chain_depth_)})
      if (value < 1 || value > kMost)
        option_error(option, fmt::format("must be in [1, {}]", kMost), fmt::format("{}", value));
    if (!(alpha_ > 0)) option_error("alpha", "must be positive", fmt::format("{}", alpha_));
  }

 protected:
  image::ImageChange change_at_random(const Dims&, const CallContext& context) override {
    const Tensor counter = call_counter(context);
    const auto next_seed = [&, stream = std::uint64_t{1}]() mutable { return seed_of(counter, stream++); };
    const std::function<random::Seed()> seeds = next_seed;
    const Tensor alpha = Tensor::of<float>({}, {static_cast<float>(alpha_)});
    const Tensor shares = ops::softmax(log_gamma_draws(alpha, num_chains_, seeds));
    const Tensor share = symmetric_beta(alpha, 1, seeds);
    const Tensor indices = choices(num_chains_ * chain_depth_, num_changes() + 1, seeds());
    // The chains' mixture; one(x, index, step) for each change in turn.
    const auto mixture = [=, this](const Tensor& x, const auto& one) {
      Tensor mixed = ops::zeros(x.shape(), x.dtype());
      for (std::int64_t chain = 0; chain < num_chains_; ++chain) {
        Tensor changed = x;
        for (std::int64_t i = chain * chain_depth_; i < (chain + 1) * chain_depth_; ++i)
          changed = one(changed, indices[i], static_cast<std::uint32_t>(i));
        mixed = mixed + changed * ops::cast(shares[chain], x.dtype());
      }
      const Tensor kept = ops::cast(share, x.dtype());
      return x * kept + mixed * (1.0 - kept);
    };
    return {
        .of_images =
            [=, this](const Tensor& images) {
              return clipped(mixture(images, [&](const Tensor& x, const Tensor& index, std::uint32_t step) {
                return changed(x, index, counter, step);
              }));
            },
        .of_masks =
            [=, this](const Tensor& masks) {
              return mixture(masks, [&](const Tensor& x, const Tensor& index, std::uint32_t step) {
                return changed_masks(x, index, counter, step);
              });
            },
        .mixes_masks = true};
  }

 private:
  std::int64_t num_chains_, chain_depth_;
  double alpha_;
};

}  // namespace

RandAugment::RandAugment(RandAugmentOptions options)
    : ImageHandle(std::make_shared<RandAugmentLayer>(options)) {}
AugMix::AugMix(AugMixOptions options) : ImageHandle(std::make_shared<AugMixLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
