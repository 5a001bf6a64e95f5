#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/ir/dtype.h"

/// Keras's keras.config: settings of the whole process, which layers and losses read when they are made or
/// traced, and fit() when it begins. A program that is compiled already keeps the settings of its trace.
///
/// Threads: safe; a change applies to what any thread makes afterwards.
/// clear_session() does not reset them.
namespace cornu::inline v0::keras::config {

/// The name of the dtype of layers made without a dtype or policy: "float32" at first. set_dtype_policy()
/// overrides it.
std::string floatx();
/// Sets the dtype of layers made without a dtype or policy, also after the first layer, whose policy Keras
/// keeps for later ones, and the dtype of numbers that the functions of cornu::ops and cornu::random make
/// where no argument has a dtype: ops::zeros({2}), sqrt of integers, Tensor(0.5).
/// Errors: InvalidArgument unless it is "float16", "bfloat16", "float32" or "float64".
void set_floatx(const StringArgument& dtype);

/// The small number that keeps divisors and probabilities from zero: 1e-7 at first. Options with a default
/// of 1e-7, such as Adam's, do not change with it, as in Keras.
double epsilon();
/// Sets the small number of losses, metrics, constraints and functions of cornu::ops.
/// Errors: InvalidArgument unless it is positive and finite.
void set_epsilon(double value);

/// The axes of images, "channels_last" or "channels_first", of layers made without a data_format:
/// "channels_last" at first.
std::string image_data_format();
/// Sets the data format of layers, functions of cornu::ops and readers of data sets made or called without one.
/// The networks of keras::applications are made for "channels_last" only.
/// Errors: InvalidArgument for other texts.
void set_image_data_format(const StringArgument& data_format);

/// The precision of f32 products of models, functions and operations that state none: "auto" at first.
std::string matmul_precision();
/// Sets the precision of f32 products, by the words of CompileOptions::precision, of models that are compiled
/// later, of functions that are traced later, and of operations that run at once. It has JAX's words
/// (jax_default_matmul_precision); PyTorch's "medium" is "default".
/// Errors: InvalidArgument for other words.
void set_matmul_precision(const StringArgument& precision);

/// The largest number of epochs of any fit(); unset: no limit.
std::optional<std::int64_t> max_epochs();
/// Limits the epochs of each fit() that begins later; unset: no limit. fit() warns where the limit applies.
/// Errors: InvalidArgument for a number below 1.
void set_max_epochs(std::optional<std::int64_t> max_epochs);

/// The largest number of steps of an epoch, of a validation, and of each evaluate() and predict(); unset: no
/// limit.
std::optional<std::int64_t> max_steps_per_epoch();
/// Limits the steps of each run that begins later; unset: no limit. The run warns where the limit applies.
/// Errors: InvalidArgument for a number below 1.
void set_max_steps_per_epoch(std::optional<std::int64_t> max_steps_per_epoch);

}  // namespace cornu::inline v0::keras::config

namespace cornu::inline v0::keras::utils {

/// The name of a dtype as Keras spells it, "float32"; that of config::floatx() if there is none.
std::string standardize_dtype(std::optional<ir::DType> dtype = {});
/// The same for a name, such as "f32" or "float32". Errors: InvalidArgument for an unknown name.
std::string standardize_dtype(const StringArgument& dtype);

}  // namespace cornu::inline v0::keras::utils
