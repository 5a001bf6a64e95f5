#pragma once

#include <string>

#include "cornu/base/error.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/tensor/tensor.h"

/// For the sources of this folder only.
namespace cornu::inline v0::keras::metrics {

/// Errors: InvalidArgument, always, with both shapes.
[[noreturn]] void labels_do_not_fit(const Tensor& y_true, const Tensor& y_pred);

/// Rethrows the error with the kind of metric as tag and its name as note.
[[noreturn]] void rethrow_named(const Error& error, const std::string& kind, const std::string& name);

/// Predictions in the dtype in which a metric's values are computed: the metric's, or the predictions' if
/// that is a wider float. Labels are converted to it, so that they do not lose range to a narrow output.
Tensor predictions_in(const Tensor& y_pred, DType dtype);

std::string name_or(const std::string& name, const char* default_name);

}  // namespace cornu::inline v0::keras::metrics
