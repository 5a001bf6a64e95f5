#pragma once

#include <string>
#include <vector>

#include "cornu/data/files.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::data {

struct OnWorkerOptions {  // options/data.toml
  /// Names of the arrays to open in an .npz archive; empty: the path is an .npy file, or features are given.
  std::vector<std::string> names = {};
  /// Features of the examples in TFRecord files, which are read one after another. Each has a fixed length
  /// and is float32, int64, or, with dtype uint8 and a shape, the bytes of a text. Empty: the path is an .npy
  /// or .npz file.
  FeatureDescriptions features = {};
};

/// Arrays of files that the worker of the current device opens, in its shared folder (cornu worker
/// --data-root FOLDER). A model on that worker trains on their rows without sending them over the network.
///
///     const DeviceScope scope("/TPU:0");  // a worker's
///     const std::vector<Tensor> digits = data::on_worker("digits.npz", {.names = {"x_train", "y_train"}});
///     model.fit(digits[0], digits[1], {.batch_size = 128});
///     model.fit(data::Dataset::from_tensor_slices({digits[0], digits[1]}).shuffle(60000).batch(128));
///
/// Semantics: one tensor for each name or feature (one for an .npy file), in the worker's memory. fit,
///            evaluate and predict on that worker use the rows there; so do stages that select and order rows
///            (shuffle, take, skip, shard, repeat, batch). Reading elements in this process (printing, map,
///            another device) downloads the whole array, once. When `fit` with a backup continues after a
///            loss, the worker opens the files again.
/// Errors:  FailedPrecondition if the current device is not a worker's, or the worker shares no folder;
///          InvalidArgument for a path that is absolute, goes up or leads through a link, and for options
///          that do not fit the files; NotFound for a file or an array that does not exist; DataLoss for
///          damaged ones; ResourceExhausted.
std::vector<Tensor> on_worker(const Filenames& paths, const OnWorkerOptions& options = {});

}  // namespace cornu::inline v0::data
