#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "cornu/base/resampling.h"
#include "cornu/data/element.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/utils/bounding_boxes.h"
#include "cornu/tensor/tensor.h"

/// Code shared by the image layers; not part of the interface. Images are [batch, rows, columns, channels].
namespace cornu::inline v0::keras::layers::image {

struct ResizeOptions {
  std::int64_t height;
  std::int64_t width;
  ResampleOptions resample = {};
  bool crop_to_aspect_ratio = false;
  bool pad_to_aspect_ratio = false;
  double fill_value = 0;
};
/// Returns floats of the images' dtype; with "nearest" the images' dtype.
Tensor resize(Tensor images, const ResizeOptions& options);

/// Rows [top, top + height) and columns [left, left + width).
Tensor crop(const Tensor& images, std::int64_t top, std::int64_t left, std::int64_t height,
            std::int64_t width);
/// The largest centered box with the aspect ratio height : width in images of a shape: {top, left, rows,
/// columns}; and the crop to it.
Dims shape_box(const Dims& images, std::int64_t height, std::int64_t width);
Tensor crop_to_shape(const Tensor& images, std::int64_t height, std::int64_t width);

/// The values outside of an image and between its pixels.
struct SampleOptions {
  std::string fill_mode = "reflect";
  std::string interpolation = "bilinear";
  double fill_value = 0;
};
/// The error in the options, or an empty string.
std::string sample_options_error(const SampleOptions& options);

/// The position in the image of pixel (x, y) of the result: (a0 x + a1 y + a2, b0 x + b1 y + b2); each
/// [batch, 1, 1].
struct Affine {
  Tensor a0, a1, a2, b0, b1, b2;
};
/// jax.scipy.ndimage.map_coordinates for each image, as in keras.ops.image.affine_transform.
Tensor affine_transform(const Tensor& images, const Affine& affine, const SampleOptions& options);

/// jax.scipy.ndimage.map_coordinates for each image: the pixels at columns x and rows y, [batch, rows,
/// columns].
Tensor sample_at(const Tensor& images, const Tensor& x, const Tensor& y, const SampleOptions& options);
/// The numbers of the columns, [1, 1, columns], and of the rows, [1, rows, 1].
Tensor column_numbers(const Tensor& images);
Tensor row_numbers(const Tensor& images);

/// Boxes "xyxy" in pixels, [batch, boxes, 4], and their labels.
using BoxesAndLabels = utils::bounding_boxes::BoundingBoxes;
/// The place (x, y) in the result of a point of the image, [batch, boxes, 1] each.
using MovePoint = std::function<std::pair<Tensor, Tensor>(const Tensor& x, const Tensor& y)>;
/// The boxes around boxes whose corners move.
Tensor boxes_around(const Tensor& boxes, const MovePoint& move);
/// The same of affine_transform's images.
Tensor moved_boxes(const Tensor& boxes, const Affine& affine);

/// One call's change of a batch of images.
struct ImageChange {
  std::function<Tensor(const Tensor& images)> of_images;
  /// The same for masks, f32; null: masks stay.
  std::function<Tensor(const Tensor& masks)> of_masks = {};
  /// The boxes in the result, which need not be cut at its edges; null: boxes stay.
  std::function<BoxesAndLabels(const BoxesAndLabels& boxes)> of_boxes = {};
  /// The boxes of images that are mixed, in the format of the given ones; instead of of_boxes.
  std::function<BoxesAndLabels(const BoxesAndLabels& boxes)> of_mixed_boxes = {};
  /// The reason why elements with boxes are refused; empty: they are not.
  std::string refuses_boxes = {};
  /// The labels of the images, [batch, classes]; null: labels stay.
  std::function<Tensor(const Tensor& labels)> of_labels = {};
  /// True: of_masks gives values between those of the masks, which stay floats.
  bool mixes_masks = false;
};

/// Boxes in the part of images from row `top` and column `left` on, which is then resized by these factors.
BoxesAndLabels resized_boxes(const BoxesAndLabels& boxes, double top, double left, double down,
                             double across);
/// The change to the part {top, left, rows, columns} of images, resized.
ImageChange resized_part(const Dims& part, std::int64_t height, std::int64_t width);

/// A layer that ImageHandle calls on elements by name.
class LabeledLayer {
 public:
  virtual ~LabeledLayer() = default;
  /// Changes the images, boxes and masks of an element by name; see ImageHandle.
  virtual data::Element changed_with_labels(const data::Element& labeled, const CallArguments& arguments) = 0;
};

/// An element by name whose boxes and labels, of a batch or of one image, are changed as those of a batch. Boxes are
/// float32 then, as in Keras. Errors: InvalidArgument for boxes without a format, or of other shapes; `num_images`
/// is the size of the batch.
BoxesAndLabels changed_boxes(const Layer& layer, const std::string& box_format, const data::Element& given,
                             std::int64_t num_images,
                             const std::function<BoxesAndLabels(const BoxesAndLabels&)>& change);

/// A layer that takes one image or a batch, with channels first or last: transform() gets batches with
/// channels last.
/// Errors: InvalidArgument for images without rows or columns.
class ImageLayer : public Layer, public LabeledLayer {
 public:
  Dims compute_output_shape(const Dims& input_shape) const override;
  data::Element changed_with_labels(const data::Element& labeled, const CallArguments& arguments) override;
  /// The change of a layer of images in one call.
  static ImageChange change_of(Layer& layer, const Dims& shape, const CallContext& context) {
    return dynamic_cast<ImageLayer&>(layer).change(shape, context);
  }
  /// The default of `training` in Keras: a layer that is called outside of a model augments.
  bool default_training() const override { return true; }

 protected:
  /// `box_format`: the format of boxes; empty: none are taken.
  ImageLayer(LayerSettings settings, const std::string& data_format, std::string box_format = {});
  /// Changes a batch with channels last. A layer overrides this or change().
  virtual Tensor transform(const Tensor& images, const CallContext& context);
  /// The change of images of this shape. Unless overridden: that of transform(), which leaves boxes and masks
  /// as they are.
  virtual ImageChange change(const Dims& shape, const CallContext& context);
  /// Rows and columns of the result.
  virtual std::pair<std::int64_t, std::int64_t> output_size(std::int64_t height, std::int64_t width) const {
    return {height, width};
  }
  /// True if transform() gets pixels in the layer's dtype; false if it gets them unchanged.
  virtual bool casts() const { return true; }
  Tensor call(const Tensor& input, const CallContext& context) final;
  /// Checks sizes given in options. Errors: InvalidArgument.
  void check_size(std::int64_t height, std::int64_t width) const;

 private:
  void check_images(const Dims& input_shape) const;
  void check_box_format() const;
  /// A batch with channels last, and the form of `given` again.
  Tensor in_batch(const Tensor& images) const;
  Tensor as_given(const Tensor& batch, const Tensor& given) const;
  /// Changes the boxes of an element whose images have this shape; see ImageHandle.
  void change_boxes(data::Element& boxes, const Dims& shape, const ImageChange& change) const;
  BoxesAndLabels changed_boxes(const data::Element& given, const Dims& shape,
                               const ImageChange& change) const;

  bool channels_first_;
  std::string box_format_;
};

}  // namespace cornu::inline v0::keras::layers::image
