#pragma once

#include <optional>

namespace cornu::inline v0::keras {

struct SaveOptions {  // options/models.toml
  /// True: replaces a file that exists; false: that is an error.
  bool overwrite = true;
  /// True: also saves the arguments of compile() and the optimizer's state.
  bool include_optimizer = true;
};

struct SaveWeightsOptions {  // options/models.toml
  /// True: replaces a file that exists; false: that is an error.
  bool overwrite = true;
  /// Largest size of a file in GiB: weights go to "NAME_00000.weights.h5", ..., listed in
  /// "NAME.weights.json". Files that are replaced stay whole until the new ones, which have other numbers,
  /// are written. Unset: one file.
  std::optional<double> max_shard_size = {};
};

struct LoadWeightsOptions {  // options/models.toml
  /// True: skips, with a warning, layers of the file that the model does not have or that differ in shape,
  /// and the state of an optimizer with another number of variables; false: these are errors.
  bool skip_mismatch = false;
  /// True: matches layers by name instead of by position, for .h5 files of Keras's older form.
  bool by_name = false;
};

}  // namespace cornu::inline v0::keras
