#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cornu/io/hdf5.h"
#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/keras/models/file_options.h"
#include "cornu/keras/optimizers/optimizer.h"

/// Keras's weights files: a group "vars" for each layer, with arrays "0", "1", ... Of a layer with LoRA they
/// hold the weight with its addition, and not the addition's own weights, which are zeros when it is read.
namespace cornu::inline v0::keras::files {

/// What a weights file says, with the values that it refers to.
struct WeightsContent {
  io::Hdf5Content content;
  std::deque<KeptArray> values;
};

/// The variables of one group.
struct SavedVariables {
  std::string path;  // without "/vars"
  std::string name;  // of the layer, for a reader's check
  std::vector<Variable> variables;
  const layers::LoraWeights* lora = nullptr;  // of the layer; null without

  /// Whether the file has the sum of LoRA in this one's place.
  bool is_lora_sum(std::size_t index) const { return lora != nullptr && variables[index] == lora->weight; }
};
/// In the order in which Keras writes them; `optimizer` null: without its state.
std::vector<SavedVariables> saved_variables(const Layer& model, const Optimizer* optimizer);
/// One of them, its values kept by `values`. Lifetime: the content's, of `values`.
void put_variable(const SavedVariables& saved, std::size_t index, io::Hdf5Content& content,
                  std::deque<KeptArray>& values);
/// "layers/dense/vars"
std::string vars_of(const std::string& path);

WeightsContent weights_content(const Layer& model, const Optimizer* optimizer);
/// A file of it, there whole or not at all.
void write_hdf5(const std::string& path, const io::Hdf5Content& content);

/// Files that have the weights together, one or several; a group's arrays may be in more than one.
struct WeightsFiles {
  std::string name;  // for errors
  std::vector<std::shared_ptr<const io::Hdf5File>> files;
};

/// Finds a model's weights, and the optimizer's where `optimizer` is not null: it is built first if there are
/// slots.
/// Errors: InvalidArgument that lists what does not fit, unless options.skip_mismatch: then a warning says
///         it, and it is left out.
Assignments find_weights(const WeightsFiles& files, const Layer& model, Optimizer* optimizer,
                         const LoadWeightsOptions& options);
inline Assignments find_weights(const std::shared_ptr<const io::Hdf5File>& file, const Layer& model,
                                Optimizer* optimizer, const LoadWeightsOptions& options) {
  return find_weights(WeightsFiles{file->name(), {file}}, model, optimizer, options);
}

FoundArray found_array(const std::shared_ptr<const io::Hdf5File>& file, const io::Hdf5Dataset& dataset);

/// Throws InvalidArgument with the difference, or warns of it where mismatches are skipped.
void report(const Difference& difference, const std::string& file_name, const LoadWeightsOptions& options);

/// Pairs an optimizer's variables with what a file has for them, in its order; builds the optimizer for
/// `trainable` where the file has slots. Another number of variables is another optimizer's: with
/// options.skip_mismatch a warning says so and nothing is paired, as in Keras; without, it is a difference.
void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, const LoadWeightsOptions& options,
                      Assignments& assignments, Difference& difference);

/// How a file from before Keras 3 lists an optimizer's slots: those of each variable, or those of each kind,
/// together.
enum class SlotOrder { kByVariable, kByKind };

/// An optimizer's state in a file that may be from before Keras 3.
struct OldState {
  std::vector<FoundArray> found = {};
  SlotOrder order = SlotOrder::kByVariable;
  bool is_before_3 = true;        // the learning rate is no part of it
  std::string why_no_slots = {};  // why slots cannot be taken; empty: they can
};

/// The names that a warning has.
struct StateReader {
  const char* caller;  // "load_model", whose optimizer is a new one, or "load_weights"
  std::string file;
};

/// Pairs an optimizer's variables with such a state. Where it does not fit, nothing is paired, and a warning
/// says that the optimizer stays as it is. Builds the optimizer for `trainable` where the file has slots.
void assign_old_state(const StateReader& reader, Optimizer& optimizer, const std::vector<Variable>& trainable,
                      OldState state, Assignments& assignments);
/// Loads the state in a .keras file from before Keras 3, for load_model.
void load_old_state(const std::shared_ptr<const io::Hdf5File>& file, Optimizer& optimizer,
                    const std::vector<Variable>& trainable);

}  // namespace cornu::inline v0::keras::files
