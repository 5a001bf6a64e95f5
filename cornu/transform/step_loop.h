#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::transform {

/// A step program as one function that runs many steps: the form for devices that cannot read the host's
/// memory.
///
/// The function is called "main". Its arguments are, in this order: the step's state; its fixed arguments;
/// for each row argument a stack [max_steps, batch, ...] with the rows of all steps; num_steps, an i32 scalar
/// of at most max_steps; num_rows, an i32 scalar: the rows of data in all steps together. Its results are the
/// new state, then for each output of the step a tensor [max_steps, ...], whose entries from num_steps on are
/// zero. With max_steps of 1 there is no loop: the step runs whatever the value of num_steps.
struct StepLoop {
  std::unique_ptr<ir::Function> function;
  std::string name;
  runtime::ConvolutionAlgorithm convolution_algorithm = runtime::ConvolutionAlgorithm::kAuto;
  runtime::Precision precision = runtime::Precision::kAuto;
  std::int64_t max_steps = 0;
  std::int64_t batch = 0;  // 0: the step does not work on rows
  std::size_t num_state = 0;
  std::size_t num_fixed = 0;
  std::size_t num_stacks = 0;

  std::size_t num_outputs() const { return function->body.results().size() - num_state; }
  /// For each argument the result that may reuse its memory, or kNotDonated: every state argument is donated
  /// to the result that replaces it. to_stablehlo prints it as tf.aliasing_output.
  std::vector<std::int64_t> donations() const;
  /// The loop as a program of one step a call: all arguments that are not state are fixed. It refers to
  /// `function`.
  runtime::StepProgram program() const;
};

/// Converts a step to a loop over stacked batches.
///
/// Semantics: equal to running the step num_steps times as runtime::Execution specifies: step k gets the rows
///            stack[k], the number of valid rows min(batch, num_rows - k * batch), and the state of the step
///            before it. The step's ops are copied unchanged into the loop's body, also composites.
/// Errors:    InvalidArgument if the program breaks the contract of runtime::ProgramSignature, max_steps is
///            not positive, or the rows of max_steps steps cannot be counted in 32 bits.
StepLoop make_step_loop(const runtime::StepProgram& step, std::int64_t max_steps);

}  // namespace cornu::inline v0::transform
