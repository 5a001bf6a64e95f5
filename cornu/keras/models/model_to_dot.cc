#include "cornu/keras/models/model_to_dot.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/models/sequential.h"

extern char** environ;

namespace cornu::inline v0::keras {
namespace {

std::string html(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

/// Quotes text for DOT. Control characters are written as numbers here and in html(), since the text goes to
/// terminals and to Graphviz.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// "(None, 4)", or "[(None, 4), (None, 2)]" for several.
std::string shapes_text(const std::vector<Dims>& shapes) {
  if (shapes.empty()) return "?";
  if (shapes.size() == 1) return shape_with_none_str(shapes[0]);
  std::vector<std::string> texts;
  texts.reserve(shapes.size());
  for (const Dims& shape : shapes) texts.push_back(shape_with_none_str(shape));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

class DotWriter {
 public:
  explicit DotWriter(const ModelToDotOptions& options) : options_(options) {}

  std::string write(const Layer& network) {
    text_ = "digraph {\n";
    text_ += fmt::format("  graph [rankdir={}, concentrate=true, dpi={}, splines={}];\n", options_.rankdir,
                         options_.dpi, quoted(options_.splines));
    text_ += "  node [shape=plain, fontname=\"Helvetica\"];\n";
    add_graph(network, 1);
    for (const auto& [source, destination] : edges_)
      text_ += fmt::format("  {} -> {} [penwidth=2];\n", source, destination);
    return text_ + "}\n";
  }

 private:
  static const FunctionalNetwork* as_functional(const Layer& layer) {
    return dynamic_cast<const FunctionalNetwork*>(&layer);
  }
  static const SequentialNetwork* as_sequential(const Layer& layer) {
    return dynamic_cast<const SequentialNetwork*>(&layer);
  }
  bool is_expanded(const Layer& layer) const {
    return options_.expand_nested && (as_functional(layer) != nullptr || as_sequential(layer) != nullptr);
  }

  void add_graph(const Layer& network, int depth) {
    if (const auto* functional = as_functional(network)) {
      for (const auto& layer : functional->sublayers()) add_layer(*layer, depth);
      for (const auto& node : functional->graph().nodes)
        for (std::size_t i = 0; i < node->inputs.size(); ++i)
          add_edge(*node->inputs[i].node().layer, node->inputs[i].index(), *node->layer, i);
    } else if (const auto* sequential = as_sequential(network)) {
      const std::vector<std::shared_ptr<Layer>> layers = sequential->layers();
      for (const auto& layer : layers) add_layer(*layer, depth);
      for (std::size_t i = 0; i + 1 < layers.size(); ++i) add_edge(*layers[i], 0, *layers[i + 1], 0);
    } else {
      add_box(network, depth);
    }
  }

  void add_layer(const Layer& layer, int depth) {
    if (!is_expanded(layer)) {
      add_box(layer, depth);
      return;
    }
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    text_ += fmt::format("{}subgraph cluster_{} {{\n{}  style=dashed; label={}; labeljust=l;\n", indent,
                         num_clusters_++, indent, quoted(layer.name()));
    add_graph(layer, depth + 1);
    text_ += indent + "}\n";
  }

  const std::string& id(const Layer& layer) {
    return ids_.emplace(&layer, fmt::format("layer_{}", ids_.size())).first->second;
  }

  // An expanded inner model has no box: an edge ends at the layer that returns or takes the tensor.
  void add_edge(const Layer& from, std::size_t output, const Layer& to, std::size_t input) {
    const Layer* source = &from;
    while (is_expanded(*source)) {
      const KerasTensor tensor = source->network_or_null()->outputs().at(output);
      source = tensor.node().layer.get();
      output = tensor.index();
    }
    const Layer* destination = &to;
    while (is_expanded(*destination)) {
      const auto* sequential = as_sequential(*destination);
      destination = sequential != nullptr
                        ? sequential->layers().at(0).get()
                        : as_functional(*destination)->inputs().at(input).node().layer.get();
    }
    const std::pair<std::string, std::string> edge(id(*source), id(*destination));
    if (known_edges_.insert(edge).second) edges_.push_back(edge);
  }

  void add_box(const Layer& layer, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    const std::vector<std::string> cells = details(layer);
    const std::size_t columns = std::max<std::size_t>(1, cells.size());
    const std::string title = options_.show_layer_names ? fmt::format("<b>{}</b> ({})", html(layer.name()),
                                                                      html(layer.class_name()))
                                                        : fmt::format("<b>{}</b>", html(layer.class_name()));
    text_ +=
        fmt::format("{}{} [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"8\">",
                    indent, id(layer));
    text_ += fmt::format("<tr><td colspan=\"{}\" bgcolor=\"black\"><font color=\"white\">{}</font></td></tr>",
                         columns, title);
    if (const std::string activation = layer.activation_name();
        options_.show_layer_activations && !activation.empty())
      text_ +=
          fmt::format("<tr><td colspan=\"{}\">Activation: <b>{}</b></td></tr>", columns, html(activation));
    if (!cells.empty()) text_ += fmt::format("<tr>{}</tr>", fmt::join(cells, ""));
    text_ += "</table>>];\n";
  }

  std::vector<std::string> details(const Layer& layer) const {
    const std::vector<std::shared_ptr<const Node>> nodes = layer.nodes();
    std::vector<Dims> inputs, outputs;
    std::vector<std::string> dtypes;
    if (!nodes.empty()) {
      for (const KerasTensor& input : nodes[0]->inputs) inputs.push_back(input.shape());
      for (const TensorType& type : nodes[0]->types) {
        outputs.push_back(type.dims);
        dtypes.emplace_back(ir::numpy_name(type.dtype));
      }
    }
    std::vector<std::string> cells;
    const auto cell = [&](const char* what, const std::string& value) {
      cells.push_back(fmt::format("<td>{}: <b>{}</b></td>", what, value));
    };
    if (options_.show_shapes) {
      if (dynamic_cast<const layers::InputLayer*>(&layer) == nullptr)
        cell("Input shape", shapes_text(inputs));
      cell("Output shape", shapes_text(outputs));
    }
    if (options_.show_dtype)
      cell("Output dtype", dtypes.empty() ? "?" : fmt::format("{}", fmt::join(dtypes, ", ")));
    if (options_.show_trainable && !layer.weights().empty()) {
      cells.push_back(
          layer.trainable()
              ? "<td bgcolor=\"forestgreen\"><font color=\"white\"><b>Trainable</b></font></td>"
              : "<td bgcolor=\"firebrick\"><font color=\"white\"><b>Non-trainable</b></font></td>");
    }
    return cells;
  }

  const ModelToDotOptions& options_;
  std::string text_;
  std::map<const Layer*, std::string> ids_;
  std::vector<std::pair<std::string, std::string>> edges_;
  std::set<std::pair<std::string, std::string>> known_edges_;
  int num_clusters_ = 0;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

void write_text(const std::string& path, const std::string& text) {
  const File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0)
    fail(ErrorCode::kNotFound, "[plot_model] cannot write \"{}\": {}", path, std::strerror(errno));
}

/// Runs `dot -T<format> -o <path>` on the text.
void run_graphviz(const std::string& path, const std::string& format, const std::string& text) {
  const File input(std::tmpfile());
  if (input == nullptr || std::fwrite(text.data(), 1, text.size(), input.get()) != text.size() ||
      std::fflush(input.get()) != 0 || std::fseek(input.get(), 0, SEEK_SET) != 0)
    fail(ErrorCode::kNotFound, "[plot_model] cannot write a temporary file: {}", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  std::string program = "dot", format_option = "-T" + format, output_option = "-o" + path;
  const std::array<char*, 4> arguments = {program.data(), format_option.data(), output_option.data(),
                                          nullptr};
  pid_t process = 0;
  const int error = posix_spawnp(&process, "dot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    fail(ErrorCode::kFailedPrecondition,
         "[plot_model] to_file = \"{}\" needs the program \"dot\" of Graphviz, which cannot be started ({}); "
         "a .dot file needs no program",
         path, std::strerror(error));
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0)
    fail(ErrorCode::kNotFound, "[plot_model] Graphviz could not write \"{}\": see its message above", path);
}

}  // namespace

std::string model_to_dot(const Model& model, const ModelToDotOptions& options) {
  const std::set<std::string> directions = {"TB", "LR", "BT", "RL"};
  if (!directions.contains(options.rankdir))
    invalid_argument({.argument = "rankdir"},
                     "[model_to_dot] rankdir must be \"TB\", \"LR\", \"BT\" or \"RL\"; got rankdir = \"{}\"",
                     options.rankdir);
  if (!model->built()) {
    fail(ErrorCode::kFailedPrecondition,
         "[model_to_dot] model \"{}\" is not built yet: call build(), or the model on data", model.name());
  }
  return DotWriter(options).write(*model);
}

void plot_model(const Model& model, const PlotModelOptions& options) {
  const std::size_t dot = options.to_file.rfind('.');
  if (dot == std::string::npos || dot + 1 == options.to_file.size() ||
      options.to_file.find('/', dot) != std::string::npos)
    invalid_argument({.argument = "to_file"},
                     "[plot_model] to_file needs an extension (.dot, .png, .svg); got to_file = \"{}\"",
                     options.to_file);
  const std::string text = model_to_dot(model, {.show_shapes = options.show_shapes,
                                                .show_dtype = options.show_dtype,
                                                .show_layer_names = options.show_layer_names,
                                                .rankdir = options.rankdir,
                                                .expand_nested = options.expand_nested,
                                                .dpi = options.dpi,
                                                .show_layer_activations = options.show_layer_activations,
                                                .show_trainable = options.show_trainable,
                                                .splines = options.splines});
  const std::string format = options.to_file.substr(dot + 1);
  if (format == "dot" || format == "gv") {
    write_text(options.to_file, text);
  } else {
    run_graphviz(options.to_file, format, text);
  }
}

}  // namespace cornu::inline v0::keras
