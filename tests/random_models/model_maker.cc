#include "tests/random_models/model_maker.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "cornu/base/error.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/layer/node.h"

namespace cornu::inline v0::tests {
namespace {

using keras::Config;
using keras::KerasTensor;
using keras::kUnknown;
using keras::Layer;
using keras::LayerHandle;
using keras::Model;

constexpr std::int64_t kMostElements = 1500;

/// Extents that are open count as this many.
constexpr std::int64_t kSteps = 5;

std::int64_t num_elements(const KerasTensor& x) {
  std::int64_t count = 1;
  for (std::size_t i = 1; i < x.shape().size(); ++i)
    count *= x.shape()[i] == kUnknown ? kSteps : x.shape()[i];
  return count;
}

bool has_open_steps(const KerasTensor& x) {
  return std::find(x.shape().begin() + 1, x.shape().end(), kUnknown) != x.shape().end();
}

bool is_usable(const KerasTensor& x) {
  return x.rank() >= 2 && x.rank() <= 5 && num_elements(x) > 0 && num_elements(x) <= kMostElements;
}

/// A refusal of options or shapes; any other error is a fault.
bool is_refusal(const Error& error) { return error.code() == ErrorCode::kInvalidArgument; }

}  // namespace

keras::Input ModelMaker::make_input() {
  static const Dims kShapes[] = {{1},       {4},       {6},       {4, 2},    {6, 3},       {kUnknown, 4},
                                 {6, 6, 2}, {5, 7, 1}, {7, 4, 3}, {4, 4, 4}, {3, 4, 3, 2}, {kUnknown, 2}};
  if (one_in(5)) return keras::Input({.shape = one_in(3) ? Dims{kUnknown} : Dims{4}, .dtype = DType::kI32});
  return keras::Input({.shape = kShapes[pick(std::size(kShapes))]});
}

Config ModelMaker::draw_value(const Config& values) {
  const Config& value = values.at(pick(values.size()));
  if (value.is_list()) {
    Config list{Config::List()};
    for (const Config& one : value.as_list()) list.append(draw_value(Config::list({one})));
    return list;
  }
  if (!value.is_string() || !value.as_string().starts_with("@")) return value;
  const std::span<const LayerRow> rows = value.as_string() == "@recurrent" ? recurrent_rows()
                                         : value.as_string() == "@cell"    ? cell_rows()
                                                                           : inner_rows();
  const LayerRow& row = any_of(rows);
  return keras::saving::serialize(*keras::saving::from_config<Layer>(row.class_name, draw_layer(row)));
}

/// The required options, and each further one that the class has with a chance of one in five.
Config ModelMaker::draw_layer(const LayerRow& row) {
  static const Config kShared = Config::parse(shared_options());
  const Config required = Config::parse(row.required), optional = Config::parse(row.optional);
  Config config = Config::dict();
  for (const auto& [key, values] : required.as_dict()) config.set(key, draw_value(values));
  const Config all = keras::saving::from_config<Layer>(row.class_name, config)->get_config();
  for (const std::string& key : all.keys()) {
    const Config* values = optional.find(key);
    if (values == nullptr) values = kShared.find(key);
    const bool is_rare = key == "dtype" || key == "trainable" || key.ends_with("_constraint");
    if (required.contains(key) || values == nullptr || !one_in(is_rare ? 12 : 5)) continue;
    config.set(key, draw_value(*values));
  }
  return config;
}

const LayerRow& ModelMaker::row_for(const KerasTensor& x) {
  if (x.rank() == 3 && x.dtype() != DType::kI32 && one_in(4)) return any_of(recurrent_rows());
  for (;;) {
    const LayerRow& row = any_of(layer_rows());
    if (row.min_rank <= x.rank() && x.rank() <= row.max_rank && row.takes_ids == (x.dtype() == DType::kI32))
      return row;
  }
}

std::shared_ptr<Layer> ModelMaker::make_layer(const LayerRow& row) {
  ++num_drawn_;
  try {
    return keras::saving::from_config<Layer>(row.class_name, draw_layer(row));
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    ++num_refused_;
    return nullptr;
  }
}

std::vector<KerasTensor> ModelMaker::applied(const KerasTensor& x) {
  const LayerRow& row = row_for(x);
  const std::shared_ptr<Layer> layer = make_layer(row);
  if (layer == nullptr) return {};
  try {
    const std::vector<KerasTensor> inputs(static_cast<std::size_t>(row.num_inputs), x);
    std::vector<KerasTensor> outputs = layer->call_many(inputs);
    if (std::all_of(outputs.begin(), outputs.end(), is_usable)) return outputs;
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    ++num_refused_;
  }
  return {};
}

Model ModelMaker::make_sequential() {
  const keras::Input input = make_input();
  std::vector<std::shared_ptr<Layer>> layers;
  KerasTensor x = input;
  const std::size_t num_layers = 1 + pick(5);
  for (int attempt = 0; layers.size() < num_layers && attempt < 60; ++attempt) {
    const std::vector<KerasTensor> outputs = applied(x);
    if (outputs.size() != 1 || outputs[0].node().inputs.size() != 1) continue;
    x = outputs[0];
    layers.push_back(x.node().layer);
  }
  // The layers are made again, since these have been called already.
  keras::Sequential model;
  if (!one_in(4) || input.dtype() != DType::kF32) model.add(LayerHandle(input));
  for (const std::shared_ptr<Layer>& layer : layers)
    model.add(LayerHandle(keras::saving::from_config<Layer>(layer->class_name(), layer->get_config())));
  tensors_ = {input};
  return model;
}

KerasTensor ModelMaker::merged(const KerasTensor& a, const KerasTensor& b) {
  static const char* const kMerges[] = {"Add",     "Subtract", "Multiply",    "Average",
                                        "Maximum", "Minimum",  "Concatenate", "Dot"};
  const bool have_one_type = a.type() == b.type();
  if (a.dtype() == DType::kI32 || b.dtype() == DType::kI32) return {};
  if (has_open_steps(a) || has_open_steps(b)) return {};  // they may differ in the data
  if (have_one_type && one_in(3)) return one_in(2) ? a + b * 0.5 : a * b;
  const std::string merge = kMerges[have_one_type ? pick(std::size(kMerges)) : 6 + pick(2)];
  Config config = Config::dict();
  if (merge == "Concatenate") config.set("axis", one_in(2) ? -1 : 1);
  if (merge == "Dot") config.set("axes", 1);
  ++num_drawn_;
  try {
    return (*keras::saving::from_config<Layer>(merge, config))(std::vector<KerasTensor>{a, b});
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    return {};  // the two were drawn at random
  }
}

/// x through a layer that has been called already on such a tensor.
KerasTensor ModelMaker::shared(const KerasTensor& x) {
  for (const KerasTensor& made : tensors_) {
    const keras::Node& node = made.node();
    if (!made.is_input() && node.inputs.size() == 1 && node.types.size() == 1 &&
        node.inputs[0].type() == x.type() && node.inputs[0] != x)
      return (*node.layer)(x);
  }
  return {};
}

/// x through a model of one or two layers.
KerasTensor ModelMaker::through_a_model(const KerasTensor& x) {
  const keras::Input input({.shape = Dims(x.shape().begin() + 1, x.shape().end()), .dtype = x.dtype()});
  const std::vector<KerasTensor> inside = applied(input);
  if (inside.empty()) return {};
  const std::vector<KerasTensor> more = one_in(2) ? applied(inside[0]) : std::vector<KerasTensor>();
  return Model({.inputs = input, .outputs = more.empty() ? inside[0] : more[0]})(x);
}

KerasTensor ModelMaker::next_tensor(const KerasTensor& x) {
  switch (pick(8)) {
    case 0:
    case 1: return merged(x, tensors_[pick(tensors_.size())]);
    case 2: return shared(x);
    case 3: return through_a_model(x);
    default: {
      const std::vector<KerasTensor> outputs = applied(x);
      return outputs.empty() ? KerasTensor() : outputs[pick(outputs.size())];
    }
  }
}

/// The last tensor, at times another one, and one for each input that these do not depend on.
std::vector<KerasTensor> ModelMaker::some_outputs() {
  std::vector<KerasTensor> outputs = {tensors_.back()};
  const KerasTensor& other = tensors_[pick(tensors_.size())];
  if (one_in(3) && !other.is_input() && other != outputs[0]) outputs.push_back(other);
  std::vector<KerasTensor> open = outputs;
  std::set<const keras::Node*> reached;
  while (!open.empty()) {
    const KerasTensor x = open.back();
    open.pop_back();
    if (!reached.insert(&x.node()).second) continue;
    open.insert(open.end(), x.node().inputs.begin(), x.node().inputs.end());
  }
  for (const KerasTensor& x : tensors_)
    if (x.is_input() && !reached.contains(&x.node()))
      outputs.push_back(x.dtype() == DType::kI32
                            ? keras::layers::Embedding({.input_dim = 6, .output_dim = 2})(x)
                            : keras::layers::Dense({.units = 2})(x));
  return outputs;
}

Model ModelMaker::make_functional() {
  tensors_ = {make_input()};
  if (one_in(3)) tensors_.push_back(make_input());
  const std::vector<KerasTensor> inputs = tensors_;
  const std::size_t wanted = tensors_.size() + 1 + pick(7);
  for (int attempt = 0; attempt < 60 && (tensors_.size() < wanted || tensors_.back().is_input()); ++attempt) {
    const KerasTensor made = next_tensor(one_in(3) ? tensors_[pick(tensors_.size())] : tensors_.back());
    if (made.defined() && is_usable(made)) tensors_.push_back(made);
  }
  return Model({.inputs = inputs, .outputs = some_outputs()});
}

Tensor ModelMaker::random_tensor(const Dims& shape, DType dtype) {
  Dims dims = shape;
  std::replace(dims.begin(), dims.end(), kUnknown, kSteps);
  const auto count = static_cast<std::size_t>(
      std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
  if (dtype == DType::kI32) {
    std::vector<std::int32_t> ids(count);
    for (std::int32_t& id : ids) id = static_cast<std::int32_t>(pick(6));
    return Tensor::from<std::int32_t>(dims, ids);
  }
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(pick(2001)) / 1000.F - 1;
  return Tensor::from<float>(dims, values);
}

RandomModel ModelMaker::make() {
  static const Config kOptimizers = Config::parse(optimizers());
  static const char* const kLosses[] = {"mse", "mae", "huber", "log_cosh", "cosine_similarity"};
  RandomModel made;
  made.model = one_in(2) ? make_sequential() : make_functional();
  const std::int64_t num_rows = one_in(2) ? 6 : 5;  // with three rows a step: also a part of one
  std::vector<Tensor> x, y;
  for (const KerasTensor& input : tensors_) {
    if (!input.is_input()) continue;
    Dims shape = input.shape();
    shape[0] = num_rows;
    x.push_back(random_tensor(shape, input.dtype()));
  }
  made.x = keras::Tensors(x);
  for (const Tensor& output : made.model.predict_many(made.x, {.verbose = 0}))
    y.push_back(random_tensor(output.shape(), DType::kF32));
  made.y = keras::Tensors(y);
  Config optimizer = kOptimizers.at(pick(kOptimizers.size()));
  optimizer.set("module", "keras.optimizers");
  optimizer.set("registered_name", nullptr);
  made.compile_config = Config::dict({{"optimizer", optimizer}, {"loss", kLosses[pick(std::size(kLosses))]}});
  made.is_random = made.model.variables().size() > made.model.weights().size();
  made.is_low_precision = made.model.to_json().find("float16") != std::string::npos;
  return made;
}

}  // namespace cornu::inline v0::tests
