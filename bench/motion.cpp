// Moving shapes: when they meet.
#include "bench/compare.h"
#include "bench/motion_cases.h"

int main(int argc, char** argv) {
  carom::bench::add_impact_cases();
  carom::bench::add_screw_cases();
  carom::bench::add_polyhedral_cases();
  carom::bench::add_ccd_cases();
  carom::bench::add_mover_cases();
  return carom::bench::main(argc, argv);
}
