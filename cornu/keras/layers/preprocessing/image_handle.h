#pragma once

#include <concepts>

#include "cornu/data/element.h"
#include "cornu/keras/layer/layer_handle.h"

namespace cornu::inline v0::keras::layers {

/// A layer that changes images, and their boxes and masks with them.
///
///     const layers::RandomFlip flip({.bounding_box_format = "xyxy"});
///     train = photos.batch(8).map(flip);  // of elements {"images", "bounding_boxes": {"boxes", "labels"}}
///
/// Semantics: an element by name has "images", one image or a batch, and any of: "bounding_boxes", {"boxes",
///            "labels"} of shapes [batch, boxes, 4] and [batch, boxes]; "segmentation_masks", like the
///            images; and others, such as "labels" of the images, which stay. All change alike. Masks keep
///            their dtype, and get values of the nearest pixels; boxes are cut at the edges of the result, and
///            boxes of which nothing is left get the label -1. Boxes of images that are turned are the boxes
///            around the turned ones. Layers that change only colors leave boxes and masks as they are.
///            Mixing layers (MixUp, CutMix, AugMix): see there.
/// Shapes:    an image [height, width, channels] or images [batch, height, width, channels], or with the channels
///            first -> the same, or the height and width that a layer's options give.
/// Errors:    InvalidArgument for elements without images, for boxes of other shapes, and for boxes of a layer
///            that moves pixels without a bounding_box_format.
class ImageHandle : public LayerHandle {
 public:
  using LayerHandle::LayerHandle;
  using LayerHandle::operator();
  /// Changes at random unless `arguments.training` is false.
  template <std::same_as<data::Element> E>
  data::Element operator()(const E& labeled, const CallArguments& arguments = {}) const {
    return with_labels(labeled, arguments);
  }

 private:
  data::Element with_labels(const data::Element& labeled, const CallArguments& arguments) const;
};

}  // namespace cornu::inline v0::keras::layers
