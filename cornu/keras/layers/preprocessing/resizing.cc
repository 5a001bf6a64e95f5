#include "cornu/keras/layers/preprocessing/resizing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using image::BoxesAndLabels;
using image::ImageChange;

class ResizingLayer : public image::ImageLayer {
 public:
  explicit ResizingLayer(const ResizingOptions& options)
      : ImageLayer(layer_settings("Resizing", options), options.data_format, options.bounding_box_format),
        resize_{.height = options.height,
                .width = options.width,
                .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
                .pad_to_aspect_ratio = options.pad_to_aspect_ratio,
                .fill_value = options.fill_value} {
    check_size(options.height, options.width);
    const auto method = resample_method_named(options.interpolation);
    const bool is_known = method == ResampleMethod::kNearest || method == ResampleMethod::kBilinear ||
                          method == ResampleMethod::kBicubic || method == ResampleMethod::kLanczos3 ||
                          method == ResampleMethod::kLanczos5;
    if (!is_known)
      option_error("interpolation", "must be bilinear, nearest, bicubic, lanczos3 or lanczos5",
                   options.interpolation);
    if (options.fill_mode != "constant") option_error("fill_mode", "must be \"constant\"", options.fill_mode);
    if (options.crop_to_aspect_ratio && options.pad_to_aspect_ratio)
      option_error(
          "only one of crop_to_aspect_ratio and pad_to_aspect_ratio "
          "can be set");
    resize_.resample = {.method = *method, .antialias = options.antialias};
    set_type_rule(TypeRule::kKept);
  }

 protected:
  bool casts() const override { return false; }
  std::pair<std::int64_t, std::int64_t> output_size(std::int64_t, std::int64_t) const override {
    return {resize_.height, resize_.width};
  }
  ImageChange change(const Dims& shape, const CallContext&) override {
    image::ResizeOptions nearest = resize_;
    nearest.resample = {.method = ResampleMethod::kNearest};
    return {.of_images = [this](const Tensor& images) { return resized(images); },
            .of_masks = [nearest](const Tensor& masks) { return image::resize(masks, nearest); },
            .of_boxes = [this, shape](const BoxesAndLabels& boxes) { return resized_boxes(boxes, shape); }};
  }

 private:
  Tensor resized(const Tensor& images) const {
    if (ir::is_float(images.dtype()) || resize_.resample.method == ResampleMethod::kNearest)
      return image::resize(images, resize_);
    const Tensor resized = image::resize(ops::cast(images, DType::kF32), resize_);
    return ops::saturate_cast(ops::round(resized), images.dtype());
  }
  /// Offsets are whole pixels of the result, as in Keras. Boxes of -1 or 0 alone, which fill lists up, become
  /// zeros.
  BoxesAndLabels resized_boxes(const BoxesAndLabels& given, const Dims& shape) const {
    const auto rows = static_cast<double>(shape[1]), columns = static_cast<double>(shape[2]);
    const auto height = static_cast<double>(resize_.height), width = static_cast<double>(resize_.width);
    double down = height / rows, across = width / columns, top = 0, left = 0;
    if (resize_.pad_to_aspect_ratio) {
      down = across = std::min(down, across);
      top = std::floor((height - rows * down) / 2);
      left = std::floor((width - columns * across) / 2);
    } else if (resize_.crop_to_aspect_ratio) {
      down = across = std::max(down, across);
      top = -std::floor((rows * down - height) / 2);
      left = -std::floor((columns * across - width) / 2);
    }
    const Tensor is_filling =
        ops::logical_or(ops::all(ops::equal(given.boxes, -1), {.axis = -1, .keepdims = true}),
                        ops::all(ops::equal(given.boxes, 0), {.axis = -1, .keepdims = true}));
    BoxesAndLabels boxes = image::resized_boxes(given, -top / down, -left / across, down, across);
    boxes.boxes = ops::where(is_filling, 0.0, boxes.boxes);
    return boxes;
  }

  image::ResizeOptions resize_;
};

class CenterCropLayer : public image::ImageLayer {
 public:
  explicit CenterCropLayer(const CenterCropOptions& options)
      : ImageLayer(layer_settings("CenterCrop", options), options.data_format, options.bounding_box_format),
        height_(options.height),
        width_(options.width) {
    check_size(options.height, options.width);
  }

 protected:
  std::pair<std::int64_t, std::int64_t> output_size(std::int64_t, std::int64_t) const override {
    return {height_, width_};
  }
  ImageChange change(const Dims& shape, const CallContext&) override {
    const std::int64_t rows = shape[1], columns = shape[2];
    const bool is_cut = rows >= height_ && columns >= width_;
    const Dims part = is_cut ? Dims{(rows - height_) / 2, (columns - width_) / 2, height_, width_}
                             : image::shape_box(shape, height_, width_);
    return image::resized_part(part, height_, width_);
  }

 private:
  std::int64_t height_, width_;
};

}  // namespace

Resizing::Resizing(ResizingOptions options)
    : ImageHandle(std::make_shared<ResizingLayer>(std::move(options))) {}
CenterCrop::CenterCrop(CenterCropOptions options)
    : ImageHandle(std::make_shared<CenterCropLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
