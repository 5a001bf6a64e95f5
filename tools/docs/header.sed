# Headers as Doxygen reads them: no inline namespace, the parts of a comment as paragraphs, comments behind members as theirs.
s/::inline v0//
# A backslash is no command, and two dots at a line's end no list's.
/^ *\/\/\// s#\\#\\\\#g
s#^( *///.*) \.\.$#\1 ...#
# A span of code ends in its line.
/^ *\/\/\/[^`]*`([^`]*`[^`]*`)*[^`]*$/ {
  N
  s#\n *///##
}
# How options become configurations is no concern of users, and Doxygen mistakes one overload for another.
/^(Config write_value|void read_value)\(.*;$/d
s#^( *///.*[a-z)]) \. ([a-z(])#\1 \&middot; \2#
s#^( *)/// ?(Semantics|Shapes|Types|Errors|Gradient|Source|Owns|Threads|Lifetime|Units|Cost): *#\1/// \\par \2\n\1/// #
s#^(  [A-Za-z][A-Za-z_0-9:<>,&*. ]* [a-z][a-z_0-9]*( = [^;]*)?;) +// #\1 ///< #
