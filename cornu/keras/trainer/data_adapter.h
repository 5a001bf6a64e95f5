#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/layer/build_guard.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/compiled_parts.h"
#include "cornu/keras/trainer/options.h"

namespace cornu::inline v0::keras {

/// Prepares a network and its data for a run. Builds the network for the data's shapes, infers its output
/// types, and makes the losses and metrics of compile() for them. Reorders arrays as the network takes them,
/// gives each output its labels and weights, and checks them.
/// Threads: one thread.
class DataAdapter {
 public:
  /// `layer` is trained by the steps of `network`, which is the layer itself if that is a network.
  DataAdapter(std::shared_ptr<Layer> layer, std::shared_ptr<Network> network);

  /// While it lives, everything built is discarded again unless keep() is called: a refused call leaves no
  /// trace.
  class Guard {
   public:
    explicit Guard(DataAdapter& data_adapter);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    void keep() {
      kept_ = true;
      layer_.keep();
    }

   private:
    DataAdapter& data_adapter_;
    BuildGuard layer_;
    bool parts_made_;
    bool optimizer_built_;
    bool kept_ = false;
  };

  /// Takes the options of compile(). Errors, before anything changes: those of the options.
  void compile(const CompileOptions& options);
  bool compiled() const { return compiled_; }
  /// Errors: FailedPrecondition before compile().
  void require_compiled(const char* caller) const;
  /// Called when the layers have changed: losses and metrics are made again for the next data.
  void forget();

  const CompileOptions& options() const { return options_; }
  const ModelParts& parts() const { return parts_; }
  Network& network() const { return *parts_.network; }
  Layer& layer() const { return *layer_; }

  /// Reorders the arrays as the network takes them; named arrays come in its order. Errors: InvalidArgument,
  /// naming `caller`.
  ArrayData arranged(const Tensors& x, const Tensors& y, const Tensors& sample_weight,
                     const char* caller) const;
  /// Builds the network for inputs of these shapes.
  void build_for_inputs(const ArrayData& data, const char* caller);
  /// Builds the network, makes losses and metrics for its outputs, and gives each output its labels and
  /// weights, which are checked; with `class_weight`, gives each row the weight of its class. Call under a
  /// Guard. `labels_name` is the name of y in messages.
  void prepare(ArrayData& data, const char* caller, const char* labels_name,
               const ClassWeight& class_weight = {}, RowsGiven given = RowsGiven::kAll);

 private:
  /// The types of the network's outputs for given inputs; all first extents are kUnknown.
  struct KnownOutputs {
    std::vector<TensorType> inputs;
    std::vector<TensorType> types;
    std::optional<std::vector<bool>> have_masks = {};  // nullopt: not computed yet
  };

  bool has_known_outputs() const;
  KnownOutputs& known_outputs_for(const ArrayData& data);
  /// The types of the network's outputs for such data; empty if there is neither a loss nor a metric, since
  /// the network's own steps then need none.
  const std::vector<TensorType>& outputs_for(const ArrayData& data);
  bool has_mask(const ArrayData& data, std::size_t output);
  void make_parts_for(const ArrayData& data);
  /// Gives each output its labels and weights.
  void spread_over_outputs(ArrayData& data, const char* caller, const char* labels_name) const;
  void apply_class_weight(ArrayData& data, const ClassWeight& class_weight, RowsGiven given,
                          const char* caller);
  /// Checks the labels of an output with a loss: their type, and the class ids that have a weight.
  void check_output_labels(const ArrayData& data, std::size_t output, const TensorType& type,
                           const char* caller, const char* labels_name);
  void check_data(const ArrayData& data, const char* caller, const char* labels_name);

  std::shared_ptr<Layer> layer_;
  bool compiled_ = false;
  CompileOptions options_;
  ModelParts parts_;
  bool parts_made_ = false;
  /// The number of input types whose output types are remembered.
  static constexpr std::size_t kKnownOutputs = 64;
  std::vector<KnownOutputs> known_outputs_;  // the last used at the end
  bool warned_of_masked_ids_ = false;
};

}  // namespace cornu::inline v0::keras
