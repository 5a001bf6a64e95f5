#include "cornu/keras/optimizers/multi_optimizer.h"

#include <algorithm>
#include <iterator>
#include <regex>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

using OptimizerOf = std::function<std::shared_ptr<Optimizer>(const Variable&)>;

class MultiOptimizerImpl : public Optimizer {
 public:
  MultiOptimizerImpl(const MultiOptimizerOptions& options, OptimizerOf optimizer_of, bool has_function)
      : Optimizer("MultiOptimizer", {.learning_rate = 0.0,
                                     .loss_scale_factor = options.loss_scale_factor,
                                     .name = options.name,
                                     .described = has_function ? nullptr : saving::describe(options)}),
        optimizer_of_(std::move(optimizer_of)),
        loss_scale_factor_(options.loss_scale_factor) {
    for (const auto& [key, optimizer] : options.optimizer_map.entries()) index_of(optimizer);
    if (!has_function) index_of(options.optimizer_map.default_optimizer());
  }

  /// Keras writes the factor for each optimizer too.
  Config get_config() const override {
    const Config own = Config::dict({{"name", name()}});
    Config config = described_config("keras.optimizers", "optimizer", name(), own);
    if (!loss_scale_factor_) return config;
    const auto with = [](const Config& object, const char* key, Config value) {
      Config changed = object;
      changed.set(key, std::move(value));
      return changed;
    };
    const auto scaled = [&](const Config& object) {
      return with(object, "config", with(object.at("config"), "loss_scale_factor", *loss_scale_factor_));
    };
    const Config& map = config.at("optimizer_map");
    Config optimizers = Config::dict();
    for (const auto& [key, optimizer] : map.at("config").at("optimizer_map").as_dict())
      optimizers.set(key, scaled(optimizer));
    Config fields =
        with(map.at("config"), "default_optimizer", scaled(map.at("config").at("default_optimizer")));
    fields.set("optimizer_map", optimizers);
    return with(config, "optimizer_map", with(map, "config", fields));
  }

  void build(std::span<const Variable> variables) override {
    if (!built()) {
      std::vector<std::size_t> places;
      for (const Variable& variable : variables)
        places.push_back(index_of(optimizer_of_(variable), variable));
      for (std::size_t i = 0; i < inner_.size(); ++i) {
        std::vector<Variable> own;
        for (std::size_t k = 0; k < variables.size(); ++k)
          if (places[k] == i) own.push_back(variables[k]);
        if (!own.empty()) inner_[i]->build(own);
      }
      for (std::size_t k = 0; k < variables.size(); ++k) places_.emplace_back(variables[k], places[k]);
    }
    Optimizer::build(variables);
  }
  void forget_variables() override {
    for (const auto& optimizer : inner_) optimizer->forget_variables();
    places_.clear();
    Optimizer::forget_variables();
  }

  void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) override {
    if (gradients.size() != variables.size())
      invalid_argument("[{}] {} gradients for {} variables", name(), gradients.size(), variables.size());
    if (!built()) build(variables);
    std::vector<Step> steps(inner_.size());
    bool has_gradient = false;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      Step& step = steps[place_of(variables[k])];
      step.gradients.push_back(
          gradients[k].defined() && loss_scale_factor_ ? gradients[k] / *loss_scale_factor_ : gradients[k]);
      step.variables.push_back(variables[k]);
      step.has_gradient = step.has_gradient || gradients[k].defined();
      has_gradient = has_gradient || gradients[k].defined();
    }
    if (!has_gradient)
      invalid_argument("[{}] no gradient reaches any of the {} variables", name(), variables.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].has_gradient) inner_[i]->apply(steps[i].gradients, steps[i].variables);
    const Variable& iteration = iteration_variable();
    iteration.assign(iteration + 1);
  }

  void finalize_variable_values(std::span<const Variable> variables) const override {
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      std::vector<Variable> own;
      for (const Variable& variable : variables)
        if (place_of(variable) == i) own.push_back(variable);
      if (!own.empty()) inner_[i]->finalize_variable_values(own);
    }
  }
  bool keeps_averages() const override { return std::ranges::any_of(inner_, &averages); }
  void swap_averages() const override {
    for (const auto& optimizer : averaging()) optimizer->swap_averages();
  }
  void load_averages() const override {
    for (const auto& optimizer : averaging()) optimizer->load_averages();
  }

  std::vector<Variable> variables() const override {
    std::vector<Variable> all = Optimizer::variables();
    for (const auto& optimizer : inner_) {
      const std::vector<Variable> own = optimizer->variables();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  Tensor learning_rate() const override { refuse_rate(); }
  void set_learning_rate(double) const override { refuse_rate(); }

  std::vector<std::shared_ptr<Optimizer>> optimizers() const override { return inner_; }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {}; }
  void update_step(const Tensor&, const Variable&, std::size_t, const Tensor&) override {}

 private:
  struct Step {
    std::vector<Tensor> gradients;
    std::vector<Variable> variables;
    bool has_gradient = false;
  };

  static bool averages(const std::shared_ptr<Optimizer>& optimizer) { return optimizer->keeps_averages(); }

  /// The optimizers that keep averages. Errors: FailedPrecondition if none does.
  std::vector<std::shared_ptr<Optimizer>> averaging() const {
    require_averages();
    std::vector<std::shared_ptr<Optimizer>> found;
    std::ranges::copy_if(inner_, std::back_inserter(found), &averages);
    return found;
  }

  [[noreturn]] void refuse_rate() const {
    fail(ErrorCode::kFailedPrecondition,
         "[{}] there is no learning rate of all optimizers: use that of each one in optimizers()", name());
  }

  /// The index of an optimizer, which is added if it is new.
  std::size_t index_of(const std::shared_ptr<Optimizer>& optimizer) {
    const auto found = std::find(inner_.begin(), inner_.end(), optimizer);
    if (found != inner_.end()) return static_cast<std::size_t>(found - inner_.begin());
    optimizer->drop_loss_scale_factor();  // this one divides the gradients
    inner_.push_back(optimizer);
    return inner_.size() - 1;
  }
  std::size_t index_of(const std::shared_ptr<Optimizer>& optimizer, const Variable& variable);

  std::size_t place_of(const Variable& variable) const {
    for (const auto& [known, place] : places_)
      if (known == variable) return place;
    invalid_argument("[{}] the optimizer was built for other variables, without \"{}\"", name(),
                     variable.path());
  }

  OptimizerOf optimizer_of_;
  std::optional<double> loss_scale_factor_;
  std::vector<std::shared_ptr<Optimizer>> inner_;
  std::vector<std::pair<Variable, std::size_t>> places_;
};

/// Throws unless the optimizer can be one of several; `what` describes its place.
void check_inner(const std::shared_ptr<Optimizer>& optimizer, const std::string& what) {
  const char* const problem = optimizer == nullptr                      ? "is undefined"
                              : optimizer->inner_optimizer() != nullptr ? "is a LossScaleOptimizer"
                              : dynamic_cast<const MultiOptimizerImpl*>(optimizer.get()) != nullptr
                                  ? "is a MultiOptimizer"
                                  : nullptr;
  if (problem != nullptr)
    invalid_argument({.argument = "optimizer_map"},
                     "[multi_optimizer] the optimizer {} {}; give a plain optimizer", what, problem);
}

std::size_t MultiOptimizerImpl::index_of(const std::shared_ptr<Optimizer>& optimizer,
                                         const Variable& variable) {
  check_inner(optimizer, "of variable \"" + variable.path() + "\"");
  return index_of(optimizer);
}

std::shared_ptr<Optimizer> made_of_map(const MultiOptimizerOptions& options) {
  check_inner(options.optimizer_map.default_optimizer(), "of variables without a key");
  return std::make_shared<MultiOptimizerImpl>(
      options, [map = options.optimizer_map](const Variable& variable) { return map.at(variable.path()); },
      false);
}

std::shared_ptr<Optimizer> made_of_function(std::function<OptimizerHandle(const Variable&)> optimizer_of,
                                            const MultiOptimizerOptions& options) {
  if (!optimizer_of)
    invalid_argument({.argument = "optimizer_of"}, "[multi_optimizer] the function is empty");
  if (options.optimizer_map.default_optimizer() != nullptr)
    invalid_argument({.argument = "optimizer_map"},
                     "[multi_optimizer] give a function or an optimizer_map, not both");
  return std::make_shared<MultiOptimizerImpl>(
      options,
      [optimizer_of = std::move(optimizer_of)](const Variable& variable) {
        return optimizer_of(variable).shared();
      },
      true);
}

}  // namespace

OptimizerMap::OptimizerMap(OptimizerSpec default_optimizer, const std::vector<Entry>& optimizer_map)
    : default_optimizer_(default_optimizer.get({"optimizer_map", "default_optimizer"})) {
  check_inner(default_optimizer_, "of variables without a key");
  for (const auto& [key, optimizer] : optimizer_map) set(key, optimizer);
}

void OptimizerMap::set(const StringArgument& key, OptimizerSpec optimizer) {
  for (const auto& [known, of_known] : entries_)
    if (known == key)
      invalid_argument({.argument = "key"}, "[optimizer_map] the key \"{}\" exists already", key);
  std::shared_ptr<Optimizer> made = optimizer.get({"optimizer_map", "optimizer"});
  check_inner(made, "of key \"" + key + "\"");
  entries_.emplace_back(key, std::move(made));
}

std::shared_ptr<Optimizer> OptimizerMap::at(const StringArgument& path) const {
  for (const auto& [key, optimizer] : entries_)
    if (key == path) return optimizer;
  std::shared_ptr<Optimizer> found;
  std::string key_of_found;
  for (const auto& [key, optimizer] : entries_) {
    bool matches = false;
    try {
      matches = std::regex_match(path, std::regex(key));
    } catch (const std::regex_error&) {
      invalid_argument({.argument = "optimizer_map"},
                       "[optimizer_map] the key \"{}\" is no regular expression", key);
    }
    if (matches && found != nullptr)
      invalid_argument({.argument = "optimizer_map"},
                       "[optimizer_map] variable \"{}\" matches several keys: \"{}\" and \"{}\"", path,
                       key_of_found, key);
    if (!matches) continue;
    found = optimizer;
    key_of_found = key;
  }
  return found != nullptr ? found : default_optimizer_;
}

Config write_value(const OptimizerMap& value, const saving::Place& place) {
  if (value.default_optimizer() == nullptr) return {};
  Config map = Config::dict();
  for (const auto& [key, optimizer] : value.entries()) map.set(key, saving::serialize_at(place, *optimizer));
  Config config =
      Config::dict({{"default_optimizer", saving::serialize_at(place, *value.default_optimizer())},
                    {"optimizer_map", map}});
  return Config::dict({{"module", "keras.optimizers"},
                       {"class_name", "OptimizerMap"},
                       {"config", config},
                       {"registered_name", nullptr}});
}

void read_value(const Config& config, const saving::Place& place, OptimizerMap& value) {
  value = {};
  if (config.is_null()) return;
  const Config* const fields = config.is_dict() ? config.find("config") : nullptr;
  const Config* const class_name = config.is_dict() ? config.find("class_name") : nullptr;
  const bool fits = fields != nullptr && fields->is_dict() && fields->contains("default_optimizer") &&
                    class_name != nullptr && *class_name == Config("OptimizerMap");
  if (!fits) saving::wrong_type(place, "an OptimizerMap", config);
  value = OptimizerMap(saving::deserialize<Optimizer>(fields->at("default_optimizer"), place));
  const Config* const map = fields->find("optimizer_map");
  if (map == nullptr || map->is_null()) return;
  if (!map->is_dict()) saving::wrong_type(place, "an OptimizerMap whose optimizer_map is a dict", config);
  for (const std::string& key : map->keys())
    value.set(key, saving::deserialize<Optimizer>(map->at(key), place));
}

MultiOptimizer::MultiOptimizer(MultiOptimizerOptions options) : OptimizerHandle(made_of_map(options)) {}
MultiOptimizer::MultiOptimizer(std::function<OptimizerHandle(const Variable&)> optimizer_of,
                               MultiOptimizerOptions options)
    : OptimizerHandle(made_of_function(std::move(optimizer_of), options)) {}

std::vector<OptimizerHandle> MultiOptimizer::optimizers() const {
  std::vector<OptimizerHandle> all;
  for (const auto& optimizer : (*this)->optimizers()) all.emplace_back(optimizer);
  return all;
}

}  // namespace cornu::inline v0::keras::optimizers
