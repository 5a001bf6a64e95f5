#pragma once

/// The small number of Keras's configuration, for the functions of this folder and the modules above.
namespace cornu::inline v0::detail {

/// The number that keeps probabilities from 0 and 1 and denominators from 0: 1e-7, or that of
/// set_small_number(). A program that is compiled keeps the number of its trace.
double small_number();
/// Sets it for all threads. The caller has checked that it is positive and finite.
void set_small_number(double value);

}  // namespace cornu::inline v0::detail
