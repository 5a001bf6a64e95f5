// Preloaded, it is finished after libcornu: what still runs then in other threads has time to meet what is
// gone.
#include <unistd.h>

__attribute__((destructor)) static void wait_at_the_end() { usleep(300000); }
