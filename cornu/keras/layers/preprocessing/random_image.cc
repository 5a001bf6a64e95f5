#include "cornu/keras/layers/preprocessing/random_image.h"

#include <algorithm>
#include <numbers>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/keras/layers/preprocessing/random_image_support.h"
#include "cornu/keras/layers/regularization/noise_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras::layers {
namespace {

using image::BoxesAndLabels;
using image::ImageChange;

class RandomFlipLayer : public RandomImageLayer {
 public:
  explicit RandomFlipLayer(const RandomFlipOptions& options) : RandomImageLayer("RandomFlip", options) {
    const std::string& mode = options.mode;
    if (mode != "horizontal" && mode != "vertical" && mode != "horizontal_and_vertical")
      option_error("mode", "must be \"horizontal\", \"vertical\" or \"horizontal_and_vertical\"", mode);
    if (mode != "vertical") axes_.push_back(2);
    if (mode != "horizontal") axes_.push_back(1);
  }

 protected:
  ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    const Tensor flips = ops::less_equal(between(draws(shape, context, 1), 0, 0, 1), 0.5);
    const auto flipped = [this, flips](const Tensor& images) {
      return ops::where(ops::expand_dims(flips, -1), ops::flip(images, {.axis = axes_}), images);
    };
    return {.of_images = flipped,
            .of_masks = flipped,
            .of_boxes = [this, flips, shape](const BoxesAndLabels& boxes) {
              return BoxesAndLabels{ops::where(flips, mirrored(boxes.boxes, shape), boxes.boxes),
                                    boxes.labels};
            }};
  }

 private:
  Tensor mirrored(const Tensor& boxes, const Dims& shape) const {
    const bool is_across = axes_.front() == 2, is_down = axes_.back() == 1;
    const auto rows = static_cast<double>(shape[1]), columns = static_cast<double>(shape[2]);
    return image::boxes_around(boxes, [&](const Tensor& x, const Tensor& y) {
      return std::pair(is_across ? columns - x : x, is_down ? rows - y : y);
    });
  }

  std::vector<std::int64_t> axes_;
};

class RandomCropLayer : public RandomImageLayer {
 public:
  explicit RandomCropLayer(const RandomCropOptions& options)
      : RandomImageLayer("RandomCrop", options), height_(options.height), width_(options.width) {
    check_size(options.height, options.width);
  }

 protected:
  std::pair<std::int64_t, std::int64_t> output_size(std::int64_t, std::int64_t) const override {
    return {height_, width_};
  }
  Tensor transform(const Tensor& images, const CallContext& context) override {
    return change(images.shape(), context).of_images(images);
  }
  ImageChange change(const Dims& shape, const CallContext& context) override {
    const std::int64_t rows = shape[1], columns = shape[2];
    const Dims box = image::shape_box(shape, height_, width_);
    if (!context.training) return image::resized_part(box, height_, width_);
    if (rows > height_ && columns > width_) return change_at_random(shape, context);
    // Cropped, as in Keras, from the corner of the largest box of the new shape, as far as the image extends.
    return image::resized_part(
        {box[0], box[1], std::min(height_, rows - box[0]), std::min(width_, columns - box[1])}, height_,
        width_);
  }
  ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    const Tensor drawn =
        random::uniform({2}, {.dtype = DType::kF32, .seed = noise::call_seed(seed_generator(), context)});
    const Tensor most = Tensor::of<float>(
        {2}, {static_cast<float>(shape[1] - height_ + 1), static_cast<float>(shape[2] - width_ + 1)});
    const Tensor place = ops::cast(drawn * most, DType::kI32);
    const auto part = [this, place](const Tensor& images) {
      const Tensor zero = Tensor::of<std::int32_t>({1}, {0});
      return ops::slice(images, ops::concatenate({zero, place, zero}, 0),
                        {images.shape()[0], height_, width_, images.shape()[3]});
    };
    return {.of_images = part, .of_masks = part, .of_boxes = [place](const BoxesAndLabels& boxes) {
              const Tensor corner = ops::cast(ops::flip(place), DType::kF32);
              return BoxesAndLabels{boxes.boxes - ops::concatenate({corner, corner}, 0), boxes.labels};
            }};
  }

 private:
  std::int64_t height_, width_;
};

class RandomContrastLayer : public ValueRangeLayer {
 public:
  explicit RandomContrastLayer(const RandomContrastOptions& options)
      : ValueRangeLayer("RandomContrast", with_bounds(options, 0)), factor_(with_bounds(options, 0).factor) {
    check_factor(options.factor, 0);
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor mean = ops::mean(images, {.axis = {1, 2}, .keepdims = true});
    const Tensor factor = draw(images, context, 1 - factor_.lower(), 1 + factor_.upper());
    return clipped((images - mean) * ops::cast(factor, images.dtype()) + mean);
  }

 private:
  Factor factor_;
};

class RandomBrightnessLayer : public ValueRangeLayer {
 public:
  explicit RandomBrightnessLayer(const RandomBrightnessOptions& options)
      : ValueRangeLayer("RandomBrightness", with_bounds(options, -1)), factor_(options.factor) {
    check_factor(options.factor, -1);
  }

 protected:
  Tensor transform_at_random(const Tensor& images, const CallContext& context) override {
    const Tensor delta = draw(images, context, factor_.lower(), factor_.upper()) * extent();
    return clipped(images + ops::cast(delta, images.dtype()));
  }

 private:
  Factor factor_;
};

class AffineLayer : public RandomImageLayer {
 protected:
  template <typename Options>
  AffineLayer(const char* class_name, const Options& options)
      : RandomImageLayer(class_name, options),
        sample_{options.fill_mode, options.interpolation, options.fill_value} {
    if (const std::string error = image::sample_options_error(sample_); !error.empty()) option_error(error);
  }
  virtual image::Affine affine(const Dims& shape, const CallContext& context) const = 0;
  ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    const image::Affine map = affine(shape, context);
    image::SampleOptions nearest = sample_;
    nearest.interpolation = "nearest";
    return {.of_images =
                [this, map](const Tensor& images) { return image::affine_transform(images, map, sample_); },
            .of_masks =
                [map, nearest](const Tensor& masks) { return image::affine_transform(masks, map, nearest); },
            .of_boxes =
                [map](const BoxesAndLabels& boxes) {
                  return BoxesAndLabels{image::moved_boxes(boxes.boxes, map), boxes.labels};
                }};
  }
  static Tensor constant(double value) { return Tensor::of<float>({1, 1, 1}, {static_cast<float>(value)}); }
  static double middle(const Dims& shape, std::size_t axis) {
    return static_cast<double>(shape[axis] - 1) / 2;
  }

 private:
  image::SampleOptions sample_;
};

class RandomTranslationLayer : public AffineLayer {
 public:
  explicit RandomTranslationLayer(const RandomTranslationOptions& options)
      : AffineLayer("RandomTranslation", options),
        height_(options.height_factor),
        width_(options.width_factor) {
    check_each("height_factor", height_, MinusOne::kTaken);
    check_each("width_factor", width_, MinusOne::kTaken);
  }

 protected:
  image::Affine affine(const Dims& shape, const CallContext& context) const override {
    const Tensor drawn = draws(shape, context, 2);
    const auto rows = static_cast<double>(shape[1]), columns = static_cast<double>(shape[2]);
    const Tensor down = between(drawn, 0, height_.lower(), height_.upper()) * rows;
    const Tensor right = between(drawn, 1, width_.lower(), width_.upper()) * columns;
    return {constant(1), constant(0), -right, constant(0), constant(1), -down};
  }

 private:
  Factor height_, width_;
};

class RandomShearLayer : public AffineLayer {
 public:
  explicit RandomShearLayer(const RandomShearOptions& options)
      : AffineLayer("RandomShear", bounded(options)), x_(options.x_factor), y_(options.y_factor) {
    check_shear("x_factor", x_);
    check_shear("y_factor", y_);
  }

 protected:
  image::Affine affine(const Dims& shape, const CallContext& context) const override {
    const Tensor drawn = draws(shape, context, 3);
    const Tensor sign = ops::where(ops::greater(between(drawn, 0, 0, 1), 0.5), -1.0, 1.0);
    return {constant(1), between(drawn, 1, x_.lower(), x_.upper()) * sign,
            constant(0), between(drawn, 2, y_.lower(), y_.upper()) * sign,
            constant(1), constant(0)};
  }

 private:
  static RandomShearOptions bounded(RandomShearOptions options) {
    options.x_factor = bounds_of(options.x_factor, -1);
    options.y_factor = bounds_of(options.y_factor, -1);
    return options;
  }
  /// Keras writes bounds below 0, which its constructor refuses.
  void check_shear(const char* option, const Factor& factor) const {
    if (!(factor.number() >= (factor.is_number() ? 0 : -1) && factor.lower() >= -1 && factor.upper() <= 1))
      option_error(option, "must be a number in [0, 1], or two in [-1, 1]",
                   factor.is_number() ? fmt::format("{}", factor.number())
                                      : fmt::format("{{{}, {}}}", factor.first(), factor.second()));
  }

  Factor x_, y_;
};

class RandomPerspectiveLayer : public RandomImageLayer {
 public:
  explicit RandomPerspectiveLayer(const RandomPerspectiveOptions& options)
      : RandomImageLayer("RandomPerspective", with_bounds(options, 0)),
        factor_(with_bounds(options, 0).factor),
        scale_(options.scale),
        sample_{"constant", options.interpolation, options.fill_value} {
    check_factor(options.factor, 0);
    if (!(scale_ >= 0 && scale_ <= 1)) option_error("scale", "must be in [0, 1]", fmt::format("{}", scale_));
    if (const std::string error = image::sample_options_error(sample_); !error.empty()) option_error(error);
  }

 protected:
  /// The corner at the origin stays; the two beside it move along their axes, to `a` and `b`, and the last
  /// one to (c, d). A pixel of the result at one of these shows the pixel of the corner.
  ImageChange change_at_random(const Dims& shape, const CallContext& context) override {
    const Tensor drawn = draws(shape, context, 6);
    const double width = static_cast<double>(std::max<std::int64_t>(shape[2] - 1, 1)),
                 height = static_cast<double>(std::max<std::int64_t>(shape[1] - 1, 1));
    const auto moved = [&](std::int64_t i, double side) {
      return between(drawn, i, 1 - 0.5 * scale_, 1 + 0.5 * scale_) * side;
    };
    const Tensor a = moved(0, width), b = moved(1, height), c = moved(2, width), d = moved(3, height);
    const Tensor of_x = (d / b - 1.0) / c, of_y = (c / a - 1.0) / d;
    const Map map = {of_x, of_y, (of_x + 1.0 / a) * width, (of_y + 1.0 / b) * height};
    const Tensor probability = between(drawn, 4, factor_.lower(), factor_.upper());
    const Tensor is_moved = ops::less(between(drawn, 5, 0, 1), probability);
    image::SampleOptions nearest = sample_;
    nearest.interpolation = "nearest";
    const auto seen = [map, is_moved](const Tensor& images, const image::SampleOptions& sample) {
      return ops::where(ops::expand_dims(is_moved, -1), map.seen(images, sample), images);
    };
    return {.of_images = [this, seen](const Tensor& images) { return seen(images, sample_); },
            .of_masks = [seen, nearest](const Tensor& masks) { return seen(masks, nearest); },
            .of_boxes =
                [map, is_moved](const BoxesAndLabels& boxes) {
                  return BoxesAndLabels{ops::where(is_moved, map.moved(boxes.boxes), boxes.boxes),
                                        boxes.labels};
                }};
  }

 private:
  /// Pixel (x, y) of the result shows (across x, down y) / (of_x x + of_y y + 1); each [batch, 1, 1].
  struct Map {
    Tensor of_x, of_y, across, down;

    Tensor seen(const Tensor& images, const image::SampleOptions& sample) const {
      const Tensor x = image::column_numbers(images), y = image::row_numbers(images);
      const Tensor divisor = of_x * x + of_y * y + 1.0;
      return image::sample_at(images, across * x / divisor * ops::ones_like(y),
                              down * y / divisor * ops::ones_like(x), sample);
    }
    Tensor moved(const Tensor& boxes) const {
      return image::boxes_around(boxes, [&](const Tensor& x, const Tensor& y) {
        const Tensor right = x / across, below = y / down;
        const Tensor divisor = 1.0 - of_x * right - of_y * below;
        return std::pair(right / divisor, below / divisor);
      });
    }
  };

  Factor factor_;
  double scale_;
  image::SampleOptions sample_;
};

class RandomRotationLayer : public AffineLayer {
 public:
  explicit RandomRotationLayer(const RandomRotationOptions& options)
      : AffineLayer("RandomRotation", with_bounds(options, -1)), factor_(options.factor) {
    check_factor(factor_, -1);
  }

 protected:
  image::Affine affine(const Dims& shape, const CallContext& context) const override {
    constexpr double kTurn = 2 * std::numbers::pi;
    const Tensor angle = between(draws(shape, context, 1), 0, factor_.lower(), factor_.upper()) * kTurn;
    const Tensor cosine = ops::cos(angle), sine = ops::sin(angle);
    const double x = middle(shape, 2), y = middle(shape, 1);
    return {cosine, -sine, x - x * cosine + y * sine, sine, cosine, y - x * sine - y * cosine};
  }

 private:
  Factor factor_;
};

class RandomZoomLayer : public AffineLayer {
 public:
  explicit RandomZoomLayer(const RandomZoomOptions& options)
      : AffineLayer("RandomZoom", options), height_(options.height_factor), width_(options.width_factor) {
    check_each("height_factor", height_, MinusOne::kRefused);
    if (width_.has_value()) check_each("width_factor", *width_, MinusOne::kRefused);
  }

 protected:
  image::Affine affine(const Dims& shape, const CallContext& context) const override {
    const Tensor drawn = draws(shape, context, width_.has_value() ? 2 : 1);
    const Tensor down = between(drawn, 0, 1 + height_.lower(), 1 + height_.upper());
    const Tensor across =
        width_.has_value() ? between(drawn, 1, 1 + width_->lower(), 1 + width_->upper()) : down;
    return {across,      constant(0), middle(shape, 2) * (1 - across),
            constant(0), down,        middle(shape, 1) * (1 - down)};
  }

 private:
  Factor height_;
  std::optional<Factor> width_;
};

}  // namespace

RandomFlip::RandomFlip(RandomFlipOptions options)
    : ImageHandle(std::make_shared<RandomFlipLayer>(std::move(options))) {}
RandomCrop::RandomCrop(RandomCropOptions options)
    : ImageHandle(std::make_shared<RandomCropLayer>(std::move(options))) {}
RandomContrast::RandomContrast(RandomContrastOptions options)
    : ImageHandle(std::make_shared<RandomContrastLayer>(std::move(options))) {}
RandomBrightness::RandomBrightness(RandomBrightnessOptions options)
    : ImageHandle(std::make_shared<RandomBrightnessLayer>(std::move(options))) {}
RandomTranslation::RandomTranslation(RandomTranslationOptions options)
    : ImageHandle(std::make_shared<RandomTranslationLayer>(std::move(options))) {}
RandomShear::RandomShear(RandomShearOptions options)
    : ImageHandle(std::make_shared<RandomShearLayer>(options)) {}
RandomPerspective::RandomPerspective(RandomPerspectiveOptions options)
    : ImageHandle(std::make_shared<RandomPerspectiveLayer>(options)) {}
RandomRotation::RandomRotation(RandomRotationOptions options)
    : ImageHandle(std::make_shared<RandomRotationLayer>(std::move(options))) {}
RandomZoom::RandomZoom(RandomZoomOptions options)
    : ImageHandle(std::make_shared<RandomZoomLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
