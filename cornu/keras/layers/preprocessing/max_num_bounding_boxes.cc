#include "cornu/keras/layers/preprocessing/max_num_bounding_boxes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class MaxNumBoundingBoxesLayer : public Layer, public image::LabeledLayer {
 public:
  explicit MaxNumBoundingBoxesLayer(const MaxNumBoundingBoxesOptions& options)
      : Layer(layer_settings("MaxNumBoundingBoxes", options)),
        max_number_(options.max_number),
        fill_value_(options.fill_value),
        box_format_(options.bounding_box_format) {
    if (max_number_ < 1) option_error("max_number", "must be positive", fmt::format("{}", max_number_));
    set_type_rule(TypeRule::kOverridden);
  }

  std::vector<std::string> input_names() const override { return {"images", "boxes", "labels"}; }
  std::size_t num_optional_inputs() const override { return 2; }

  data::Element changed_with_labels(const data::Element& labeled, const CallArguments&) override {
    std::vector<std::string> names = labeled.names();
    const auto images = std::ranges::find(names, "images"),
               boxes = std::ranges::find(names, "bounding_boxes");
    if (images == names.end())
      invalid_argument({.layer = name()}, "[{}] takes images, or an element by name with \"images\"; got {}",
                       snake_case(class_name()), labeled.type_str());
    if (boxes == names.end()) return labeled;
    const Dims shape = labeled["images"].tensor().shape();
    const image::BoxesAndLabels changed =
        image::changed_boxes(*this, box_format_, labeled["bounding_boxes"], shape.size() == 3 ? 1 : shape[0],
                             [this](const image::BoxesAndLabels& all) {
                               return image::BoxesAndLabels{of_size(all.boxes), of_size(all.labels)};
                             });
    std::vector<data::Element> parts(labeled.parts().begin(), labeled.parts().end());
    parts[static_cast<std::size_t>(boxes - names.begin())] =
        data::Element({{"boxes", changed.boxes}, {"labels", changed.labels}});
    return data::Element(std::move(names), std::move(parts));
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_inputs(shapes_of(inputs));
    std::vector<TensorType> types(inputs.begin(), inputs.end());
    for (TensorType& type : types) type = cast_type(type);
    for (std::size_t i = 1; i < types.size(); ++i) types[i].dims[1] = max_number_;
    return types;
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    check_inputs(shapes_of(inputs));
    std::vector<Tensor> outputs(inputs.begin(), inputs.end());
    for (std::size_t i = 1; i < outputs.size(); ++i) outputs[i] = of_size(outputs[i]);
    return outputs;
  }

 private:
  Tensor of_size(const Tensor& x) const {
    Dims kept = x.shape();
    kept[1] = std::min(kept[1], max_number_);
    std::vector<std::pair<std::int64_t, std::int64_t>> added(kept.size(), {0, 0});
    added[1].second = max_number_ - kept[1];
    return ops::pad(ops::slice(x, Dims(kept.size(), 0), kept), added,
                    {.constant_values = static_cast<double>(fill_value_)});
  }

  void check_inputs(std::span<const Dims> shapes) const {
    if (shapes.size() == 1) return;
    const bool fits = shapes.size() == 3 && shapes[1].size() == 3 && shapes[1][2] == 4 &&
                      shapes[2].size() == 2 && shapes[1][1] == shapes[2][1];
    if (!fits)
      invalid_argument(
          "[{}] expected images, or images, boxes [batch, boxes, 4] and labels [batch, boxes]; got {} "
          "inputs{}",
          snake_case(class_name()), shapes.size(),
          shapes.size() == 3 ? fmt::format(", the last two of shapes {} and {}",
                                           shape_with_none_str(shapes[1]), shape_with_none_str(shapes[2]))
                             : std::string());
  }

  std::int64_t max_number_, fill_value_;
  std::string box_format_;
};

}  // namespace

MaxNumBoundingBoxes::MaxNumBoundingBoxes(MaxNumBoundingBoxesOptions options)
    : ImageHandle(std::make_shared<MaxNumBoundingBoxesLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
