// The sentence about a budget and a deadline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/cost_forecast.h"
#include "cli/study/figures.h"

namespace cornu::inline v0::cli {
namespace {

/// A machine, on demand or as a spot machine, with the upper ends of its 90 % intervals.
struct Offer {
  const Forecast* forecast = nullptr;
  bool is_spot = false;
  double seconds = 0, cost = 0;
  double most_seconds = 0, most_cost = 0;
};

std::vector<Offer> offers_of(const std::vector<Forecast>& forecasts, bool has_deadline) {
  std::vector<Offer> offers;
  for (const Forecast& each : forecasts) {
    if (!each.interval.has_value() || !(each.seconds > 0)) continue;
    const double widening = each.interval->high / each.seconds;
    const auto add = [&](bool is_spot, double seconds, double cost) {
      offers.push_back({&each, is_spot, seconds, cost, seconds * widening, cost * widening});
    };
    add(false, each.seconds, each.cost);
    if (!has_deadline && each.spot_seconds > 0) add(true, each.spot_seconds, each.spot_cost);
  }
  return offers;
}

/// The factor by which an offer's least favorable figures exceed the limits; at most 1: it is within them.
double excess_of(const Offer& offer, const TrainingLimits& limits) {
  double excess = 0;
  if (limits.budget.has_value()) excess = std::max(excess, offer.most_cost / std::max(*limits.budget, 1e-12));
  if (limits.deadline.has_value())
    excess = std::max(excess, offer.most_seconds / std::max(limits.deadline->seconds, 1e-12));
  return excess;
}

std::string offer_text(const Offer& offer, const std::string& currency) {
  const double narrowing = offer.forecast->interval->low / offer.forecast->seconds;
  const auto money = [&](double amount) { return study::money_text(amount, currency); };
  const auto range = [](double low, double high, const std::function<std::string(double)>& shown) {
    if (std::isinf(high)) return std::string(" or more");
    return high > low ? study::interval_text(study::Interval{low, high}, shown) : std::string();
  };
  return fmt::format("{}{} in {}{} for {}{} (predicted)", offer.forecast->machine->name,
                     offer.is_spot ? " as a spot machine" : "", study::seconds_text(offer.seconds),
                     range(offer.seconds * narrowing, offer.most_seconds, &study::seconds_text),
                     money(offer.cost), range(offer.cost * narrowing, offer.most_cost, money));
}

std::string limits_text(const TrainingLimits& limits, const std::string& currency) {
  std::string text;
  if (limits.deadline.has_value())
    text = limits.deadline->text.find(':') != std::string::npos ? "ends before " + limits.deadline->text
                                                                : "ends within " + limits.deadline->text;
  if (limits.budget.has_value())
    text += fmt::format("{}costs at most {}", text.empty() ? "" : " and ",
                        study::money_text(*limits.budget, currency));
  return text;
}

}  // namespace

std::string best_within(const std::string& what, const study::PriceList& prices,
                        const std::vector<Forecast>& forecasts, const TrainingLimits& limits) {
  std::vector<Offer> offers = offers_of(forecasts, limits.deadline.has_value());
  const std::string wanted = limits_text(limits, prices.currency);
  if (offers.empty())
    return fmt::format(
        "{}: no machine is known that {}, as the error of no prediction is known: measure three "
        "numbers of threads or more, three times each.",
        what, wanted);
  const bool by_cost = limits.deadline.has_value();
  const auto is_better = [&](const Offer& x, const Offer& y) {
    return by_cost ? x.cost < y.cost : x.seconds < y.seconds;
  };
  const Offer* best = nullptr;
  for (const Offer& each : offers)
    if (excess_of(each, limits) <= 1 && (best == nullptr || is_better(each, *best))) best = &each;
  if (best != nullptr)
    return fmt::format("{}: the {} machine that {} with 90 % certainty is {}.", what,
                       by_cost ? "cheapest" : "fastest", wanted, offer_text(*best, prices.currency));
  const Offer& nearest = *std::min_element(offers.begin(), offers.end(), [&](const Offer& x, const Offer& y) {
    return excess_of(x, limits) < excess_of(y, limits);
  });
  return fmt::format("{}: no machine is known that {} with 90 % certainty; the nearest is {}.", what, wanted,
                     offer_text(nearest, prices.currency));
}

}  // namespace cornu::inline v0::cli
