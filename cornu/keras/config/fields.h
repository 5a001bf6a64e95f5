#pragma once

#include <type_traits>
#include <utility>

/// Describes an aggregate of options, once, directly under it:
///
///     struct L2Options {
///       double l2 = 0.01;
///     };
///     CORNU_FIELDS(L2Options, l2)
///
/// The list decides which entries a configuration has, and which entries reading accepts. Names are listed
/// here, types and defaults in the struct. A field that is missing, misspelled or named twice does not
/// compile: the names must fit a structured binding of all members. Users write no such macros: it is for the
/// options of Cornu's own classes.
#define CORNU_FIELDS(Options, ...)                     \
  template <typename Self, typename Visitor>           \
    requires std::is_same_v<const Self, const Options> \
  void visit_fields(Self& options, Visitor&& visit) {  \
    [[maybe_unused]] auto& [__VA_ARGS__] = options;    \
    CORNU_FIELDS_EACH(CORNU_FIELDS_VISIT, __VA_ARGS__) \
  }

/// The same for options without any member.
#define CORNU_NO_FIELDS(Options)                       \
  template <typename Self, typename Visitor>           \
    requires std::is_same_v<const Self, const Options> \
  void visit_fields(Self&, Visitor&&) {}

#define CORNU_FIELDS_VISIT(field) visit(#field, options.field);

// Applies a macro to each of up to 40 arguments: PICK finds the macro for their number. (Macros that scan
// themselves again do with any number, but made a program that includes Cornu compile a quarter of its time
// longer.)
// clang-format off
#define CORNU_FIELDS_PICK( \
    a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, \
    a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, picked, ...) picked
#define CORNU_FIELDS_EACH(macro, ...) \
  CORNU_FIELDS_PICK(__VA_ARGS__, \
    CORNU_FIELDS_40, CORNU_FIELDS_39, CORNU_FIELDS_38, CORNU_FIELDS_37, CORNU_FIELDS_36, CORNU_FIELDS_35, CORNU_FIELDS_34, \
    CORNU_FIELDS_33, CORNU_FIELDS_32, CORNU_FIELDS_31, CORNU_FIELDS_30, CORNU_FIELDS_29, CORNU_FIELDS_28, CORNU_FIELDS_27, \
    CORNU_FIELDS_26, CORNU_FIELDS_25, CORNU_FIELDS_24, CORNU_FIELDS_23, CORNU_FIELDS_22, CORNU_FIELDS_21, CORNU_FIELDS_20, \
    CORNU_FIELDS_19, CORNU_FIELDS_18, CORNU_FIELDS_17, CORNU_FIELDS_16, CORNU_FIELDS_15, CORNU_FIELDS_14, CORNU_FIELDS_13, \
    CORNU_FIELDS_12, CORNU_FIELDS_11, CORNU_FIELDS_10, CORNU_FIELDS_9, CORNU_FIELDS_8, CORNU_FIELDS_7, CORNU_FIELDS_6, \
    CORNU_FIELDS_5, CORNU_FIELDS_4, CORNU_FIELDS_3, CORNU_FIELDS_2, CORNU_FIELDS_1, unused)(macro, __VA_ARGS__)
#define CORNU_FIELDS_1(m, x) m(x)
#define CORNU_FIELDS_2(m, x, ...) m(x) CORNU_FIELDS_1(m, __VA_ARGS__)
#define CORNU_FIELDS_3(m, x, ...) m(x) CORNU_FIELDS_2(m, __VA_ARGS__)
#define CORNU_FIELDS_4(m, x, ...) m(x) CORNU_FIELDS_3(m, __VA_ARGS__)
#define CORNU_FIELDS_5(m, x, ...) m(x) CORNU_FIELDS_4(m, __VA_ARGS__)
#define CORNU_FIELDS_6(m, x, ...) m(x) CORNU_FIELDS_5(m, __VA_ARGS__)
#define CORNU_FIELDS_7(m, x, ...) m(x) CORNU_FIELDS_6(m, __VA_ARGS__)
#define CORNU_FIELDS_8(m, x, ...) m(x) CORNU_FIELDS_7(m, __VA_ARGS__)
#define CORNU_FIELDS_9(m, x, ...) m(x) CORNU_FIELDS_8(m, __VA_ARGS__)
#define CORNU_FIELDS_10(m, x, ...) m(x) CORNU_FIELDS_9(m, __VA_ARGS__)
#define CORNU_FIELDS_11(m, x, ...) m(x) CORNU_FIELDS_10(m, __VA_ARGS__)
#define CORNU_FIELDS_12(m, x, ...) m(x) CORNU_FIELDS_11(m, __VA_ARGS__)
#define CORNU_FIELDS_13(m, x, ...) m(x) CORNU_FIELDS_12(m, __VA_ARGS__)
#define CORNU_FIELDS_14(m, x, ...) m(x) CORNU_FIELDS_13(m, __VA_ARGS__)
#define CORNU_FIELDS_15(m, x, ...) m(x) CORNU_FIELDS_14(m, __VA_ARGS__)
#define CORNU_FIELDS_16(m, x, ...) m(x) CORNU_FIELDS_15(m, __VA_ARGS__)
#define CORNU_FIELDS_17(m, x, ...) m(x) CORNU_FIELDS_16(m, __VA_ARGS__)
#define CORNU_FIELDS_18(m, x, ...) m(x) CORNU_FIELDS_17(m, __VA_ARGS__)
#define CORNU_FIELDS_19(m, x, ...) m(x) CORNU_FIELDS_18(m, __VA_ARGS__)
#define CORNU_FIELDS_20(m, x, ...) m(x) CORNU_FIELDS_19(m, __VA_ARGS__)
#define CORNU_FIELDS_21(m, x, ...) m(x) CORNU_FIELDS_20(m, __VA_ARGS__)
#define CORNU_FIELDS_22(m, x, ...) m(x) CORNU_FIELDS_21(m, __VA_ARGS__)
#define CORNU_FIELDS_23(m, x, ...) m(x) CORNU_FIELDS_22(m, __VA_ARGS__)
#define CORNU_FIELDS_24(m, x, ...) m(x) CORNU_FIELDS_23(m, __VA_ARGS__)
#define CORNU_FIELDS_25(m, x, ...) m(x) CORNU_FIELDS_24(m, __VA_ARGS__)
#define CORNU_FIELDS_26(m, x, ...) m(x) CORNU_FIELDS_25(m, __VA_ARGS__)
#define CORNU_FIELDS_27(m, x, ...) m(x) CORNU_FIELDS_26(m, __VA_ARGS__)
#define CORNU_FIELDS_28(m, x, ...) m(x) CORNU_FIELDS_27(m, __VA_ARGS__)
#define CORNU_FIELDS_29(m, x, ...) m(x) CORNU_FIELDS_28(m, __VA_ARGS__)
#define CORNU_FIELDS_30(m, x, ...) m(x) CORNU_FIELDS_29(m, __VA_ARGS__)
#define CORNU_FIELDS_31(m, x, ...) m(x) CORNU_FIELDS_30(m, __VA_ARGS__)
#define CORNU_FIELDS_32(m, x, ...) m(x) CORNU_FIELDS_31(m, __VA_ARGS__)
#define CORNU_FIELDS_33(m, x, ...) m(x) CORNU_FIELDS_32(m, __VA_ARGS__)
#define CORNU_FIELDS_34(m, x, ...) m(x) CORNU_FIELDS_33(m, __VA_ARGS__)
#define CORNU_FIELDS_35(m, x, ...) m(x) CORNU_FIELDS_34(m, __VA_ARGS__)
#define CORNU_FIELDS_36(m, x, ...) m(x) CORNU_FIELDS_35(m, __VA_ARGS__)
#define CORNU_FIELDS_37(m, x, ...) m(x) CORNU_FIELDS_36(m, __VA_ARGS__)
#define CORNU_FIELDS_38(m, x, ...) m(x) CORNU_FIELDS_37(m, __VA_ARGS__)
#define CORNU_FIELDS_39(m, x, ...) m(x) CORNU_FIELDS_38(m, __VA_ARGS__)
#define CORNU_FIELDS_40(m, x, ...) m(x) CORNU_FIELDS_39(m, __VA_ARGS__)
// clang-format on
