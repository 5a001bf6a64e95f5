#include <algorithm>
#include <optional>
#include <utility>

#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/saving/old_options_support.h"

/// The names of classes and arguments in Keras 1.
namespace cornu::inline v0::keras::saving {
namespace {

struct Name {
  std::string_view classes, old, now;
};

constexpr std::string_view kRecurrent = "LSTM GRU SimpleRNN";
constexpr std::string_view kUnits = "Dense LSTM GRU SimpleRNN";

constexpr Name kClasses[] = {
    {"*", "Convolution1D", "Conv1D"},
    {"*", "Convolution2D", "Conv2D"},
    {"*", "Convolution3D", "Conv3D"},
    {"*", "Deconvolution2D", "Conv2DTranspose"},
    {"*", "SeparableConvolution2D", "SeparableConv2D"},
};

/// The first matching row applies; an empty new name drops the argument.
constexpr Name kNames[] = {
    {kUnits, "output_dim", "units"},
    {"Embedding", "init", "embeddings_initializer"},
    {"PReLU", "init", "alpha_initializer"},
    {"*", "init", "kernel_initializer"},
    {"*", "inner_init", "recurrent_initializer"},
    {"*", "beta_init", "beta_initializer"},
    {"*", "gamma_init", "gamma_initializer"},
    {"*", "inner_activation", "recurrent_activation"},
    {"*", "forget_bias_init", "unit_forget_bias"},
    {"Embedding", "W_regularizer", "embeddings_regularizer"},
    {"Embedding", "W_constraint", "embeddings_constraint"},
    {"*", "W_regularizer", "kernel_regularizer"},
    {"*", "U_regularizer", "recurrent_regularizer"},
    {"*", "b_regularizer", "bias_regularizer"},
    {"*", "W_constraint", "kernel_constraint"},
    {"*", "U_constraint", "recurrent_constraint"},
    {"*", "b_constraint", "bias_constraint"},
    {"*", "bias", "use_bias"},
    {kRecurrent, "dropout_W", "dropout"},
    {kRecurrent, "dropout_U", "recurrent_dropout"},
    {kRecurrent, "consume_less", ""},
    {"*", "nb_filter", "filters"},
    {"*", "filter_length", "kernel_size"},
    {"*", "subsample", "strides"},
    {"*", "subsample_length", "strides"},
    {"*", "border_mode", "padding"},
    {"*", "dim_ordering", "data_format"},
    {"*", "pool_length", "pool_size"},
    {"MaxPooling1D AveragePooling1D", "stride", "strides"},
    {"Dropout GaussianDropout SpatialDropout1D SpatialDropout2D SpatialDropout3D", "p", "rate"},
    {"GaussianNoise", "sigma", "stddev"},
    {"UpSampling1D", "length", "size"},
    {"InputLayer", "input_dtype", "dtype"},
    {"*", "input_dtype", ""},
    {"Dense LSTM GRU SimpleRNN Conv1D", "input_dim", ""},
    {"Conv2DTranspose", "output_shape", ""},  // see add_output_padding
    {"*", "input_length", ""},
};

std::string_view name_of(std::string_view class_name, std::string_view key) {
  for (const Name& row : kNames)
    if (row.old == key && is_among(row.classes, class_name)) return row.now;
  return key;
}

/// {"name": "L1L2Regularizer", "l1": ..., "l2": ...}
Config named_object(const Config& value) {
  const Config* const name = value.find("name");
  if (name == nullptr || !name->is_string() || value.contains("class_name")) return value;
  std::string class_name = name->as_string();
  if (class_name.ends_with("Regularizer")) class_name.resize(class_name.size() - 11);
  Config::Dict options;
  for (const auto& [key, each] : value.as_dict())
    if (key != "name") options.emplace_back(key == "m" ? "max_value" : key, each);
  return Config::dict({{"class_name", std::move(class_name)}, {"config", Config::dict(std::move(options))}});
}

Config value_of(std::string_view key, const Config& value) {
  if (key.ends_with("regularizer") || key.ends_with("constraint")) return named_object(value);
  if (key == "unit_forget_bias") return value == Config("one");
  if (key == "data_format" && value == Config("tf")) return "channels_last";
  if (key == "data_format" && value == Config("th")) return "channels_first";
  if (key.ends_with("initializer") && value == Config("uniform")) return "random_uniform";
  if (key.ends_with("initializer") && value == Config("normal")) return "random_normal";
  return value;
}

/// The extents of a kernel, which were separate arguments; null if there are none.
Config kernel_size_of(const Config& options) {
  for (const auto& keys : {std::vector<std::string_view>{"nb_row", "nb_col"},
                           std::vector<std::string_view>{"kernel_dim1", "kernel_dim2", "kernel_dim3"}}) {
    Config::List extents;
    for (const std::string_view key : keys)
      if (const Config* const extent = options.find(key)) extents.push_back(*extent);
    if (extents.size() == keys.size()) return extents;
  }
  return {};
}

bool is_idle(std::string_view class_name, std::string_view key, const Config& value) {
  if (is_among("nb_row nb_col kernel_dim1 kernel_dim2 kernel_dim3", key)) return true;
  if (class_name == "BatchNormalization" && key == "mode") return value == Config(0);
  return class_name == "Embedding" && key == "dropout" && value == Config(0);
}

/// A spatial axis of a Deconvolution2D.
struct TransposedAxis {
  std::int64_t kernel, stride, output;

  /// The extent that the last input position adds to the output, with border_mode "same": 1 to `stride`.
  std::int64_t last_step() const { return (output - 1) % stride + 1; }
};

/// The two axes; nullopt if the description does not have both.
std::optional<std::vector<TransposedAxis>> transposed_axes(const Config& options) {
  const Config *const shape = options.find("output_shape"), *const strides = options.find("subsample"),
                      *const order = options.find("dim_ordering");
  const bool is_channels_first = order != nullptr && *order == Config("th");
  if (shape == nullptr || !shape->is_list() || shape->size() != 4) return std::nullopt;
  std::vector<TransposedAxis> axes;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool has_stride = strides != nullptr && strides->is_list() && strides->size() == 2;
    const Config *const kernel = options.find(i == 0 ? "nb_row" : "nb_col"),
                        *const stride = has_stride ? &strides->at(i) : nullptr,
                        *const output = &shape->at(i + (is_channels_first ? 2 : 1));
    for (const Config* const value : {kernel, stride, output})
      if (value == nullptr || !value->is_integer() || value->as_integer() < 1) return std::nullopt;
    axes.push_back({kernel->as_integer(), stride->as_integer(), output->as_integer()});
  }
  return axes;
}

/// Adds output_padding. Keras 1 takes the output's extents from output_shape: with strides, several output
/// extents convolve to the input's extents, and output_padding selects one.
void add_output_padding(const Config& options, Config::Dict& result) {
  const std::optional<std::vector<TransposedAxis>> axes = transposed_axes(options);
  const Config* const mode = options.find("border_mode");
  if (!axes.has_value() || mode == nullptr) return;
  const bool is_same = *mode == Config("same");
  const bool follows = std::all_of(axes->begin(), axes->end(), [&](const TransposedAxis& axis) {
    return is_same ? axis.last_step() == axis.stride : axis.stride == 1;
  });
  if (follows) return;
  Config::List padding;
  for (const TransposedAxis& axis : *axes) {
    const std::int64_t value = is_same
                                   ? axis.last_step() - axis.kernel % 2
                                   : ((axis.output - axis.kernel) % axis.stride + axis.stride) % axis.stride;
    if (value >= axis.stride) {
      const Config* const name = options.find("name");
      log_warning(
          "[load_model] layer {}: no output_padding of Conv2DTranspose gives the output_shape {} of "
          "Deconvolution2D, and it is left out: the output gets the extents of the input times the strides",
          name == nullptr ? "null" : printable(name->json(), 200),
          printable(options.at("output_shape").json(), 200));
      return;
    }
    padding.emplace_back(value);
  }
  result.emplace_back("output_padding", std::move(padding));
}

Config current_options(std::string_view class_name, const Config& options) {
  Config::Dict result;
  for (const auto& [old_key, value] : options.as_dict()) {
    const std::string_view key = name_of(class_name, old_key);
    if (!key.empty() && !is_idle(class_name, old_key, value)) result.emplace_back(key, value_of(key, value));
  }
  if (Config size = kernel_size_of(options); !size.is_null())
    result.emplace_back("kernel_size", std::move(size));
  if (class_name == "Conv2DTranspose") add_output_padding(options, result);
  return Config::dict(std::move(result));
}

/// The layer for a Merge, by its mode; nullopt for other modes.
std::optional<std::pair<std::string, Config>> merging_layer(const Config& options) {
  constexpr std::pair<std::string_view, const char*> kModes[] = {
      {"concat", "Concatenate"}, {"sum", "Add"}, {"mul", "Multiply"}, {"ave", "Average"}, {"max", "Maximum"}};
  const Config *const mode = options.find("mode"), *const models = options.find("layers");
  if (models != nullptr && !models->is_null()) return std::nullopt;  // in a Sequential of several models
  for (const auto& [known, class_name] : kModes) {
    if (mode == nullptr || !(*mode == Config(known))) continue;
    Config result = Config::dict({{"trainable", true}});
    if (const Config* const name = options.find("name")) result.set("name", *name);
    if (const Config* const axis = options.find("concat_axis"); axis != nullptr && known == "concat")
      result.set("axis", *axis);
    return std::pair(std::string(class_name), std::move(result));
  }
  return std::nullopt;
}

Config layer_in_keras_2_form(const Config& object) {
  const Config *const class_name = object.find("class_name"), *const options = object.find("config");
  if (class_name == nullptr || !class_name->is_string() || options == nullptr || !options->is_dict() ||
      is_among("Sequential Model", class_name->as_string()))
    return object;
  std::string name = class_name->as_string();
  for (const Name& row : kClasses)
    if (row.old == name) name = row.now;
  auto merging = name == "Merge" ? merging_layer(*options) : std::nullopt;
  Config::Dict result;
  for (const auto& [key, value] : object.as_dict()) {
    if (key == "class_name")
      result.emplace_back(key, merging.has_value() ? merging->first : name);
    else if (key == "config")
      result.emplace_back(key,
                          merging.has_value() ? std::move(merging->second) : current_options(name, value));
    else
      result.emplace_back(key, value);
  }
  return Config::dict(std::move(result));
}

}  // namespace

/// Converts from the inside to the outside, so that only one level is copied at a time.
Config in_keras_2_form(const Config& description) {
  if (description.is_list()) {
    Config::List converted;
    for (const Config& each : description.as_list()) converted.push_back(in_keras_2_form(each));
    return converted;
  }
  if (!description.is_dict()) return description;
  Config::Dict converted;
  for (const auto& [key, each] : description.as_dict()) converted.emplace_back(key, in_keras_2_form(each));
  return layer_in_keras_2_form(Config::dict(std::move(converted)));
}

}  // namespace cornu::inline v0::keras::saving
