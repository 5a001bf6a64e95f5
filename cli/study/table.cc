#include "cli/study/table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::size_t kMostWidth = 110;  // of a text: headings of wider tables are folded
constexpr std::size_t kTitleWidth = 11;  // of a folded heading: "(predicted)"

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_value(const nlohmann::ordered_json& cell) {
  if (cell.is_null()) return "";
  return csv_cell(cell.is_string() ? cell.get<std::string>() : cell.dump());
}

/// In characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Titles over several lines, none of them wider than its column's cells where its words allow it; the last
/// lines stand over the cells.
std::vector<std::vector<std::string>> folded(const std::vector<std::string>& titles,
                                             const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> parts;  // of each title
  std::size_t num_lines = 0;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    std::istringstream words(titles[i]);
    std::vector<std::string> lines;
    for (std::string word; words >> word;)
      if (!lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= std::max(widths[i], kTitleWidth))
        lines.back() += " " + word;
      else
        lines.push_back(word);
    num_lines = std::max(num_lines, lines.size());
    parts.push_back(std::move(lines));
  }
  std::vector<std::vector<std::string>> headings(num_lines, std::vector<std::string>(titles.size()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < parts[i].size(); ++j)
      headings[num_lines - parts[i].size() + j][i] = parts[i][j];
  return headings;
}

}  // namespace

void Table::add(std::vector<nlohmann::ordered_json> row) {
  CORNU_CHECK(row.size() == columns.size(), "a row of {} cells for {} columns", row.size(), columns.size());
  rows.push_back(std::move(row));
}

std::string column_title(const Column& column) {
  std::string title = column.name;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!column.unit.empty()) title += fmt::format(", {}", column.unit);
  return column.is_predicted ? title + " (predicted)" : title;
}

std::string cell_text(const nlohmann::ordered_json& cell) {
  if (cell.is_null()) return "";
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (!cell.is_number_float()) return cell.dump();
  const double value = cell.get<double>();
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return digits > 7 || digits < -5 ? fmt::format("{:.3e}", value)
                                   : fmt::format("{:.{}f}", value, std::clamp(4 - digits, 0, 9));
}

std::string to_csv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (i > 0) text += ',';
    text += csv_cell(fmt::format("{}{}{}{}", column.name, column.unit.empty() ? "" : "_", column.unit,
                                 column.is_predicted ? " (predicted)" : ""));
  }
  text += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += csv_value(row[i]);
    }
    text += "\r\n";
  }
  return text;
}

nlohmann::ordered_json to_json(const Table& table) {
  nlohmann::ordered_json json = {{"title", table.title},
                                 {"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const Column& column : table.columns)
    json["columns"].push_back(
        {{"name", column.name}, {"unit", column.unit}, {"predicted", column.is_predicted}});
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i].name] = row[i];
    json["rows"].push_back(std::move(object));
  }
  return json;
}

std::string to_text(const Table& table) {
  std::vector<std::vector<std::string>> lines;
  for (const auto& row : table.rows) {
    lines.emplace_back();
    for (const auto& cell : row) lines.back().push_back(cell_text(cell));
  }
  std::vector<std::string> titles;
  titles.reserve(table.columns.size());
  for (const Column& column : table.columns) titles.push_back(column_title(column));
  const auto widths_with = [&](const std::vector<std::vector<std::string>>& headings) {
    std::vector<std::size_t> widths(table.columns.size(), 0);
    const std::vector<std::vector<std::string>>* const parts[] = {&headings, &lines};
    for (const auto* const part : parts)
      for (const auto& line : *part)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
    return widths;
  };
  std::vector<std::vector<std::string>> headings = {titles};
  std::vector<std::size_t> widths = widths_with(headings);
  if (std::accumulate(widths.begin(), widths.end(), 2 * widths.size()) > kMostWidth) {
    headings = folded(titles, widths_with({}));
    widths = widths_with(headings);
  }
  std::string text = table.title + "\n";
  for (const auto* const part : {&headings, &lines})
    for (const auto& line : *part) {
      std::string out;
      for (std::size_t i = 0; i < line.size(); ++i)
        out += line[i] + std::string(widths[i] - width_of(line[i]) + 2, ' ');
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    }
  return text;
}

}  // namespace cornu::inline v0::study
