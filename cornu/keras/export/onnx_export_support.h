#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/keras/export/onnx_graph_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

/// A tensor of the exported graph, with the channels last as in Keras, or first as ONNX's convolutions take
/// it; the other form is made when it is needed. Tensors of rank 2 or less have one form.
struct OnnxValue {
  std::int64_t rank = 0;
  std::string last;
  std::string first;
};

/// Translates the calls of layers.
class OnnxExport {
 public:
  explicit OnnxExport(OnnxGraph& made) : graph(made) {}

  /// The values of `outputs`; those of `inputs` are given.
  std::vector<OnnxValue> run(const std::vector<KerasTensor>& inputs, std::vector<OnnxValue> values,
                             const std::vector<KerasTensor>& outputs);

  std::string last(OnnxValue& value);
  std::string first(OnnxValue& value);
  OnnxValue made_last(std::int64_t rank, std::string name) const;
  OnnxValue made_first(std::int64_t rank, std::string name) const;
  /// The activation of a configuration, element by element in either form.
  OnnxValue activated(OnnxValue value, const Config& activation, const Layer& layer);

  OnnxGraph& graph;

 private:
  using Key = std::pair<const Node*, std::size_t>;
  std::vector<OnnxValue> call(const Node& node, std::vector<OnnxValue>& inputs);
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
  /// The weight whose path ends with this name. Undefined if there is none.
  Tensor weight(const char* name) const;
  /// Errors: Unimplemented, naming layer, class and option.
  [[noreturn]] void refuse(const std::string& why) const;
  void require(bool holds, const char* why) const {
    if (!holds) refuse(why);
  }
  void require_channels_last() const;
  Dims dims(const char* key) const;
};

using OnnxTranslation = OnnxValue (*)(const OnnxCall&);
/// Null for a class that has none.
OnnxTranslation onnx_translation(const std::string& class_name);

}  // namespace cornu::inline v0::keras
