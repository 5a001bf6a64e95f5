#include "cornu/keras/layers/core/axes_initializer_support.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cornu/keras/config/config.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class AxesInitializer : public Initializer {
 public:
  AxesInitializer(std::shared_ptr<Initializer> scaled, std::vector<std::size_t> input_axes,
                  std::vector<std::size_t> output_axes)
      : scaled_(std::move(scaled)),
        input_axes_(std::move(input_axes)),
        output_axes_(std::move(output_axes)) {}

  std::string class_name() const override { return scaled_->class_name(); }

  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    Dims drawn;  // the input's axes first
    Dims fans = {1, 1};
    Dims places(shape.size());
    const auto add = [&](const std::vector<std::size_t>& axes, std::int64_t& fan) {
      for (const std::size_t axis : axes) {
        places[axis] = static_cast<std::int64_t>(drawn.size());
        drawn.push_back(shape[axis]);
        fan *= shape[axis];
      }
    };
    add(input_axes_, fans[0]);
    add(output_axes_, fans[1]);
    const Tensor values((*scaled_)(fans, dtype));
    return ops::transpose(ops::reshape(values, drawn), {.axes = places}).literal();
  }

 private:
  std::shared_ptr<Initializer> scaled_;
  std::vector<std::size_t> input_axes_, output_axes_;
};

/// True if the initializer has axes of its own.
bool names_axes(const Initializer& initializer) {
  if (initializer.description().options == nullptr) return false;  // a user's class
  const Config config = initializer.get_config();
  const auto is_set = [&](const char* key) {
    const Config* axes = config.find(key);
    return axes != nullptr && !axes->is_null();
  };
  return is_set("input_axes") && is_set("output_axes");
}

}  // namespace

InitializerSpec for_kernel_axes(const InitializerSpec& initializer, std::vector<std::size_t> input_axes,
                                std::vector<std::size_t> output_axes) {
  constexpr std::string_view kScaled[] = {"VarianceScaling", "GlorotUniform", "GlorotNormal", "HeUniform",
                                          "HeNormal",        "LecunUniform",  "LecunNormal"};
  const std::shared_ptr<Initializer> object = initializer.get();
  if (object == nullptr ||
      std::find(std::begin(kScaled), std::end(kScaled), object->class_name()) == std::end(kScaled))
    return initializer;
  if (names_axes(*object)) return initializer;
  return std::shared_ptr<Initializer>(
      std::make_shared<AxesInitializer>(object, std::move(input_axes), std::move(output_axes)));
}

}  // namespace cornu::inline v0::keras::layers
