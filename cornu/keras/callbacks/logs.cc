#include "cornu/keras/callbacks/logs.h"

#include <ostream>

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

void Logs::set(std::string_view name, double value) {
  for (Entry& entry : entries_) {
    if (entry.first == name) {
      entry.second = value;
      return;
    }
  }
  entries_.emplace_back(name, value);
}

const double* Logs::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

double Logs::operator[](std::string_view name) const {
  if (const double* value = find(name)) return *value;
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) names.push_back(entry.first);
  invalid_argument("[logs] there is no \"{}\" in these logs; there are: {}", name, comma_separated(names));
}

std::string comma_separated(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

void Logs::sort_by_name() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
}

std::ostream& operator<<(std::ostream& out, const Logs& logs) { return out << logs.str(); }

std::string format_metric(double value) { return std::abs(value) > 1e-3 ? fmt::format("{:.4f}", value) : fmt::format("{:.4e}", value); }

std::string Logs::str() const {
  std::string text;
  for (const Entry& entry : entries_) {
    if (!text.empty()) text += " - ";
    text += fmt::format("{}: {}", entry.first, format_metric(entry.second));
  }
  return text;
}

}  // namespace cornu::inline v0::keras
