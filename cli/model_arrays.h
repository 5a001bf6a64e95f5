#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cornu/keras/base/tensors.h"
#include "cornu/keras/layer/keras_tensor.h"

/// Arrays of models in files: .npz, .npy and .csv by the path's end, and .npz for any other.
namespace cornu::inline v0::cli {

/// Role of the arrays in a file.
enum class ArrayRole { kInputs, kLabels };

/// The arrays that a model takes, in its order.
///  * .npz: those of its names where the file has each of them, else all of the file by position.
///  * .npy: one array.
///  * .csv: one array, a row a line; a first line that is no numbers is a header and skipped. A line has the
///    elements of a row of `wanted` in their order, or, of labels, as many as the loss takes. Numbers are
///    float32, those of an input of integers int64, and so are labels beyond 2^24.
/// `wanted`: the model's inputs or, for labels, its outputs.
/// Errors: InvalidArgument for another number of arrays; DataLoss that names row and column of what is no
///         number; those of reading.
keras::Tensors read_arrays(const std::string& path, const std::vector<keras::KerasTensor>& wanted,
                           ArrayRole role);

/// Errors: InvalidArgument for several outputs in a format of one array.
void check_outputs(const std::string& path, std::size_t num_outputs);

/// Writes a model's outputs; in a .csv a line a row, with the elements of further dimensions one after the
/// other. Errors: as check_outputs; those of writing.
void write_arrays(const std::string& path, const keras::Tensors& arrays);

}  // namespace cornu::inline v0::cli
