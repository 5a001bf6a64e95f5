#include "cli/study/report.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "cli/study/figures.h"
#include "cli/study/page_style.h"
#include "cli/text/terminal.h"
#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"

namespace cornu::inline v0::study {
namespace {

bool is_text(const Table& table, std::size_t column) {
  for (const auto& row : table.rows)
    if (row[column].is_number()) return false;
  return true;
}

std::string html_table(const Table& table) {
  std::string html = fmt::format("<h2>{}</h2><div class='scroll'><table><thead><tr>", escaped(table.title));
  const auto kind = [&](std::size_t i) {
    return std::string(is_text(table, i) ? "text" : "number") +
           (table.columns[i].is_predicted ? " predicted" : "");
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    html += fmt::format("<th class='{}'>{}</th>", kind(i), escaped(column_title(table.columns[i])));
  html += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += fmt::format("<td class='{}'>{}</td>", kind(i), escaped(cell_text(row[i])));
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

/// A property of the machine for a reader: "l3_cache_bytes" becomes "L3 cache", in MB.
std::pair<std::string, std::string> machine_row(const std::string& name,
                                                const nlohmann::ordered_json& value) {
  constexpr std::string_view kBytes = "_bytes";
  const bool is_size = name.ends_with(kBytes) && value.is_number();
  std::string title = is_size ? name.substr(0, name.size() - kBytes.size()) : name;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (title.starts_with("l3 ")) title.front() = 'L';
  return {title, is_size ? bytes_text(value.get<double>()) : cell_text(value)};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc | std::ios::binary);
  file << text << std::flush;
  const int error = errno;
  if (!file)
    fail(ErrorCode::kUnavailable, "[study] cannot write \"{}\": {}{}", path, std::strerror(error),
         write_hint(path, error));
}

}  // namespace

namespace {

/// A text of the page; no line begins with the sign of a percentage.
std::string prose(const std::string& text) {
  std::string result = escaped(text);
  for (std::size_t at = 0; (at = result.find(" %", at)) != std::string::npos;)
    result.replace(at, 1, "&nbsp;");
  return result;
}

}  // namespace

std::string to_html(const Report& report) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
      "content='width=device-width,initial-scale=1'><title>{0}</title><style>{1}</style></"
      "head><body><h1>{0}</h1>",
      escaped(report.title), page_style());
  for (const std::string& text : report.conclusions)
    html += fmt::format("<p><strong>{}</strong></p>", prose(text));
  for (const std::string& text : report.warnings)
    html += fmt::format("<p class='warning'><strong>Warning:</strong> {}</p>", prose(text));
  for (const std::string& text : report.notes) html += fmt::format("<p>{}</p>", prose(text));
  for (const Scatter& scatter : report.scatters) html += fmt::format("<figure>{}</figure>", to_svg(scatter));
  for (const Plot& plot : report.plots) html += fmt::format("<figure>{}</figure>", to_svg(plot));
  for (const Table& table : report.tables) html += html_table(table);
  if (!report.machine.empty()) {
    html += "<h2>Measured on</h2><table><tbody>";
    for (const auto& [name, value] : report.machine.items()) {
      const auto& [title, text] = machine_row(name, value);
      html += fmt::format("<tr><th>{}</th><td class='text'>{}</td></tr>", escaped(title), escaped(text));
    }
    html += "</tbody></table>";
  }
  return html + "</body></html>\n";
}

Table figures_of(const Plot& plot) {
  Table table{.title = plot.title,
              .columns = {{"series", ""},
                          {"label", ""},
                          {"value", plot.unit},
                          {"low", plot.unit},
                          {"high", plot.unit},
                          {"predicted", ""}},
              .rows = {}};
  for (const Series& series : plot.series)
    for (const Mark& mark : series.marks) {
      const bool has_spread = mark.high > mark.low;
      table.add({series.name, mark.label, mark.value, has_spread ? nlohmann::ordered_json(mark.low) : nullptr,
                 has_spread ? nlohmann::ordered_json(mark.high) : nullptr, mark.is_predicted});
    }
  return table;
}

Table figures_of(const Scatter& scatter) {
  Table table{.title = scatter.title,
              .columns = {{"label", ""},
                          {"x", scatter.x_title},
                          {"x_low", scatter.x_title},
                          {"x_high", scatter.x_title},
                          {"y", scatter.y_title},
                          {"on_the_front", ""},
                          {"predicted", ""}},
              .rows = {}};
  for (const ScatterPoint& point : scatter.points) {
    const bool has_spread = point.x_high > point.x_low;
    table.add({point.label, point.x, has_spread ? nlohmann::ordered_json(point.x_low) : nullptr,
               has_spread ? nlohmann::ordered_json(point.x_high) : nullptr, point.y, point.is_on_front,
               point.is_predicted});
  }
  return table;
}

nlohmann::ordered_json to_json(const Report& report) {
  nlohmann::ordered_json json = {{"title", report.title},
                                 {"machine", report.machine},
                                 {"notes", report.notes},
                                 {"warnings", report.warnings},
                                 {"conclusions", report.conclusions},
                                 {"tables", nlohmann::ordered_json::array()}};
  for (const Table& table : report.tables) json["tables"].push_back(to_json(table));
  json["figures"] = nlohmann::ordered_json::array();
  for (const Scatter& scatter : report.scatters) json["figures"].push_back(to_json(figures_of(scatter)));
  for (const Plot& plot : report.plots) json["figures"].push_back(to_json(figures_of(plot)));
  return json;
}

std::string to_text(const Report& report, std::optional<std::size_t> width) {
  std::string text = cli::paragraph(report.title, width) + "\n";
  const auto add = [&](const std::string& part) { text += "\n" + cli::paragraph(part, width) + "\n"; };
  for (const std::string& note : report.notes) add(note);
  for (const Table& table : report.tables) text += "\n" + to_text(table, width);
  for (const std::string& warning : report.warnings) add("warning: " + warning);
  for (const std::string& conclusion : report.conclusions) add(conclusion);
  return text;
}

std::vector<std::string> write_files(const Report& report, const std::string& prefix) {
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file(name, text);
    names.push_back(name);
  };
  for (std::size_t i = 0; i < report.tables.size(); ++i)
    write(i == 0 ? prefix + ".csv" : fmt::format("{}-{}.csv", prefix, i + 1), to_csv(report.tables[i]));
  write(prefix + ".json", to_json(report).dump(1) + "\n");
  write(prefix + ".html", to_html(report));
  std::size_t number = 0;
  const auto write_figure = [&](const auto& figure) {
    ++number;
    write(fmt::format("{}-{}.svg", prefix, number), to_svg(figure));
    write(fmt::format("{}-figure-{}.csv", prefix, number), to_csv(figures_of(figure)));
  };
  for (const Scatter& scatter : report.scatters) write_figure(scatter);
  for (const Plot& plot : report.plots) write_figure(plot);
  return names;
}

}  // namespace cornu::inline v0::study
