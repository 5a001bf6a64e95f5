#include "cornu/keras/layers/preprocessing/resizing.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ResizingLayer : public image::ImageLayer {
 public:
  explicit ResizingLayer(const ResizingOptions& options)
      : ImageLayer(layer_settings("Resizing", options), options.data_format),
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
  Tensor transform(const Tensor& images, const CallContext&) override {
    if (ir::is_float(images.dtype()) || resize_.resample.method == ResampleMethod::kNearest)
      return image::resize(images, resize_);
    const Tensor resized = image::resize(ops::cast(images, DType::kF32), resize_);
    return ops::saturate_cast(ops::round(resized), images.dtype());
  }

 private:
  image::ResizeOptions resize_;
};

class CenterCropLayer : public image::ImageLayer {
 public:
  explicit CenterCropLayer(const CenterCropOptions& options)
      : ImageLayer(layer_settings("CenterCrop", options), options.data_format),
        height_(options.height),
        width_(options.width) {
    check_size(options.height, options.width);
  }

 protected:
  std::pair<std::int64_t, std::int64_t> output_size(std::int64_t, std::int64_t) const override {
    return {height_, width_};
  }
  Tensor transform(const Tensor& images, const CallContext&) override {
    const std::int64_t rows = images.shape()[1], columns = images.shape()[2];
    if (rows >= height_ && columns >= width_)
      return image::crop(images, (rows - height_) / 2, (columns - width_) / 2, height_, width_);
    return image::resize(images, {.height = height_, .width = width_, .crop_to_aspect_ratio = true});
  }

 private:
  std::int64_t height_, width_;
};

}  // namespace

Resizing::Resizing(ResizingOptions options)
    : LayerHandle(std::make_shared<ResizingLayer>(std::move(options))) {}
CenterCrop::CenterCrop(CenterCropOptions options)
    : LayerHandle(std::make_shared<CenterCropLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
