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
  /// GiB: weights go to several files "NAME_00000.weights.h5", ..., none with more, beside a "NAME.weights.json", which
  /// says where each is.
  std::optional<double> max_shard_size = {};
};

struct LoadWeightsOptions {
  /// Layers of the file that the model has not, or that differ in shape, are left out with a warning.
  bool skip_mismatch = false;
  /// By the names of layers, not by where they stand. For .h5 files of Keras's older form.
  bool by_name = false;
};

}  // namespace cornu::inline v0::keras
