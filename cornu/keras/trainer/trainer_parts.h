#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/preparation.h"
#include "cornu/keras/trainer/run_state.h"
#include "cornu/keras/trainer/step_programs.h"

namespace cornu::inline v0::keras {

/// The tuned numbers of steps in an execution, for each kind of run.
struct ExecutionTuners {
  ExecutionTuner train{1};
  ExecutionTuner test{1};
  ExecutionTuner predict{1};
};

/// The parts of the trainer that its runs use.
struct TrainerParts {
  explicit TrainerParts(const std::shared_ptr<Layer>& layer) : preparation(layer, layer->as_network()) {}

  Preparation preparation;
  RunState run_state;
  StepPrograms programs{preparation, run_state.gives_up_compiling()};
  ExecutionTuners tuners;
  std::uint64_t seed = 0;          // of shuffles
  std::int64_t steps_trained = 0;  // since compile()
  /// Guards the programs and the tuner, which threads that predict share. A step that runs alone also holds
  /// it in its callbacks, which may predict.
  std::recursive_mutex predict_mutex;

  Network& network() const { return preparation.network(); }
  void reset_metrics() const {
    for (const NamedMetric& named : preparation.parts().metrics) named.metric->reset_state();
  }
};

/// While it lives, everything built and compiled is discarded again unless keep() is called: a refused call
/// leaves no trace.
class PrepareGuard {
 public:
  explicit PrepareGuard(TrainerParts& parts) : preparation_(parts.preparation), programs_(parts.programs) {}
  void keep() {
    preparation_.keep();
    programs_.keep();
  }

 private:
  Preparation::Guard preparation_;
  StepPrograms::Guard programs_;  // declared last to be destroyed first
};

}  // namespace cornu::inline v0::keras
