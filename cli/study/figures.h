#pragma once

#include <string>

/// Figures in sentences: few digits, no exponents, a unit that suits the size.
namespace cornu::inline v0::study {

/// `digits` significant digits, with commas from 1,000 on: "0.0010", "4.6", "12,345".
std::string number_text(double value, int digits = 2);
/// A number of things, rounded to two digits: "99", "4,200", "12 million".
std::string count_text(double value);
/// "350 us", "12 ms", "4.6 s", "77 min", "20 h", "5.3 days".
std::string seconds_text(double seconds);
/// "512 bytes", "1.04 kB", "33.6 MB", "4.29 GB", in powers of 1,000.
std::string bytes_text(double bytes);
/// "$0.0010", or "0.0010 CHF" for a currency without a sign of its own here.
std::string money_text(double amount, const std::string& currency);

}  // namespace cornu::inline v0::study
