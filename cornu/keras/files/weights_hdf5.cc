#include <algorithm>
#include <map>
#include <optional>
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

/// The group name in older versions: lists of layers, attributes (with or without an underscore) and classes
/// had other names.
std::string old_group_name(const std::string& name) {
  constexpr std::string_view kNow = "group_query_attention", kOld = "grouped_query_attention";
  if (name == "layers") return "_layer_checkpoint_dependencies";
  if (name.starts_with(kNow))  // with or without a number after it
    return std::string(kOld) + name.substr(kNow.size());
  return name.starts_with('_') ? name.substr(1) : "_" + name;
}

const io::Hdf5Group* find_vars(const io::Hdf5Group& root, const std::string& path) {
  if (const io::Hdf5Group* found = root.find_group(vars_of(path))) return found;
  const io::Hdf5Group* group = &root;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const io::Hdf5Group* const found = group->find_group(name);
    group = found != nullptr ? found : group->find_group(old_group_name(name));
    if (group == nullptr) return nullptr;
  }
  return group->find_group("vars");
}

/// True if groups are also numbered by the class SyncBatchNormalization, which is a BatchNormalization today.
bool counts_sync_normalizations(const io::Hdf5Group& group) {
  return std::any_of(group.groups.begin(), group.groups.end(), [](const auto& inside) {
    return inside.first.starts_with("sync_batch_normalization") || counts_sync_normalizations(*inside.second);
  });
}

/// Finds groups with arrays that no layer of the model used.
void find_unexpected(const io::Hdf5Group& group, const std::string& path,
                     const std::set<const io::Hdf5Group*>& taken, Difference& difference) {
  for (const auto& [name, inside] : group.groups) {
    const bool is_other_state =  // in older files: random states or measurements, not weights
        name == "metrics" || name == "_metrics";
    if (path.empty() && is_other_state) continue;
    if (name == "seed_generator") continue;
    if (name == "optimizer") continue;  // also of inner models that were compiled
    const std::string inside_path = path.empty() ? name : path + "/" + name;
    if (!inside->datasets.empty() && !taken.contains(inside.get())) difference.unexpected(inside_path);
    find_unexpected(*inside, inside_path, taken, difference);
  }
}

/// The variables of a layer in the file.
SavedVariables variables_of(const SavedLayer& saved) {
  const auto* const layer = dynamic_cast<const layers::LoraLayer*>(saved.layer);
  const layers::LoraWeights* const lora = layer == nullptr ? nullptr : layer->lora();
  SavedVariables all{saved.path, saved.layer->name(), saved.variables, lora == nullptr ? nullptr : layer};
  if (lora != nullptr)
    std::erase_if(all.variables, [&](const Variable& each) { return each == lora->a || each == lora->b; });
  return all;
}

/// The value that the file has for the variable, if it is not the variable's: with LoRA.
std::optional<Tensor> merged_value(const SavedVariables& saved, const Variable& variable) {
  if (saved.lora == nullptr || !saved.lora->is_merged(variable)) return std::nullopt;
  for (auto& [merged, value] : saved.lora->merged_values())
    if (merged == variable) return value;
  return std::nullopt;
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
  const std::optional<Tensor> merged = merged_value(saved, variable);
  const KeptArray& value =
      merged.has_value() ? values.emplace_back(variable, *merged) : values.emplace_back(variable);
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

namespace {

/// The variables for which a file has values, in its order. Empty if that is not known.
std::vector<Variable> variables_of_state(const Optimizer& optimizer, std::size_t num_trainable,
                                         const OldState& state) {
  std::vector<Variable> variables = optimizer.variables();
  const Variable& rate = optimizer.learning_rate_variable();
  const std::size_t num_found = state.found.size();
  const std::size_t num_shared = rate.defined() ? 2 : 1;  // the iteration and the learning rate
  const std::size_t num_slots = variables.size() - std::min(num_shared, variables.size());
  if (num_slots > 0 && !state.why_no_slots.empty()) return {};
  if (state.order == SlotOrder::kByKind && num_slots > num_trainable) return {};
  // A learning rate is a scalar after the iteration; before Keras 3 it was not part of the state.
  const bool has_rate = !state.is_before_3 && num_found > 1 && state.found[1].dims.empty();
  if (num_found == variables.size() && (has_rate || !rate.defined())) return variables;
  if (rate.defined()) std::erase_if(variables, [&](const Variable& each) { return each.id() == rate.id(); });
  // An SGD without momentum had slots as well.
  const bool has_more_slots = num_slots == 0 && num_found == 1 + num_trainable;
  if (num_found != variables.size() && !has_more_slots) return {};
  return variables;
}

/// Nadam's product of momenta preceded its slots until Keras 3.6.
void move_product_to_front(const std::vector<FoundArray>& found, std::vector<Variable>& variables,
                           const Optimizer& optimizer) {
  const std::size_t first = optimizer.learning_rate_variable().defined() ? 2 : 1;
  if (found.size() != variables.size() || found.size() <= first + 1) return;
  const bool has_product =
      found[first].dims.empty() && !variables[first].shape().empty() && variables.back().shape().empty();
  if (has_product)
    std::rotate(variables.begin() + static_cast<std::ptrdiff_t>(first), variables.end() - 1, variables.end());
}

}  // namespace

void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, const LoadWeightsOptions& options,
                      Assignments& assignments, Difference& difference) {
  if (found.size() > optimizer.variables().size() && !optimizer.built()) optimizer.build(trainable);
  OldState state{.found = std::move(found), .is_before_3 = false};  // unless its form shows otherwise
  std::vector<Variable> variables = variables_of_state(optimizer, trainable.size(), state);
  found = std::move(state.found);
  if (!variables.empty())
    found.resize(variables.size());
  else
    variables = optimizer.variables();
  move_product_to_front(found, variables, optimizer);
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

/// The arrays of a group, from all files that have it, by number.
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
  const bool counts_sync = std::any_of(files.files.begin(), files.files.end(), [](const auto& file) {
    return counts_sync_normalizations(file->root());
  });
  for (const SavedLayer& layer :
       weight_tree(model, counts_sync ? GroupNames::kWithSync : GroupNames::kToday)) {
    const SavedVariables saved = variables_of(layer);
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
      for (const Variable& part : {saved.lora->lora()->a, saved.lora->lora()->b})
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

void assign_old_state(const StateReader& reader, Optimizer& optimizer, const std::vector<Variable>& trainable,
                      OldState state, Assignments& assignments) {
  if (state.found.size() > optimizer.variables().size() && !optimizer.built()) optimizer.build(trainable);
  const std::vector<Variable> variables = variables_of_state(optimizer, trainable.size(), state);
  Assignments fitting;
  Difference difference;
  for (std::size_t i = 0; i < variables.size(); ++i)
    fitting.add(fmt::format("optimizer/vars/{}", i), variables[i], std::move(state.found[i]), difference);
  if (!variables.empty() && difference.empty()) return assignments.append(std::move(fitting));
  const std::string why = difference.empty() ? state.why_no_slots : difference.str();
  const bool is_new = reader.caller == std::string_view("load_model");
  log_warning("[{}] {}: the optimizer {}, because the state in the file does not fit it{}{}", reader.caller,
              printable(reader.file), is_new ? "begins anew" : "is left as it is", why.empty() ? "" : ": ",
              why);
}

void load_old_state(const std::shared_ptr<const io::Hdf5File>& file, Optimizer& optimizer,
                    const std::vector<Variable>& trainable) {
  std::set<const io::Hdf5Group*> taken;
  OldState state;
  for (auto& [number, array] : arrays_of({file->name(), {file}}, "optimizer", taken))
    state.found.push_back(std::move(array));
  Assignments assignments;
  assign_old_state({.caller = "load_model", .file = file->name()}, optimizer, trainable, std::move(state),
                   assignments);
  assignments.run();
}

}  // namespace cornu::inline v0::keras::files
