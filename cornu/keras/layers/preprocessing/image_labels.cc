#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace image {
namespace {

using data::Element;

/// The parts of an element by name.
class NamedParts {
 public:
  NamedParts(const char* op, const Element& element)
      : names_(element.names()), parts_(element.parts().begin(), element.parts().end()) {
    if (!element.is_structure() || names_.empty() || find("images") == nullptr)
      invalid_argument("[{}] takes images, or an element by name with \"images\"; got {}", op,
                       element.type_str());
  }
  Element* find(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? nullptr : &parts_[static_cast<std::size_t>(found - names_.begin())];
  }
  Element joined() && { return Element(std::move(names_), std::move(parts_)); }

 private:
  std::vector<std::string> names_;
  std::vector<Element> parts_;
};

}  // namespace

Tensor boxes_around(const Tensor& boxes, const MovePoint& move) {
  const std::vector<Tensor> sides = ops::split(boxes, 4, {.axis = -1});
  std::vector<Tensor> xs, ys;
  for (const Tensor& x : {sides[0], sides[2]})
    for (const Tensor& y : {sides[1], sides[3]}) {
      const auto [moved_x, moved_y] = move(x, y);
      xs.push_back(moved_x);
      ys.push_back(moved_y);
    }
  const auto extreme = [](const std::vector<Tensor>& all, auto of) {
    return of(of(all[0], all[1]), of(all[2], all[3]));
  };
  const auto least = [](const Tensor& a, const Tensor& b) { return ops::minimum(a, b); };
  const auto most = [](const Tensor& a, const Tensor& b) { return ops::maximum(a, b); };
  return ops::concatenate({extreme(xs, least), extreme(ys, least), extreme(xs, most), extreme(ys, most)}, -1);
}

BoxesAndLabels resized_boxes(const BoxesAndLabels& boxes, double top, double left, double down,
                             double across) {
  const auto all = [](double x, double y) {
    const auto right = static_cast<float>(x), below = static_cast<float>(y);
    return Tensor::of<float>({4}, {right, below, right, below});
  };
  return {(boxes.boxes - all(left, top)) * all(across, down), boxes.labels};
}

ImageChange resized_part(const Dims& part, std::int64_t height, std::int64_t width) {
  const auto resized = [=](const Tensor& images, ResampleMethod method) {
    return resize(crop(images, part[0], part[1], part[2], part[3]),
                  {.height = height, .width = width, .resample = {.method = method}});
  };
  return {.of_images = [resized](const Tensor& images) { return resized(images, ResampleMethod::kBilinear); },
          .of_masks = [resized](const Tensor& masks) { return resized(masks, ResampleMethod::kNearest); },
          .of_boxes =
              [=](const BoxesAndLabels& boxes) {
                return resized_boxes(boxes, static_cast<double>(part[0]), static_cast<double>(part[1]),
                                     static_cast<double>(height) / static_cast<double>(part[2]),
                                     static_cast<double>(width) / static_cast<double>(part[3]));
              }};
}

Tensor moved_boxes(const Tensor& boxes, const Affine& affine) {
  const Tensor determinant = affine.a0 * affine.b1 - affine.a1 * affine.b0;
  return boxes_around(boxes, [&](const Tensor& x, const Tensor& y) {
    const Tensor right = x - affine.a2, down = y - affine.b2;
    return std::pair((affine.b1 * right - affine.a1 * down) / determinant,
                     (affine.a0 * down - affine.b0 * right) / determinant);
  });
}

Tensor ImageLayer::in_batch(const Tensor& images) const {
  const Tensor batch = images.rank() == 3 ? ops::expand_dims(images, 0) : images;
  return channels_first_ ? ops::transpose(batch, {0, 2, 3, 1}) : batch;
}

Tensor ImageLayer::as_given(const Tensor& batch, const Tensor& given) const {
  const Tensor images = channels_first_ ? ops::transpose(batch, {0, 3, 1, 2}) : batch;
  return given.rank() == 3 ? ops::squeeze(images, 0) : images;
}

BoxesAndLabels changed_boxes(const Layer& layer, const std::string& box_format, const Element& given,
                             std::int64_t num_images,
                             const std::function<BoxesAndLabels(const BoxesAndLabels&)>& change) {
  const std::string op = snake_case(layer.class_name());
  if (box_format.empty())
    invalid_argument({.argument = "bounding_box_format", .layer = layer.name()},
                     "[{}] boxes need the option bounding_box_format, such as \"xyxy\"", op);
  if (!given.is_structure() || given.size() != 2 || given.names().empty())
    invalid_argument({.layer = layer.name()}, "[{}] bounding_boxes must be {{\"boxes\", \"labels\"}}; got {}",
                     op, given.type_str());
  BoxesAndLabels boxes = {ops::cast(given["boxes"].tensor(), DType::kF32), given["labels"].tensor()};
  const bool is_single = boxes.boxes.rank() == 2;
  if (is_single) boxes = {ops::expand_dims(boxes.boxes, 0), ops::expand_dims(boxes.labels, 0)};
  const auto& of = boxes.boxes.shape();
  if (of.size() != 3 || of[2] != 4 || of[0] != num_images || boxes.labels.rank() != 2 ||
      boxes.labels.shape()[0] != of[0] || boxes.labels.shape()[1] != of[1])
    invalid_argument({.layer = layer.name()},
                     "[{}] bounding_boxes must be \"boxes\" [batch, boxes, 4] and \"labels\" [batch, boxes] "
                     "for the batch of the images; got {}",
                     op, given.type_str());
  boxes = change(boxes);
  if (is_single) boxes = {ops::squeeze(boxes.boxes, 0), ops::squeeze(boxes.labels, 0)};
  return boxes;
}

BoxesAndLabels ImageLayer::changed_boxes(const Element& given, const Dims& shape,
                                         const ImageChange& change) const {
  const auto change_batch = [&](const BoxesAndLabels& boxes) {
    const auto [height, width] = output_size(shape[1], shape[2]);
    const auto rows = static_cast<double>(height), columns = static_cast<double>(width);
    using namespace utils::bounding_boxes;
    BoxesAndLabels changed =
        convert_format(boxes, box_format_, "xyxy",
                       {.height = static_cast<double>(shape[1]), .width = static_cast<double>(shape[2])});
    changed = clip_to_image_size(change.of_boxes(changed), {.height = rows, .width = columns});
    return convert_format(changed, "xyxy", box_format_, {.height = rows, .width = columns});
  };
  const auto mix_batch = [&](const BoxesAndLabels& boxes) {
    if (given["boxes"].tensor().rank() == 2)
      invalid_argument({.layer = name()}, "[{}] mixes the boxes of a batch of images; got those of one image",
                       snake_case(class_name()));
    return change.of_mixed_boxes(boxes);
  };
  if (change.of_mixed_boxes) return image::changed_boxes(*this, box_format_, given, shape[0], mix_batch);
  return image::changed_boxes(*this, box_format_, given, shape[0], change_batch);
}

void ImageLayer::change_boxes(Element& boxes, const Dims& shape, const ImageChange& change) const {
  if (!change.refuses_boxes.empty())
    invalid_argument({.layer = name()},
                     "[{}] takes no bounding_boxes, since {}, or take the boxes out of the elements",
                     snake_case(class_name()), change.refuses_boxes);
  if (change.of_boxes || change.of_mixed_boxes) {
    const BoxesAndLabels changed = changed_boxes(boxes, shape, change);
    boxes = Element({{"boxes", changed.boxes}, {"labels", changed.labels}});
  } else if (boxes.is_structure() && boxes.size() == 2 && !boxes.names().empty()) {
    const Tensor numbers = boxes["boxes"].tensor();
    boxes = Element({{"boxes", ops::cast(numbers, DType::kF32)}, {"labels", boxes["labels"]}});
  }
}

Element ImageLayer::changed_with_labels(const Element& labeled, const CallArguments& arguments) {
  const std::string op = snake_case(class_name());
  NamedParts parts(op.c_str(), labeled);
  Element& images = *parts.find("images");
  const Tensor given = images.tensor();
  check_images(given.shape());
  CallContext context{.training = arguments.training.value_or(true)};
  if (arguments.random_counter.defined()) context.random_counter = arguments.random_counter;
  const Tensor batch = in_batch(casts() ? ops::cast(given, compute_dtype()) : given);
  const ImageChange change = this->change(batch.shape(), context);
  images = as_given(change.of_images(batch), given);
  if (Element* const masks = parts.find("segmentation_masks"); masks != nullptr && change.of_masks) {
    const Tensor mask = masks->tensor(), of_batch = in_batch(mask);
    if (mask.rank() != given.rank() ||
        !std::equal(of_batch.shape().begin(), of_batch.shape().begin() + 3, batch.shape().begin()))
      invalid_argument({.layer = name()},
                       "[{}] segmentation_masks must have the images' batch, rows and columns; got {}", op,
                       masks->type_str());
    const Tensor numbers = ops::cast(of_batch, DType::kF32);
    const Tensor changed = change.of_masks(numbers);
    *masks = as_given(ops::cast(changed, change.mixes_masks ? compute_dtype() : mask.dtype()), mask);
  }
  if (Element* const boxes = parts.find("bounding_boxes"); boxes != nullptr)
    change_boxes(*boxes, batch.shape(), change);
  if (Element* const labels = parts.find("labels"); labels != nullptr && change.of_labels) {
    const Tensor each = labels->tensor();
    const bool is_single = given.rank() == 3;
    const Tensor changed = change.of_labels(is_single ? ops::expand_dims(each, 0) : each);
    *labels = is_single ? ops::squeeze(changed, 0) : changed;
  }
  return std::move(parts).joined();
}

}  // namespace image

data::Element ImageHandle::with_labels(const data::Element& labeled, const CallArguments& arguments) const {
  if ((*this)->class_name() == "Pipeline") {
    data::Element changed = labeled;
    for (const std::shared_ptr<Layer>& each : (*this)->sublayers())
      changed = ImageHandle(each)(changed, arguments);
    return changed;
  }
  auto* const layer = dynamic_cast<image::LabeledLayer*>(get());
  if (layer == nullptr)
    invalid_argument({.layer = name()}, "[{}] takes no elements by name: it is no layer of images",
                     snake_case((*this)->class_name()));
  return layer->changed_with_labels(labeled, arguments);
}

}  // namespace cornu::inline v0::keras::layers
