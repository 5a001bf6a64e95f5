#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {

/// Reads the rows of an array in an .npy file on demand, a tensor each: the array may exceed the memory. For
/// an array that fits, from_tensor_slices(keras::utils::load_npy(path)) is faster: it shuffles and batches
/// row indices.
///
/// Errors:  those of io::read_npy when the dataset is made, except its size limit; DataLoss for an array in
///          Fortran order or without axes, and in the iterator if the file became shorter.
class NpyDataset : public Dataset {
 public:
  explicit NpyDataset(const StringArgument& path);
};

/// Reads the rows of arrays in an .npz archive: on demand from stored arrays (numpy.savez), after unpacking
/// the whole array from compressed ones.
///
/// Semantics: one name gives tensors, several give tuples; the arrays must have the same number of rows.
/// Errors:  those of NpyDataset; NotFound for a name that does not exist, InvalidArgument for different
///          numbers of rows and for no names.
class NpzDataset : public Dataset {
 public:
  NpzDataset(const StringArgument& path, const std::vector<std::string>& names);
};

/// Reads the rows of data sets in an HDF5 file, by their paths ("train/x"): contiguous arrays of numbers, as
/// io::Hdf5File reads them. Semantics and errors are those of NpzDataset.
class Hdf5Dataset : public Dataset {
 public:
  Hdf5Dataset(const StringArgument& path, const std::vector<std::string>& names);
};

}  // namespace cornu::inline v0::data
