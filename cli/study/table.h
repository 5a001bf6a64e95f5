#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

struct Column {
  std::string name;  // snake_case, as in the JSON
  std::string unit;  // empty: a text, or a number without one
  /// The values are predicted, not measured: every form of output marks the column.
  bool is_predicted = false;
};

/// The result of a study. Cells are texts, numbers, or null for a value that does not exist.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<nlohmann::ordered_json>> rows;

  /// Appends a row, which has a cell for each column.
  void add(std::vector<nlohmann::ordered_json> row);
};

/// RFC 4180, a header line with the unit after the name: "seconds_s", "cost_usd (predicted)".
std::string to_csv(const Table& table);
/// An object with title, columns and rows, a row an object by the columns' names.
nlohmann::ordered_json to_json(const Table& table);
/// The title and the table of table_text().
std::string to_text(const Table& table, std::optional<std::size_t> width = {});
/// A cell for a reader: four significant digits.
std::string cell_text(const nlohmann::ordered_json& cell);
std::string column_title(const Column& column);

}  // namespace cornu::inline v0::study
