#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "cornu/keras/trainer/data_adapter.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/run_state.h"
#include "cornu/keras/trainer/step_cache.h"

namespace cornu::inline v0::keras {

/// The tuned numbers of steps in an execution, for each kind of run.
struct ExecutionTuners {
  ExecutionTuner train{1};
  ExecutionTuner test{1};
  ExecutionTuner predict{1};
};

/// The parts of the trainer that its runs use.
struct TrainerParts {
  explicit TrainerParts(const std::shared_ptr<Layer>& layer) : data_adapter(layer, layer->as_network()) {}

  DataAdapter data_adapter;
  RunState run_state;
  StepCache programs{data_adapter, run_state.cancels_compilation()};
  ExecutionTuners tuners;
  std::uint64_t seed = 0;          // of shuffles
  std::int64_t steps_trained = 0;  // since compile()
  /// Guards the programs and the tuner, which threads that predict share. A step that runs alone also holds
  /// it in its callbacks, which may predict.
  std::recursive_mutex predict_mutex;

  Network& network() const { return data_adapter.network(); }
  void reset_metrics() const {
    for (const NamedMetric& named : data_adapter.parts().metrics) named.metric->reset_state();
  }
};

/// While it lives, everything built and compiled is discarded again unless keep() is called: a refused call
/// leaves no trace.
class PrepareGuard {
 public:
  explicit PrepareGuard(TrainerParts& parts) : data_adapter_(parts.data_adapter), programs_(parts.programs) {}
  void keep() {
    data_adapter_.keep();
    programs_.keep();
  }

 private:
  DataAdapter::Guard data_adapter_;
  StepCache::Guard programs_;  // declared last to be destroyed first
};

}  // namespace cornu::inline v0::keras
