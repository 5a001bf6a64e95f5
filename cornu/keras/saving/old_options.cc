#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/old_options_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

struct ClassName {
  std::string_view old, now;
};

constexpr ClassName kClassNames[] = {
    {"Model", "Functional"},
    {"GroupedQueryAttention", "GroupQueryAttention"},
    {"OrthogonalInitializer", "Orthogonal"},  // until Keras 3.6
    {"IdentityInitializer", "Identity"},
    {"BatchNormalizationV1", "BatchNormalization"},
    {"BatchNormalizationV2", "BatchNormalization"},
    {"SyncBatchNormalization", "BatchNormalization"},
    {"ThresholdedReLU", "ReLU"},
    {"CuDNNLSTM", "LSTM"},
    {"CuDNNGRU", "GRU"},
    {"UnifiedLSTM", "LSTM"},
    {"UnifiedGRU", "GRU"},
};

/// The values for which an argument that Keras 3 does not have has no effect.
enum class Idle { kAlways, kNull, kFalse, kOne };

struct LeftOut {
  std::string_view classes, key;
  Idle idle;
};

constexpr std::string_view kSeparable = "SeparableConv1D SeparableConv2D DepthwiseConv1D DepthwiseConv2D";
constexpr std::string_view kInitializers =
    "Zeros Ones Constant RandomUniform RandomNormal TruncatedNormal VarianceScaling Orthogonal GlorotUniform "
    "GlorotNormal HeUniform HeNormal LecunUniform LecunNormal";

constexpr LeftOut kLeftOut[] = {
    {"*", "ragged", Idle::kFalse},
    {"*", "sparse", Idle::kFalse},
    {"*", "time_major", Idle::kFalse},
    {"*", "rng_type", Idle::kAlways},                          // of random layers
    {"RandomRotation", "value_range", Idle::kAlways},          // in Keras 3.0 to 3.5; no value depends on it
    {"Attention AdditiveAttention", "causal", Idle::kAlways},  // an argument of calls today
    {"LSTM GRU SimpleRNN LSTMCell GRUCell SimpleRNNCell", "implementation", Idle::kAlways},
    {"Conv1DTranspose Conv2DTranspose Conv3DTranspose", "groups", Idle::kOne},
    {kSeparable, "groups", Idle::kOne},
    // Inherited from Conv and never used: these layers have two kernels with separate options.
    {kSeparable, "kernel_initializer", Idle::kAlways},
    {kSeparable, "kernel_regularizer", Idle::kAlways},
    {kSeparable, "kernel_constraint", Idle::kAlways},
    {"SpatialDropout1D SpatialDropout2D SpatialDropout3D", "noise_shape", Idle::kNull},
    // The shapes that the layer was built for; the calls have them as well.
    {"MultiHeadAttention", "query_shape", Idle::kAlways},
    {"MultiHeadAttention", "key_shape", Idle::kAlways},
    {"MultiHeadAttention", "value_shape", Idle::kAlways},
    {"BatchNormalization", "renorm", Idle::kFalse},
    {"BatchNormalization", "fused", Idle::kAlways},  // selects an implementation
    {"BatchNormalization", "virtual_batch_size", Idle::kNull},
    {"BatchNormalization", "adjustment", Idle::kNull},
    {kInitializers, "dtype", Idle::kAlways},  // TensorFlow 1; the weight has a dtype
};

struct Key {
  std::string_view classes, old, now;
};

constexpr Key kRenamedKeys[] = {
    {"LeakyReLU", "alpha", "negative_slope"},
    {"ReLU", "theta", "threshold"},
    {"Discretization", "bins", "bin_boundaries"},
    {"CategoryEncoding", "max_tokens", "num_tokens"},
};

bool is_idle(Idle idle, const Config& value) {
  switch (idle) {
    case Idle::kAlways: return true;
    case Idle::kNull: return value.is_null();
    case Idle::kFalse: return value == Config(false);
    case Idle::kOne: return value == Config(1);
  }
  return false;
}

/// TensorFlow 2.4 and older append infinity to the boundaries.
Config without_infinity(const Config& boundaries) {
  if (!boundaries.is_list() || boundaries.size() == 0) return boundaries;
  const Config& last = boundaries.as_list().back();
  if (!last.is_number() || !std::isinf(last.as_number())) return boundaries;
  return Config::List(boundaries.as_list().begin(), boundaries.as_list().end() - 1);
}

/// The activation of Keras 1 and 2, whose slope differs from that of Keras 3.
std::optional<Config> current_activation(const Config& value, const KerasVersion& version) {
  constexpr const char* kName = "hard_sigmoid";
  const Config* const class_name = value.find("class_name");
  const Config* const name =
      class_name != nullptr && *class_name == Config("function") ? value.find("config") : &value;
  const bool is_it = version.is_before_3() && name != nullptr && *name == Config(kName);
  return is_it ? std::optional<Config>("keras2_hard_sigmoid") : std::nullopt;
}

}  // namespace

std::string current_class_name(const std::string& class_name) {
  for (const ClassName& row : kClassNames)
    if (row.old == class_name) return std::string(row.now);
  return class_name;
}

bool is_left_out(std::string_view class_name, std::string_view key, const Config& value) {
  if (class_name != "InputLayer" && key == "input_length" && value.is_null()) return true;
  if (key == "name" && value.is_null()) return true;
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut), [&](const LeftOut& row) {
    return row.key == key && is_among(row.classes, class_name) && is_idle(row.idle, value);
  });
}

std::string_view current_key(std::string_view class_name, std::string_view key) {
  for (const Key& row : kRenamedKeys)
    if (row.old == key && is_among(row.classes, class_name)) return row.now;
  return key;
}

std::optional<Config> current_value(std::string_view class_name, std::string_view key, const Config& value,
                                    const KerasVersion& version) {
  if (key.ends_with("activation")) return current_activation(value, version);
  if (class_name == "BatchNormalization" && key == "axis" && value.is_list() && value.size() == 1)
    return value.at(std::size_t{0});
  if (class_name == "Discretization" && key == "bin_boundaries") return without_infinity(value);
  // Keras 2.15 to 3.6: the dtype of the ids, not of the layer.
  if (class_name == "Discretization" && key == "dtype" && value.is_string() &&
      value.as_string().starts_with("int"))
    return Config("float32");
  if (class_name == "CategoryEncoding" && key == "output_mode" && value == Config("binary"))
    return Config("multi_hot");
  if (class_name == "VarianceScaling" && key == "distribution" && value == Config("normal"))
    return Config("truncated_normal");
  return std::nullopt;
}

void add_implied_options(std::string_view old_class_name, const KerasVersion& version,
                         Config::Dict& options) {
  const auto says = [&](std::string_view key) {
    return std::any_of(options.begin(), options.end(), [&](const auto& each) { return each.first == key; });
  };
  if (old_class_name == "SyncBatchNormalization" && !says("synchronized"))
    options.emplace_back("synchronized", true);
  // Keras 2.1 and older have no such argument, and reset before.
  if (version.is_before_3() && is_among("GRU GRUCell", old_class_name) && !says("reset_after"))
    options.emplace_back("reset_after", false);
}

bool is_module_of_keras(std::string_view module) {
  constexpr std::string_view kPackages[] = {"keras", "tf_keras", "tensorflow.keras",
                                            "tensorflow.python.keras", "keras_core"};
  return std::any_of(std::begin(kPackages), std::end(kPackages), [&](std::string_view package) {
    return module == package || (module.starts_with(package) && module[package.size()] == '.');
  });
}

bool is_of_others(const Config& object) {
  const std::string& class_name = object.at("class_name").as_string();
  const Config* const module = object.find("module");
  const Config* const registered = object.find("registered_name");
  const bool has_other_name = registered != nullptr && registered->is_string() && *registered != class_name;
  const bool is_other_module =
      module != nullptr && module->is_string() && !is_module_of_keras(module->as_string());
  const bool is_operation =
      module != nullptr && module->is_string() &&
      (module->as_string().starts_with("keras.src.ops") || module->as_string().starts_with("keras.ops"));
  return is_other_module || has_other_name || is_operation ||
         is_custom(has_other_name ? registered->as_string() : class_name, class_name);
}

}  // namespace cornu::inline v0::keras::saving
