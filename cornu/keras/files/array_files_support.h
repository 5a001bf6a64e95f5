#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/io/array.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

/// Reading arrays of files into variables.
namespace cornu::inline v0::keras::files {

/// An array in a file that may become a variable's value.
struct FoundArray {
  io::ElementType type = io::ElementType::kF32;
  std::vector<std::int64_t> dims;
  /// Reads the elements, row-major.
  std::function<void(std::span<std::byte> destination)> read;
};

/// The differences between a file's weights and a model's; the error lists each kind.
class Difference {
 public:
  void missing(std::string path) { missing_.add(std::move(path)); }
  void unexpected(std::string path) { unexpected_.add(std::move(path)); }
  void other_shape(const std::string& path, const Variable& variable, const FoundArray& found);
  bool empty() const { return missing_.count + unexpected_.count + other_shape_.count == 0; }
  /// The text of the error: "it lacks ...; nothing takes ...; of another shape are ...".
  std::string str() const;

 private:
  /// The first paths, which the error prints, and the number of all.
  struct Paths {
    std::vector<std::string> first = {};
    std::size_t count = 0;

    void add(std::string path);
    std::string str() const;
  };

  Paths missing_, unexpected_, other_shape_;
};

/// Values that will be loaded when the whole file is found to fit.
class Assignments {
 public:
  /// Adds a value and returns true if it fits; otherwise records the misfit in `difference`. Errors: none.
  bool add(const std::string& path, const Variable& variable, FoundArray found, Difference& difference);
  /// Adds the values of `others`.
  void append(Assignments others);
  /// Reads all values and converts their number types, then assigns all variables at once. Until then memory
  /// holds both the old and the new values.
  /// Errors: those of reading, with no variable changed; those of VariableUpdate::commit.
  void run() const;

 private:
  std::vector<std::pair<Variable, FoundArray>> all_;
};

/// The value of a variable in a file's type, and the tensor that holds it.
struct KeptArray {
  explicit KeptArray(const Variable& variable);
  /// Another value in place of the variable's, in host memory and of its type.
  KeptArray(const Variable& variable, Tensor other);
  Tensor value;
  io::ElementType type;
  io::ArrayView view() const;
};

}  // namespace cornu::inline v0::keras::files
