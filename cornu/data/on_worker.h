#pragma once

#include <string>
#include <vector>

#include "cornu/data/files.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::data {

struct OnWorkerOptions {
  /// The names of the arrays that are wanted of an .npz archive.
  std::vector<std::string> names = {};
  /// Where it is set, `paths` are files of records (TFRecord), which are read one after the other, and these
  /// are the features of their examples. Each has one length: float32, int64, or, with the dtype uint8 and a
  /// shape, the bytes of a text.
  FeatureDescriptions features = {};
};

/// Arrays of files that the worker of the current device opens, below the folder that it lends
/// (cornu worker --data-root FOLDER): rows that a model trains on there and that never cross the link.
///
///     const DeviceScope scope("/TPU:0");  // a worker's
///     const std::vector<Tensor> digits = data::on_worker("digits.npz", {.names = {"x_train", "y_train"}});
///     model.fit(digits[0], digits[1], {.batch_size = 128});
///     model.fit(data::Dataset::from_tensor_slices({digits[0], digits[1]}).shuffle(60000).batch(128));
///
/// Semantics: one tensor a name or feature, of an .npy file one, in the worker's memory.
///            fit, evaluate and predict on that worker use them there; so do stages that choose and order
///            rows (shuffle, take, skip, shard, repeat, batch). What looks at elements here (printing,
///            map, another device) fetches the whole array, once. A worker that is lost opens them again
///            when `fit` with a backup goes on.
/// Errors:  FailedPrecondition where the current device is no worker's, or the worker lends no folder;
///          InvalidArgument for a path that is absolute, goes up or leads through a link, and for options
///          that do not fit the files; NotFound for a file or an array that is not there;
///          DataLoss for damaged ones; ResourceExhausted.
std::vector<Tensor> on_worker(const Filenames& paths, const OnWorkerOptions& options = {});

}  // namespace cornu::inline v0::data
