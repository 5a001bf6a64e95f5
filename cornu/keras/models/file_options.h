#pragma once

#include <optional>

namespace cornu::inline v0::keras {

struct SaveOptions {
  /// False: a file that is there is not replaced, which is an error.
  bool overwrite = true;
  /// What compile() was told, and the optimizer's state.
  bool include_optimizer = true;
};

struct SaveWeightsOptions {
  bool overwrite = true;
  /// GiB: weights go to several files "NAME_00000.weights.h5", ..., none with more, beside a
  /// "NAME.weights.json", which says where each is. One that is replaced stays whole until the new one is
  /// there: the new files have other numbers, and the old ones are removed at the end.
  std::optional<double> max_shard_size = {};
};

struct LoadWeightsOptions {
  /// Layers of the file that the model has not, or that differ in shape, are left out with a warning, and so
  /// is the state of an optimizer with another number of variables.
  bool skip_mismatch = false;
  /// By the names of layers, not by where they stand. For .h5 files of Keras's older form.
  bool by_name = false;
};

}  // namespace cornu::inline v0::keras
