#include "cornu/keras/callbacks/control/tensor_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/steady_clock.h"
#include "cornu/io/events/event_file.h"
#include "cornu/io/images/image.h"
#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

void write_scalar(io::EventFile& file, const std::string& tag, std::int64_t step, double value) {
  file.scalar(tag, step, static_cast<float>(value));
}

/// A weight as gray pictures, values from 0 to 1 as bytes: one of a vector or a matrix, one for each of the first
/// channels of a tensor of three axes; none of others. Source: Keras's TensorBoard with TensorFlow's summaries.
std::vector<io::Image> pictures_of(const Tensor& weight) {
  constexpr std::int64_t kMost = 3;
  Tensor x = ops::squeeze(weight);
  if (x.rank() == 1)
    x = ops::reshape(x, {1, x.num_elements(), 1});
  else if (x.rank() == 2)
    x = ops::expand_dims(x.shape()[0] > x.shape()[1] ? ops::transpose(x) : x, 0);
  else if (x.rank() == 3 && config::image_data_format() == "channels_last")
    x = ops::transpose(x, {2, 0, 1});
  if (x.rank() != 3 || x.num_elements() == 0) return {};
  const std::vector<float> values = x.to_vector<float>();
  const std::int64_t height = x.shape()[1], width = x.shape()[2];
  std::vector<io::Image> pictures;
  for (std::int64_t i = 0; i < std::min(x.shape()[0], kMost); ++i) {
    io::Image& picture =
        pictures.emplace_back(io::Image{.height = height, .width = width, .channels = 1, .pixels = {}});
    for (std::int64_t j = i * height * width; j < (i + 1) * height * width; ++j)
      picture.pixels.push_back(
          static_cast<std::uint8_t>(std::clamp(values[static_cast<std::size_t>(j)] * 255.5F, 0.0F, 255.0F)));
  }
  return pictures;
}

}  // namespace

UpdateFreq::UpdateFreq(const char* word) {
  const std::string_view given = or_empty(word);
  if (given != "epoch" && given != "batch")
    invalid_argument(
        "[tensor_board] update_freq must be \"epoch\", \"batch\" or a number of batches; got \"{}\"", given);
  batches_ = given == "batch" ? 1 : 0;
}

UpdateFreq::UpdateFreq(std::int64_t batches) : batches_(batches) {
  if (batches < 1)
    invalid_argument("[tensor_board] update_freq must be \"epoch\", \"batch\" or at least 1; got {}",
                     batches);
}

TensorBoard::TensorBoard(TensorBoardOptions options) : options_(std::move(options)) {
  if (options_.histogram_freq < 0)
    invalid_argument("[tensor_board] histogram_freq must not be negative; got {}", options_.histogram_freq);
}

io::EventFile& TensorBoard::train() {
  if (train_ == nullptr)
    train_ = std::make_shared<io::EventFile>((std::filesystem::path(options_.log_dir) / "train").string());
  return *train_;
}

io::EventFile& TensorBoard::validation() {
  if (validation_ == nullptr)
    validation_ =
        std::make_shared<io::EventFile>((std::filesystem::path(options_.log_dir) / "validation").string());
  return *validation_;
}

void TensorBoard::on_train_begin() {
  batches_ = batches_since_write_ = 0;
  if (!options_.write_graph || !runtime::is_chief()) return;
  const std::string& kind = (**model()).description().class_name;
  if (kind != "Sequential" && kind != "Functional") return;
  try {
    train().keras_model("keras", 0, model()->to_json());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnimplemented)
      throw;  // layers with user code have no graph, and
              // training goes on
    log_warning("[tensor_board] the graph is left out: {}", error.what());
  }
}

void TensorBoard::on_train_end(Logs&) {
  train_ = nullptr;
  validation_ = nullptr;
}

std::int64_t TensorBoard::max_batches_per_call() const {
  return options_.update_freq.batches() > 0 ? options_.update_freq.batches()
                                            : Callback::max_batches_per_call();
}

void TensorBoard::on_epoch_begin(std::int64_t) {
  epoch_start_ = steady_seconds();
  epoch_batches_ = 0;
}

void TensorBoard::on_train_batch_begin(const BatchRange&) { batch_start_ = steady_seconds(); }

void TensorBoard::on_train_batch_end(const BatchRange& batches, LazyLogs& logs) {
  batches_ += batches.count;
  epoch_batches_ += batches.count;
  batches_since_write_ += batches.count;
  if (options_.update_freq.batches() == 0 || batches_since_write_ < options_.update_freq.batches()) return;
  batches_since_write_ = 0;
  if (!runtime::is_chief()) return;
  if (options_.write_steps_per_second)
    write_scalar(train(), "batch_steps_per_second", batches_,
                 static_cast<double>(batches.count) / (steady_seconds() - batch_start_));
  for (const auto& [name, value] : logs.get())
    if (!value.is_array()) write_scalar(train(), "batch_" + name, batches_, value);
}

void TensorBoard::on_epoch_end(std::int64_t epoch, Logs& logs) {
  const bool writes_weights = options_.histogram_freq > 0 && epoch % options_.histogram_freq == 0;
  if (!runtime::is_chief()) {
    if (writes_weights) write_weights(epoch);
    return;
  }
  constexpr std::string_view kValidation = "val_";
  bool has_rate = false;
  for (const auto& [name, value] : logs) {
    if (value.is_array()) continue;
    has_rate |= name == "learning_rate";
    if (name.starts_with(kValidation))
      write_scalar(validation(), "epoch_" + name.substr(kValidation.size()), epoch, value);
    else
      write_scalar(train(), "epoch_" + name, epoch, value);
  }
  if (!has_rate)
    write_scalar(train(), "epoch_learning_rate", epoch, model()->optimizer()->learning_rate().item<double>());
  if (options_.write_steps_per_second)
    write_scalar(train(), "epoch_steps_per_second", epoch,
                 static_cast<double>(epoch_batches_) / (steady_seconds() - epoch_start_));
  if (writes_weights) write_weights(epoch);
}

void TensorBoard::write_weights(std::int64_t epoch) {
  for (const LayerHandle& layer : model()->layers())
    for (const Variable& weight : layer->weights()) {
      // All processes read a weight that they hold in parts; the first one writes.
      if (!runtime::is_chief() && !cornu::detail::spans_processes(weight)) continue;
      const Tensor values = ops::cast(weight.value(), DType::kF32);
      if (!runtime::is_chief()) continue;
      train().histogram(weight.path() + "/histogram", epoch, values.to_vector<float>());
      if (!options_.write_images) continue;
      if (const std::vector<io::Image> pictures = pictures_of(values); !pictures.empty())
        train().images(weight.path() + "/image", epoch, pictures);
    }
}

void TensorBoard::on_test_end(Logs& logs) {
  if (!model()->compiled() || !runtime::is_chief()) return;
  const auto iterations = model()->optimizer()->iterations().item<std::int64_t>();
  for (const auto& [name, value] : logs)
    if (!value.is_array())
      write_scalar(validation(), fmt::format("evaluation_{}_vs_iterations", name), iterations, value);
}

StateList TensorBoard::state() {
  return {state_of("batches", batches_), state_of("batches_since_write", batches_since_write_)};
}

}  // namespace cornu::inline v0::keras::callbacks
