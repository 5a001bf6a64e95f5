#include <algorithm>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/keras/applications/applications.h"
#include "cornu/keras/config/config.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::applications::imagenet_utils {
namespace {

constexpr std::size_t kNumClasses = 1000;

[[noreturn]] void refuse(const char* function, const char* argument, const std::string& message) {
  invalid_argument({.op = function, .argument = argument}, "{} {}", argument, message);
}

/// The pairs of id and description of Keras's file, by class.
std::vector<std::pair<std::string, std::string>> read_classes(const std::string& path) {
  const auto damaged = [&path](const std::string& why) {
    fail(ErrorCode::kDataLoss, {.argument = "class_index"},
         "[decode_predictions] \"{}\" is not a list of {} classes: {}", path, kNumClasses, why);
  };
  const std::string text = io::read_text_file(path, {.max_size_bytes = std::int64_t{1} << 20});
  Config index;
  try {
    index = Config::parse(text);
  } catch (const Error& error) {
    damaged(error.message());
  }
  std::vector<std::pair<std::string, std::string>> classes;
  for (std::size_t i = 0; i < kNumClasses; ++i) {
    const Config* entry = index.find(std::to_string(i));
    if (entry == nullptr || !entry->is_list() || entry->size() != 2 || !entry->at(0).is_string() ||
        !entry->at(1).is_string())
      damaged(fmt::format("the entry \"{}\" must be a list of an id and a description", i));
    classes.emplace_back(entry->at(0).as_string(), entry->at(1).as_string());
  }
  return classes;
}

}  // namespace

Tensor preprocess_input(const Tensor& x, const PreprocessInputOptions& options) {
  const auto& [data_format, mode] = options;
  if (mode != "caffe" && mode != "tf" && mode != "torch")
    refuse("preprocess_input", "mode",
           fmt::format("must be \"caffe\", \"tf\" or \"torch\"; got \"{}\"", mode));
  const bool first = data_format == "channels_first";
  if (!first && !data_format.empty() && data_format != "channels_last")
    refuse("preprocess_input", "data_format",
           fmt::format("must be \"channels_last\" or \"channels_first\"; got \"{}\"", data_format));
  const Tensor pixels = ir::is_float(x.dtype()) ? x : ops::cast(x, DType::kF32);
  if (mode == "tf") return pixels / 127.5 - 1.0;
  const std::int64_t rank = x.rank(), axis = first ? rank - 3 : rank - 1;
  if ((rank != 3 && rank != 4) || x.shape()[static_cast<std::size_t>(axis)] != 3)
    refuse("preprocess_input", "x", "must be an image of three channels or a batch of such images");
  Dims shape(static_cast<std::size_t>(rank), 1);
  shape[static_cast<std::size_t>(axis)] = 3;
  const auto of_channels = [&](std::vector<float> values) {
    return ops::cast(ops::reshape(Tensor(values), shape), pixels.dtype());
  };
  if (mode == "caffe") return ops::flip(pixels, {.axis = axis}) - of_channels({103.939F, 116.779F, 123.68F});
  return (pixels / 255.0 - of_channels({0.485F, 0.456F, 0.406F})) / of_channels({0.229F, 0.224F, 0.225F});
}

std::vector<std::vector<Prediction>> decode_predictions(const Tensor& predictions,
                                                        const DecodePredictionsOptions& options) {
  if (predictions.rank() != 2 || predictions.shape()[1] != static_cast<std::int64_t>(kNumClasses))
    refuse("decode_predictions", "predictions", fmt::format("must have the shape [rows, {}]", kNumClasses));
  if (options.top < 1 || options.top > static_cast<std::int64_t>(kNumClasses))
    refuse("decode_predictions", "top",
           fmt::format("must be from 1 to {}; got {}", kNumClasses, options.top));
  const auto classes = read_classes(options.class_index);
  const std::vector<double> scores = predictions.to_vector<double>();
  std::vector<std::vector<Prediction>> rows;
  for (std::size_t begin = 0; begin < scores.size(); begin += kNumClasses) {
    std::vector<std::size_t> order(kNumClasses);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[begin + a] > scores[begin + b]; });
    std::vector<Prediction>& row = rows.emplace_back();
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.top); ++i)
      row.push_back({classes[order[i]].first, classes[order[i]].second, scores[begin + order[i]]});
  }
  return rows;
}

}  // namespace cornu::inline v0::keras::applications::imagenet_utils
