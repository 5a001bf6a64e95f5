#include "cli/study/all_reduce.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/study/term_fit.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

double num_messages(double replicas) { return 2 * (replicas - 1); }
double num_bytes(double replicas, double bytes) { return 2 * (replicas - 1) / replicas * bytes; }

void check(const AllReduceCall& call, std::size_t index, const std::string& name) {
  if (!(call.replicas >= 2 && call.bytes > 0 && call.seconds > 0) ||
      !std::isfinite(call.replicas + call.bytes + call.seconds))
    invalid_argument(
        "[study] {}: call {} has {} replicas, {} bytes, {} s; there must be two replicas or more, and bytes "
        "and seconds must be positive and finite",
        name, index, call.replicas, call.bytes, call.seconds);
}

double number(const nlohmann::json& call, std::size_t index, const char* member, const std::string& name) {
  const auto found = call.find(member);
  if (found == call.end() || !found->is_number())
    invalid_argument("[study] {}: call {} needs a number \"{}\"", name, index, member);
  return found->get<double>();
}

}  // namespace

double AllReduceCost::seconds(double replicas, double bytes) const {
  return num_messages(replicas) * message_seconds + num_bytes(replicas, bytes) * byte_seconds;
}

AllReduceCost fit_all_reduce(std::span<const AllReduceCall> calls) {
  std::vector<Observation> observations;
  std::set<double> sizes;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    check(calls[i], i, "calls");
    sizes.insert(calls[i].bytes);
    observations.push_back(
        {.terms = {num_messages(calls[i].replicas), num_bytes(calls[i].replicas, calls[i].bytes)},
         .value = calls[i].seconds});
  }
  if (sizes.size() < 2)
    invalid_argument(
        "[study] what a message and what a byte costs needs calls of two sizes or more; there {} {} of {}",
        calls.size() == 1 ? "is" : "are", calls.size(), sizes.empty() ? "none" : "one");
  const std::optional<TermFit> fit = fit_terms(observations);
  if (!fit.has_value())
    invalid_argument("[study] the calls do not tell what a message and what a byte costs");
  AllReduceCost cost{.message_seconds = fit->factors[0], .byte_seconds = fit->factors[1]};
  if (calls.size() > 2)
    cost.relative_error = std::sqrt(fit->squared_error / static_cast<double>(calls.size() - 2));
  return cost;
}

std::vector<AllReduceCall> parse_calls(std::string_view text, const std::string& name) {
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("calls") || !file["calls"].is_array())
    invalid_argument(
        R"([study] {} is no file of calls: {{"calls": [{{"replicas": 4, "bytes": 40e6, "seconds": 0.021}}, ...]}})",
        name);
  std::vector<AllReduceCall> calls;
  for (const nlohmann::json& call : file["calls"]) {
    const std::size_t index = calls.size();
    if (!call.is_object()) invalid_argument("[study] {}: call {} is no object", name, index);
    calls.push_back({.replicas = number(call, index, "replicas", name),
                     .bytes = number(call, index, "bytes", name),
                     .seconds = number(call, index, "seconds", name)});
    check(calls.back(), index, name);
  }
  return calls;
}

}  // namespace cornu::inline v0::study
