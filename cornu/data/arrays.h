#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {

/// The rows of an array in an .npy file, a tensor each, read as they are needed: the array may be larger
/// than the memory. What fits is faster as from_tensor_slices(keras::utils::load_npy(path)):
/// that shuffles and batches row indices.
///
/// Errors:  those of io::read_npy when the dataset is made, but for its limit; DataLoss for an array in
///          Fortran order or without axes, and by the iterator for a file that became shorter.
class NpyDataset : public Dataset {
 public:
  explicit NpyDataset(const StringArgument& path);
};

/// The rows of arrays in an .npz archive, read as they are needed where they are stored (numpy.savez) and
/// unpacked as a whole where they are compressed.
///
/// Semantics: one name gives tensors, several give tuples; the arrays have one number of rows.
/// Errors:  as NpyDataset; NotFound for a name that is not there, InvalidArgument for other numbers
///          of rows and no names.
class NpzDataset : public Dataset {
 public:
  NpzDataset(const StringArgument& path, const std::vector<std::string>& names);
};

/// The rows of data sets in an HDF5 file, by their paths ("train/x"): contiguous arrays of numbers, as
/// io::Hdf5File reads them. Semantics and errors are those of NpzDataset.
class Hdf5Dataset : public Dataset {
 public:
  Hdf5Dataset(const StringArgument& path, const std::vector<std::string>& names);
};

}  // namespace cornu::inline v0::data
