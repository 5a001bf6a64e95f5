#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/export/onnx_export_support.h"

namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

/// The extents of x from axis `first` on, before axis `last` if there is one.
std::string extents(OnnxGraph& graph, const std::string& x, std::int64_t first, std::int64_t last = -1) {
  Attributes attributes;
  attributes.integer("start", first);
  if (last >= 0) attributes.integer("end", last);
  return graph.node("Shape", {x}, attributes);
}

std::string reshaped(OnnxGraph& graph, const std::string& x, const std::string& first,
                     const std::string& rest) {
  return graph.node("Reshape", {x, graph.node("Concat", {first, rest}, Attributes().integer("axis", 0))});
}

/// The steps of a sequence are rows of one batch for the layer inside.
std::vector<OnnxValue> time_distributed(const OnnxCall& c) {
  OnnxGraph& graph = c.graph();
  const std::shared_ptr<Layer> inner = c.layer.sublayers().at(0);
  const bool ignores_masks = inner->class_name() == "Dense" || inner->class_name() == "Activation";
  c.require(c.x().mask.empty() || ignores_masks, "has a mask, which the layer inside may use");
  const std::string x = c.to.last(c.x()), batch_and_time = extents(graph, x, 0, 2);
  std::vector<OnnxValue> rows = {
      c.to.made_last(c.rank() - 1, reshaped(graph, x, graph.integers({-1}), extents(graph, x, 2)))};
  std::vector<OnnxValue> results = c.to.apply(*inner, c.node, rows);
  const std::string y = c.to.last(results.at(0));
  return {c.to.made_last(results[0].rank + 1, reshaped(graph, y, batch_and_time, extents(graph, y, 1)))};
}

constexpr OnnxTranslation kWrappers[] = {
    {"TimeDistributed", time_distributed},
};

}  // namespace

std::span<const OnnxTranslation> onnx_wrappers() { return kWrappers; }

}  // namespace cornu::inline v0::keras
