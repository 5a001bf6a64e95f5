#include "examples/32_dlrm/criteo_data.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <random>
#include <string_view>
#include <vector>

#include "cornu/base/error.h"
#include "examples/models/models.h"

namespace cornu::inline v0::examples {
namespace {

/// A number in [-1, 1) that belongs to these two.
float hidden_number(std::uint64_t a, std::uint64_t b) {
  std::uint64_t bits = (a + 1) * 0x9E3779B97F4A7C15U ^ (b + 1) * 0xC2B2AE3D27D4EB4FU;
  bits = (bits ^ bits >> 31) * 0xD6E8FEB86659FD93U;
  return static_cast<float>(bits >> 40) * 0x1p-23F - 1.0F;
}

struct Columns {
  std::vector<float> counts, clicks;
  std::vector<std::int32_t> ids;

  CriteoRows rows(std::size_t num_tables) && {
    const auto num_rows = static_cast<std::int64_t>(clicks.size());
    return {.counts = Tensor::adopt({num_rows, kCriteoCounts}, std::move(counts)),
            .ids = Tensor::adopt({num_rows, static_cast<std::int64_t>(num_tables)}, std::move(ids)),
            .clicks = Tensor::adopt({num_rows, 1}, std::move(clicks))};
  }
};

/// The fields of a line with tabs between them.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

[[noreturn]] void refuse_line(std::int64_t line, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "line " + std::to_string(line) + ": " + why);
}

/// The number that the field holds, 0 for an empty field; throws for anything else.
std::int64_t number_of(std::string_view field, int base, std::int64_t line) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number, base);
  if (!field.empty() && (error != std::errc() || end != field.data() + field.size()))
    refuse_line(line, "expected a number to the base " + std::to_string(base) + "; got \"" +
                          std::string(field) + "\"");
  return number;
}

}  // namespace

CriteoRows make_criteo_rows(std::int64_t num_rows, std::span<const std::int64_t> table_sizes,
                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::exponential_distribution<double> exponential(1);
  Columns columns;
  for (std::int64_t row = 0; row < num_rows; ++row) {
    float logit = -1;
    for (std::uint64_t i = 0; i < kCriteoCounts; ++i) {
      const auto count = static_cast<float>(std::log1p(std::floor(10 * exponential(random))));
      columns.counts.push_back(count);
      logit += 0.4F * hidden_number(100, i) * (count - 2);
    }
    float previous = 0;
    for (std::size_t table = 0; table < table_sizes.size(); ++table) {
      const auto size = static_cast<double>(table_sizes[table]);
      const auto id = static_cast<std::int32_t>(std::min(std::pow(size + 1, uniform(random)) - 1, size - 1));
      columns.ids.push_back(id);
      const float effect = hidden_number(table, static_cast<std::uint64_t>(id));
      logit += 0.6F * effect * (1 + previous);
      previous = effect;
    }
    columns.clicks.push_back(uniform(random) < 1 / (1 + std::exp(-logit)) ? 1.0F : 0.0F);
  }
  return std::move(columns).rows(table_sizes.size());
}

CriteoRows read_criteo_rows(const std::string& path, std::int64_t num_rows,
                            std::span<const std::int64_t> table_sizes) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, "cannot open \"" + path + "\"");
  Columns columns;
  std::string text;
  for (std::int64_t line = 1; line <= num_rows && std::getline(file, text); ++line) {
    const std::vector<std::string_view> fields = fields_of(text);
    const auto num_counts = static_cast<std::size_t>(kCriteoCounts);
    if (fields.size() != 1 + num_counts + table_sizes.size())
      refuse_line(line, "expected " + std::to_string(1 + num_counts + table_sizes.size()) +
                            " fields with tabs between them; got " + std::to_string(fields.size()));
    columns.clicks.push_back(static_cast<float>(number_of(fields[0], 10, line)));
    for (std::size_t i = 0; i < num_counts; ++i) {
      const auto count = static_cast<double>(std::max<std::int64_t>(0, number_of(fields[1 + i], 10, line)));
      columns.counts.push_back(static_cast<float>(std::log1p(count)));
    }
    for (std::size_t i = 0; i < table_sizes.size(); ++i)
      columns.ids.push_back(
          static_cast<std::int32_t>(number_of(fields[1 + num_counts + i], 16, line) % table_sizes[i]));
  }
  return std::move(columns).rows(table_sizes.size());
}

}  // namespace cornu::inline v0::examples
