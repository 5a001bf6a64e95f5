// Lies where a program might look for libcornu_onednn.so, and should not.
#include <cstdio>

__attribute__((constructor)) static void tell() {
  std::puts("decoy loaded");
  std::fflush(stdout);
}
