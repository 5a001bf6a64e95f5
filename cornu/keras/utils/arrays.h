#pragma once

#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/file.h"
#include "cornu/io/npz.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/tensor/tensor.h"

/// Tensors in NumPy's files, and conversion between tensors and arrays of cornu/io.
///
/// Types:   all except bfloat16, which NumPy does not have: cast it to float32, which represents every value.
/// Errors:  InvalidArgument for bfloat16, FailedPrecondition for a symbolic tensor; those of io::read_npy,
///          io::NpzFile, io::write_npy and io::write_npz, which name the file.
namespace cornu::inline v0::keras::utils {

/// Makes a tensor of the array's memory, without a copy.
Tensor to_tensor(io::Array array);
DType dtype_of(io::ElementType type);
/// nullopt for a dtype without an element type in array files.
std::optional<io::ElementType> element_type_of(DType dtype);
/// A view of the tensor's memory, for io's writers. Lifetime: the tensor's.
io::ArrayView to_array(const Tensor& tensor);

/// numpy.load of an .npy file.
Tensor load_npy(const StringArgument& path, const io::ReadLimits& limits = {});
/// numpy.save.
void save_npy(const StringArgument& path, const Tensor& tensor);

/// numpy.load of an .npz file: all arrays, by name.
Tensors load_npz(const StringArgument& path, const io::ReadLimits& limits = {});
/// numpy.savez: `save_npz("data.npz", {{"x", x}, {"y", y}})`; tensors without names become "arr_0", "arr_1",
/// ...
void save_npz(const StringArgument& path, const Tensors& tensors, const io::WriteNpzOptions& options = {});

}  // namespace cornu::inline v0::keras::utils
