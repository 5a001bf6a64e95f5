#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/io/array.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

/// Variables and the arrays of files.
namespace cornu::inline v0::keras::files {

/// An array of a file that may become a variable's value.
struct FoundArray {
  io::ElementType type = io::ElementType::kF32;
  std::vector<std::int64_t> dims;
  /// Gives the elements, row-major.
  std::function<void(std::span<std::byte> destination)> read;
};

/// What is wrong with a file's weights, item by item; the error lists all kinds.
class Difference {
 public:
  void missing(std::string path) { missing_.add(std::move(path)); }
  void unexpected(std::string path) { unexpected_.add(std::move(path)); }
  void other_shape(const std::string& path, const Variable& variable, const FoundArray& found);
  bool empty() const { return missing_.count + unexpected_.count + other_shape_.count == 0; }
  /// "it lacks ...; nothing takes ...; of another shape are ...".
  std::string str() const;

 private:
  /// The first paths, which the error shows, and the number of all.
  struct Paths {
    std::vector<std::string> first = {};
    std::size_t count = 0;

    void add(std::string path);
    std::string str() const;
  };

  Paths missing_, unexpected_, other_shape_;
};

/// Values that will be loaded when all of a file was found to fit.
class Assignments {
 public:
  /// Whether it fits. Errors: none here; what does not fit goes to `difference`.
  bool add(const std::string& path, const Variable& variable, FoundArray found, Difference& difference);
  /// Adds those of another one.
  void append(Assignments others);
  /// Reads all and converts between types of numbers; then the variables get their values at one moment.
  /// Until then there is memory for the values that they had and for the new ones.
  /// Errors: those of reading, with no variable changed; as VariableUpdate::commit.
  void run() const;

 private:
  std::vector<std::pair<Variable, FoundArray>> all_;
};

/// The value of a variable as a file takes it, and the tensor that holds it.
struct KeptArray {
  explicit KeptArray(const Variable& variable);
  /// Another value in the variable's place, in host memory and of its type.
  KeptArray(const Variable& variable, Tensor other);
  Tensor value;
  io::ElementType type;
  io::ArrayView view() const;
};

}  // namespace cornu::inline v0::keras::files
