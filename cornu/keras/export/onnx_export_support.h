#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/keras/export/onnx_graph_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

/// A tensor of the exported graph, with the channels last as in Keras, or first as ONNX's convolutions take
/// it; the other form is made when it is needed. Tensors of rank 2 or less have one form. `mask`: a tensor of bool
/// without the last axis, false for steps that do not count; empty: all count.
struct OnnxValue {
  std::int64_t rank = 0;
  std::string last;
  std::string first;
  std::string mask = {};
};

/// Translates the calls of layers.
class OnnxExport {
 public:
  explicit OnnxExport(OnnxGraph& made) : graph(made) {}

  /// The values of `outputs`; those of `inputs` are given.
  std::vector<OnnxValue> run(const std::vector<KerasTensor>& inputs, std::vector<OnnxValue> values,
                             const std::vector<KerasTensor>& outputs);

  /// The results of a layer for these inputs; `node`: the call whose arguments count.
  std::vector<OnnxValue> apply(const Layer& layer, const Node& node, std::vector<OnnxValue>& inputs);

  std::string last(OnnxValue& value);
  std::string first(OnnxValue& value);
  OnnxValue made_last(std::int64_t rank, std::string name) const;
  OnnxValue made_first(std::int64_t rank, std::string name) const;
  /// The activation of a configuration, element by element in either form.
  OnnxValue activated(OnnxValue value, const Config& activation, const Layer& layer);

  OnnxGraph& graph;

 private:
  using Key = std::pair<const Node*, std::size_t>;
  /// Gives a result the mask that the layer passes on.
  void pass_mask(const Layer& layer, const std::vector<OnnxValue>& inputs,
                 std::vector<OnnxValue>& results) const;
};

/// A call of a layer while it is translated.
struct OnnxCall {
  OnnxExport& to;
  const Node& node;
  const Layer& layer;
  Config config;
  std::vector<OnnxValue>& inputs;

  OnnxGraph& graph() const { return to.graph; }
  OnnxValue& x() const { return inputs[0]; }
  std::int64_t rank() const { return inputs[0].rank; }
  /// The weight whose path ends with this name, of float32. Undefined if there is none.
  Tensor weight(const char* name) const;
  /// Errors: Unimplemented, naming layer, class and option.
  [[noreturn]] void refuse(const std::string& why) const;
  void require(bool holds, const char* why) const {
    if (!holds) refuse(why);
  }
  void require_channels_last() const;
  /// The mask of a recurrent layer's steps: with initial states, only a mask that is an argument of the call.
  std::string step_mask() const;
  Dims dims(const char* key) const;
};

/// The weight of a layer or of a layer inside whose path ends with this name; undefined if there is none.
Variable onnx_weight(const Layer& layer, const std::string& name);
std::string onnx_scalar(OnnxGraph& graph, double value);
/// A scalar of int64.
std::string onnx_integer(OnnxGraph& graph, std::int64_t value);
std::string onnx_constant(OnnxGraph& graph, const Tensor& tensor);
/// An activation that computes each element by itself. Errors: Unimplemented, naming the layer, for others.
std::string onnx_activation(OnnxGraph& graph, const std::string& x, const Config& activation,
                            const Layer& layer);

/// The form of a class of layers. `makes_mask`: its results have their masks already, or none; others get that of
/// the first input if the layer supports masks.
struct OnnxTranslation {
  std::string_view class_name;
  std::vector<OnnxValue> (*translate)(const OnnxCall&);
  bool makes_mask = false;
};
/// Null for a class that has none.
const OnnxTranslation* onnx_translation(const std::string& class_name);
/// Those in files of their own.
std::span<const OnnxTranslation> onnx_dense_layers();
std::span<const OnnxTranslation> onnx_recurrent_layers();
std::span<const OnnxTranslation> onnx_conv_lstm_layers();
std::span<const OnnxTranslation> onnx_attention_layers();
std::span<const OnnxTranslation> onnx_wrappers();

}  // namespace cornu::inline v0::keras
