#include "cornu/data/on_worker.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0::data {
namespace {

/// Rejects, before any request, a path that can only refer to this machine.
void check_path(const std::string& path) {
  if (path.empty() || path.front() == '/' || path.front() == '~' || path.find("://") != std::string::npos)
    invalid_argument({.op = "on_worker", .argument = "paths"},
                     "\"{}\" is not a path relative to a worker's --data-root, such as \"digits/train.npz\": "
                     "the worker cannot open files of this machine; read them here (keras::utils::load_npz, "
                     "TFRecordDataset) or copy them to the worker",
                     path);
}

runtime::DistantFiles files_of(const Filenames& paths, const OnWorkerOptions& options) {
  if (paths.empty()) invalid_argument({.op = "on_worker", .argument = "paths"}, "there must be a path");
  for (const std::string& path : paths) check_path(path);
  if (!options.names.empty() && !options.features.empty())
    invalid_argument({.op = "on_worker"},
                     "names select arrays of an archive, features those of records; give only one of both");
  runtime::DistantFiles files{.paths = paths, .names = options.names};
  for (const auto& [name, description] : options.features) {
    const auto* const fixed = std::get_if<FixedLenFeature>(&description);
    if (fixed == nullptr || fixed->default_value.has_value() || !fixed->dtype.has_value())
      invalid_argument(
          {.op = "on_worker", .argument = "features"},
          "feature \"{}\" must be a FixedLenFeature of float32, int64 or uint8 (bytes) without a default: "
          "rows of one array have one length",
          name);
    files.names.push_back(name);
    files.features.push_back({*fixed->dtype, fixed->shape});
  }
  return files;
}

}  // namespace

std::vector<Tensor> on_worker(const Filenames& paths, const OnWorkerOptions& options) {
  const runtime::DistantFiles files = files_of(paths, options);
  const std::shared_ptr<runtime::Client> client = current_placement().client();
  runtime::DistantClient* const distant = client->distant();
  if (distant == nullptr)
    fail(ErrorCode::kFailedPrecondition, {.op = "on_worker"},
         "the current device belongs to {}, which is not a worker: make a DeviceScope of a worker's device, "
         "or read the file here",
         client->name());
  std::vector<Tensor> tensors;
  try {
    for (std::unique_ptr<runtime::Buffer>& buffer : distant->open(files))
      tensors.push_back(
          Tensor::on_buffer(std::make_shared<const cornu::detail::DeviceValue>(client, std::move(buffer)),
                            cornu::detail::current_device_index()));
  } catch (const Error& error) {
    std::error_code ignored;
    const bool is_here =
        error.code() == ErrorCode::kNotFound && std::filesystem::exists(paths.front(), ignored);
    throw error.said_by("on_worker")
        .with(
            {.notes = is_here ? "a file of that name is on this machine, which the worker cannot open" : ""});
  }
  return tensors;
}

}  // namespace cornu::inline v0::data
