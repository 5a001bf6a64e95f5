// Lies where a program might look for a module of the library, and should not.
#include <cstdio>

__attribute__((constructor)) static void tell() {
  std::puts("decoy loaded");
  std::fflush(stdout);
}
