#include <algorithm>
#include <map>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/weight_tree.h"
#include "cornu/keras/files/weights_hdf5_support.h"
#include "cornu/keras/utils/arrays.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras::files {
namespace {

/// The group of a layer. Keras 2 calls lists of layers otherwise.
const io::Hdf5Group* find_vars(const io::Hdf5Group& root, const std::string& path) {
  if (const io::Hdf5Group* found = root.find_group(vars_of(path))) return found;
  std::string other = vars_of(path);
  constexpr std::string_view kNew = "layers/", kOld = "_layer_checkpoint_dependencies/";
  for (std::size_t at = 0; (at = other.find(kNew, at)) != std::string::npos; at += kOld.size()) {
    if (at > 0 && other[at - 1] != '/') {
      at += kNew.size() - kOld.size();
      continue;
    }
    other.replace(at, kNew.size(), kOld);
  }
  return root.find_group(other);
}

/// Groups with arrays that no layer of the model took.
void find_unexpected(const io::Hdf5Group& group, const std::string& path,
                     const std::set<const io::Hdf5Group*>& taken, Difference& difference) {
  for (const auto& [name, inside] : group.groups) {
    const bool is_other_state =  // of older files: what is drawn or measured, no weights
        name == "optimizer" || name == "seed_generator" || name == "metrics" || name == "_metrics";
    if (path.empty() && is_other_state) continue;
    if (name == "seed_generator") continue;
    const std::string inside_path = path.empty() ? name : path + "/" + name;
    if (!inside->datasets.empty() && !taken.contains(inside.get())) difference.unexpected(inside_path);
    find_unexpected(*inside, inside_path, taken, difference);
  }
}

/// What the file has of a layer.
SavedVariables variables_of(const SavedLayer& saved) {
  const auto* const layer = dynamic_cast<const layers::LoraLayer*>(saved.layer);
  SavedVariables all{saved.path, saved.layer->name(), saved.variables,
                     layer == nullptr ? nullptr : layer->lora()};
  if (all.lora != nullptr)
    std::erase_if(all.variables,
                  [&](const Variable& each) { return each == all.lora->a || each == all.lora->b; });
  return all;
}

Tensor sum_of(const layers::LoraWeights& lora) {
  const EagerScope outside_of_traces;
  const cornu::detail::HostScope on_host;
  return layers::lora_sum(cornu::detail::host_value(lora.weight), cornu::detail::host_value(lora.a),
                          cornu::detail::host_value(lora.b), lora.factor);
}

FoundArray zeros_for(const Variable& variable) {
  return {*utils::element_type_of(variable.dtype()), variable.shape(), [](std::span<std::byte> destination) {
            std::fill(destination.begin(), destination.end(), std::byte(0));
          }};
}

}  // namespace

std::string vars_of(const std::string& path) { return path.empty() ? "vars" : path + "/vars"; }

std::vector<SavedVariables> saved_variables(const Layer& model, const Optimizer* optimizer) {
  std::vector<SavedVariables> all;
  for (const SavedLayer& saved : weight_tree(model)) all.push_back(variables_of(saved));
  if (optimizer == nullptr) return all;
  all.push_back({"optimizer", optimizer->name(), optimizer->variables()});
  if (const Optimizer* const inner = optimizer->inner_optimizer())
    all.push_back({"optimizer/inner_optimizer", inner->name(), inner->variables()});
  return all;
}

void put_variable(const SavedVariables& saved, std::size_t index, io::Hdf5Content& content,
                  std::deque<KeptArray>& values) {
  io::Hdf5Content& vars = content.group(vars_of(saved.path));
  vars.attributes["name"] = {.is_list = false, .texts = {saved.name}};
  const Variable& variable = saved.variables[index];
  const KeptArray& value = saved.is_lora_sum(index) ? values.emplace_back(variable, sum_of(*saved.lora))
                                                    : values.emplace_back(variable);
  io::Hdf5Attributes attributes;
  if (value.type == io::ElementType::kBF16) attributes["dtype"] = {.is_list = false, .texts = {"bfloat16"}};
  vars.datasets.emplace(std::to_string(index), std::pair(value.view(), std::move(attributes)));
}

WeightsContent weights_content(const Layer& model, const Optimizer* optimizer) {
  WeightsContent written;
  for (const SavedVariables& saved : saved_variables(model, optimizer)) {
    written.content.group(vars_of(saved.path)).attributes["name"] = {.is_list = false, .texts = {saved.name}};
    for (std::size_t i = 0; i < saved.variables.size(); ++i)
      put_variable(saved, i, written.content, written.values);
  }
  return written;
}

void write_hdf5(const std::string& path, const io::Hdf5Content& content) {
  const io::Hdf5Writer writer(content);
  io::WholeFile file(path);
  writer.write([&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

FoundArray found_array(const std::shared_ptr<const io::Hdf5File>& file, const io::Hdf5Dataset& dataset) {
  return {dataset.type, dataset.dims,
          [file, &dataset](std::span<std::byte> destination) { file->read(dataset, destination); }};
}

void report(const Difference& difference, const std::string& file_name, const LoadWeightsOptions& options) {
  if (difference.empty()) return;
  if (!options.skip_mismatch)
    invalid_argument("[load_weights] {} does not fit the model: {}; nothing was changed", file_name,
                     difference.str());
  log_warning("[load_weights] {} fits the model in part: {}", printable(file_name), difference.str());
}

void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, const LoadWeightsOptions& options,
                      Assignments& assignments, Difference& difference) {
  if (found.size() > optimizer.variables().size() && !optimizer.built()) optimizer.build(trainable);
  const std::vector<Variable> variables = optimizer.variables();
  if (options.skip_mismatch && found.size() != variables.size()) {
    log_warning(
        "[load_weights] the state of optimizer \"{}\" is left as it is: it has {} variables, the saved one "
        "{}",
        optimizer.name(), variables.size(), found.size());
    return;
  }
  if (found.size() > variables.size())
    difference.unexpected(fmt::format("optimizer/vars/{}", variables.size()));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string path = fmt::format("optimizer/vars/{}", i);
    if (i < found.size())
      assignments.add(path, variables[i], std::move(found[i]), difference);
    else
      difference.missing(path);
  }
}

namespace {

/// The arrays of a group, from all files that have it, by their numbers.
std::map<std::string, FoundArray, io::NumberedOrder> arrays_of(const WeightsFiles& files,
                                                               const std::string& path,
                                                               std::set<const io::Hdf5Group*>& taken) {
  std::map<std::string, FoundArray, io::NumberedOrder> arrays;
  for (const auto& file : files.files) {
    const io::Hdf5Group* const vars = find_vars(file->root(), path);
    taken.insert(vars);
    if (vars == nullptr) continue;
    for (const auto& [number, dataset] : vars->datasets) arrays.emplace(number, found_array(file, dataset));
  }
  return arrays;
}

}  // namespace

Assignments find_weights(const WeightsFiles& files, const Layer& model, Optimizer* optimizer,
                         const LoadWeightsOptions& options) {
  Assignments assignments;
  Difference difference;
  std::set<const io::Hdf5Group*> taken;
  for (const SavedVariables& saved : saved_variables(model, nullptr)) {
    auto arrays = arrays_of(files, saved.path, taken);
    for (std::size_t i = 0; i < saved.variables.size(); ++i) {
      const std::string path = fmt::format("{}/{}", vars_of(saved.path), i);
      const auto found = arrays.find(std::to_string(i));
      if (found == arrays.end()) {
        difference.missing(path);
        continue;
      }
      const bool fits = assignments.add(path, saved.variables[i], std::move(found->second), difference);
      if (!fits || !saved.is_lora_sum(i)) continue;
      for (const Variable& part : {saved.lora->a, saved.lora->b})
        assignments.add(path, part, zeros_for(part), difference);
    }
    if (arrays.size() > saved.variables.size())
      difference.unexpected(fmt::format("{}/{}", vars_of(saved.path), saved.variables.size()));
  }
  for (const auto& file : files.files) find_unexpected(file->root(), "", taken, difference);
  if (optimizer != nullptr) {
    auto slots = arrays_of(files, "optimizer", taken);
    std::vector<FoundArray> found;
    found.reserve(slots.size());
    for (auto& [number, array] : slots) found.push_back(std::move(array));
    if (!found.empty())
      assign_optimizer(*optimizer, model.trainable_weights(), std::move(found), options, assignments,
                       difference);
  }
  report(difference, files.name, options);
  return assignments;
}

}  // namespace cornu::inline v0::keras::files
