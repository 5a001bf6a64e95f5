#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Elementwise ops that are defined by a table. `kRows` are rows with a `name`; `Functions<i>` has the static
/// functions infer, gradient and reference of row i.
template <const auto& kRows, template <std::size_t> class Functions>
class OpRows {
 public:
  /// The name of a row, looked up when compiling.
  struct Name {
    consteval Name(const char* name) {  // NOLINT(google-explicit-constructor): made from string literals
      while (kRows[row].name != name)
        ++row;  // past the end is no constant expression: an unknown name does not compile
    }
    std::size_t row = 0;
  };

  static const ir::OpDef& find(Name name) { return kDefs[name.row]; }
  static std::span<const ir::OpDef* const> all() { return kPointers; }

 private:
  static constexpr auto kIndices = std::make_index_sequence<std::size(kRows)>();

  static constexpr auto kDefs = []<std::size_t... kRow>(std::index_sequence<kRow...>) {
    return std::array{ir::OpDef{.name = kRows[kRow].name,
                                .infer = &Functions<kRow>::infer,
                                .gradient = &Functions<kRow>::gradient,
                                .reference = &Functions<kRow>::reference,
                                .reference_by_f32 = true,
                                .elementwise = true}...};
  }(kIndices);
  static constexpr auto kPointers = []<std::size_t... kRow>(std::index_sequence<kRow...>) {
    return std::array{&kDefs[kRow]...};
  }(kIndices);
};

}  // namespace cornu::inline v0::ops
