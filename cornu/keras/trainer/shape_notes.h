#pragma once

#include <string>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/array_data.h"

namespace cornu::inline v0::keras {

/// Adds the inputs' shapes, and the caller unless the error already names one, to errors that the network
/// throws.
template <typename F>
void with_shapes_of(const ArrayData& data, const char* caller, F&& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    std::string shapes;
    for (std::size_t i = 0; i < data.x.size(); ++i) {
      shapes += fmt::format("{}{} has shape {} and dtype {}", i == 0 ? "" : "; ", array_name("x", data.x, i),
                            ir::shape_str(data.x[i].shape()), ir::numpy_name(data.x[i].dtype()));
    }
    throw error.with({.op = caller, .inputs = shapes});
  }
}

}  // namespace cornu::inline v0::keras
