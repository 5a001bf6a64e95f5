#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras {

struct ExportOptions {  // options/models.toml
  /// "stablehlo" or "onnx"; empty: "onnx" for a path that ends in ".onnx", else "stablehlo".
  std::string format = {};
  /// Rows of a prediction. Unset: 1 for StableHLO, any number for ONNX.
  std::optional<std::int64_t> batch_size = {};
  /// Version of the operators of an ONNX file, from 18 to 22.
  std::int64_t opset = 18;
  /// True, for StableHLO: the weights are arguments after the inputs, in the order of Model::weights() as far
  /// as predictions read them; false: constants.
  bool weights_as_arguments = false;
};

/// Writes the model's predictions as a program for other software, atomically: a StableHLO artifact for JAX,
/// PJRT plug-ins and `cornu run`, or an ONNX file. Weights are float32 constants of the file; dropout and
/// its kind do nothing.
///
///     export_model(model, "model.onnx");
///     export_model(model, "model.mlirbc", {.batch_size = 8});
///
/// Errors: FailedPrecondition for a model that is not built; InvalidArgument for an unknown format, no
///         format and a path with the extension of a file of a model, an opset below 18 or above 22, and an input with an open extent besides the batch (StableHLO); Unimplemented,
///         naming the layer, for layers without a form in ONNX files and for models whose predictions change
///         state; ResourceExhausted for an ONNX file of more than 2 GiB; those of io::WholeFile.
void export_model(const Model& model, const StringArgument& path, const ExportOptions& options = {});

}  // namespace cornu::inline v0::keras
