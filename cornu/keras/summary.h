#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cornu::keras {

/// A row of the table that summary() prints.
struct SummaryRow {
  std::string layer;         // "dense (Dense)"
  std::string output_shape;  // "(None, 32)", "?" when unknown
  std::string parameters;    // "160", "0 (unbuilt)"
};

/// What stands below the table.
struct SummaryTotals {
  std::int64_t trainable = 0;
  std::int64_t trainable_bytes = 0;
  std::int64_t non_trainable = 0;
  std::int64_t non_trainable_bytes = 0;
  bool has_optimizer = false;
  std::int64_t optimizer = 0;
  std::int64_t optimizer_bytes = 0;
};

/// Keras's summary table, `line_length` columns wide (at least 20), with its totals; ends with a newline.
std::string render_summary(const std::string& model_name, const std::vector<SummaryRow>& rows, const SummaryTotals& totals,
                           std::int64_t line_length);

/// The width that Keras uses: 88 columns, or four less than the terminal (80 columns where there is none).
std::int64_t default_summary_line_length();

/// "1,234,567"
std::string with_thousands(std::int64_t n);

/// "1.01 KB"
std::string readable_bytes(std::int64_t num_bytes);

}  // namespace cornu::keras
