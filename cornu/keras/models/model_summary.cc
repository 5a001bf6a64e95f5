// Model::summary: the rows and totals of the table.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/name_patterns_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/models/summary.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras {
namespace {

std::int64_t size_bytes_of(const std::vector<Variable>& variables) {
  std::size_t total = 0;
  for (const Variable& variable : variables) total += variable.type().size_bytes();
  return static_cast<std::int64_t>(total);
}

std::int64_t num_elements_of(const std::vector<Variable>& variables) {
  std::int64_t total = 0;
  for (const Variable& variable : variables) total += variable.num_elements();
  return total;
}

/// True if every call has one input, no two calls have the same depth, and no layer is called twice.
bool is_chain(const FunctionalGraph& graph) {
  std::set<const Layer*> seen;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    if (node.inputs.size() > 1 || !seen.insert(node.layer.get()).second) return false;
    if (i > 0 && graph.depths[i] == graph.depths[i - 1]) return false;
  }
  return true;
}

/// "(None, 3)" for the layer's last call; "[(None, 3), (None, 2)]" for several outputs; "?" if the shape is
/// not known.
std::string output_shape_text(Layer& layer) {
  std::vector<TensorType> types;
  if (const auto nodes = layer.nodes(); !nodes.empty()) {
    types = nodes.back()->types;
  } else if (layer.built() && !layer.build_types().empty()) {
    try {
      types = layer.compute_output_types(layer.build_types());
    } catch (const Error&) {
      return "?";  // the layer is used with another shape than it was built for
    }
  }
  if (types.empty()) return "?";
  std::vector<std::string> texts;
  texts.reserve(types.size());
  for (const TensorType& type : types) texts.push_back(shape_with_none_str(type.dims));
  return texts.size() == 1 ? texts[0] : fmt::format("[{}]", fmt::join(texts, ", "));
}

/// A line for each weight that the replicas of a strategy hold in parts.
std::vector<std::string> lines_of_parts(const std::vector<Variable>& weights) {
  std::vector<std::string> lines;
  for (const Variable& weight : weights)
    if (const auto* const parts = detail::parts_of(weight)) {
      if (parts->place.has_value()) {
        lines.push_back(fmt::format("{}: whole in part {} of {}", weight.path(), parts->place->part,
                                    parts->extent.num_parts));
        continue;
      }
      const auto bytes = static_cast<std::int64_t>(parts->type_of(weight.type(), 1).size_bytes());
      lines.push_back(fmt::format("{}: {} parts by {} of {} each", weight.path(), parts->extent.num_parts,
                                  parts->axis == 0 ? "rows" : "columns", readable_bytes(bytes)));
    }
  return lines;
}

class SummaryRows {
 public:
  SummaryRows(const FunctionalGraph* graph, const SummaryOptions& options)
      : graph_(graph), options_(options) {
    if (graph == nullptr) return;
    for (const auto& node : graph->nodes) nodes_.insert(node.get());
  }

  void add(Layer& layer, int level = 0) {
    std::string indent;
    for (int i = 0; i < level; ++i) indent += "   ";
    const bool is_operation = dynamic_cast<const layers::Operation*>(&layer) != nullptr;
    std::vector<std::string> cells = {
        fmt::format("{}{}{} ({})", indent, level > 0 ? "└ " : "", layer.name(), layer.class_name()),
        output_shape_text(layer),
        is_operation     ? "0"
        : !layer.built() ? "0 (unbuilt)"
                         : with_thousands(layer.count_params())};
    if (graph_ != nullptr) cells.push_back(connections(layer));
    if (options_.show_trainable)
      cells.emplace_back(layer.weights().empty() ? "-" : layer.trainable() ? "Y" : "N");
    rows.push_back(std::move(cells));
    Network* const network = layer.network_or_null();
    if (!options_.expand_nested || network == nullptr) return;
    for (const auto& inside : network->layers()) add(*inside, level + 1);
  }

  std::vector<std::vector<std::string>> rows;

 private:
  std::string connections(const Layer& layer) const {
    std::vector<std::string> texts;
    for (const auto& node : layer.nodes()) {
      if (!nodes_.contains(node.get())) continue;
      for (const KerasTensor& input : node->inputs)
        texts.push_back(
            fmt::format("{}[{}][{}]", input.node().layer->name(), input.node().index, input.index()));
    }
    return texts.empty() ? "-" : fmt::format("{}", fmt::join(texts, ", "));
  }

  const FunctionalGraph* graph_;
  std::set<const Node*> nodes_;  // of the graph
  const SummaryOptions& options_;
};

/// The layers from the first to the last that layer_range matches; as in Keras in either order.
std::vector<std::shared_ptr<Layer>> in_range(std::vector<std::shared_ptr<Layer>> layers,
                                             const SummaryOptions& options) {
  if (!options.layer_range.has_value()) return layers;
  const auto& [first, last] = *options.layer_range;
  const auto matches = [&](const std::string& expression) {
    const NamePatterns pattern("summary", "layer_range", {expression});
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (pattern.match_at_start(layers[i]->name())) numbers.push_back(i);
    return numbers;
  };
  std::vector<std::size_t> lower = matches(first), upper = matches(last);
  if (lower.empty() || upper.empty())
    invalid_argument({.argument = "layer_range"},
                     "[summary] layer_range must match the beginning of two layers' names; got layer_range = "
                     "(\"{}\", \"{}\")",
                     first, last);
  if (lower.front() > upper.back()) std::swap(lower, upper);
  return {layers.begin() + static_cast<std::ptrdiff_t>(lower.front()),
          layers.begin() + static_cast<std::ptrdiff_t>(upper.back()) + 1};
}

}  // namespace

void Model::summary(const SummaryOptions& options) const {
  const auto* functional = dynamic_cast<const FunctionalNetwork*>(get());
  const bool shows_connections = functional != nullptr && !is_chain(functional->graph());
  SummaryRows table(shows_connections ? &functional->graph() : nullptr, options);
  Network* const network = (*this)->network_or_null();
  std::vector<std::shared_ptr<Layer>> shown =
      network == nullptr || functional != nullptr ? (*this)->sublayers() : network->layers();
  for (const auto& layer : in_range(std::move(shown), options)) table.add(*layer);

  const std::vector<Variable> trainable = detail::with_tables(trainable_weights()),
                              non_trainable = non_trainable_weights();
  SummaryTotals totals{.trainable = num_elements_of(trainable),
                       .trainable_bytes = size_bytes_of(trainable),
                       .non_trainable = num_elements_of(non_trainable),
                       .non_trainable_bytes = size_bytes_of(non_trainable),
                       .sharded = lines_of_parts(weights())};
  if (const auto used = optimizer(); used && used->built()) {
    totals.has_optimizer = true;
    totals.optimizer = num_elements_of(used->variables());
    totals.optimizer_bytes = size_bytes_of(used->variables());
  }
  std::vector<SummaryColumn> columns = summary_columns(shows_connections, options.show_trainable);
  if (!options.positions.empty()) {
    if (options.positions.size() != columns.size())
      invalid_argument("[summary] positions must have {} numbers, one a column; got {}", columns.size(),
                       options.positions.size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].position = options.positions[i];
  }
  const std::int64_t widest = (shows_connections ? 108 : 88) + (options.show_trainable ? 12 : 0);
  const std::int64_t length =
      options.line_length > 0 ? options.line_length : default_summary_line_length(widest);
  const std::string text = render_summary(name(), columns, table.rows, totals, length);
  if (options.print) {
    options.print(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
}

}  // namespace cornu::inline v0::keras
