// What a user writes: the README's lines, which tests/consumer/run takes out of it, against an installed copy. Of the block, what stands before the first empty line belongs outside of a function.
#include "readme_head.inc"

int main() {
#include "readme_lines.inc"
  const bool measured = d.value >= proven && d.value - proven < 1e-9 && proven > 1;
  const bool met = i.hit && i.t > 0.3 && i.t < 0.5;
  const bool fell = height < 5 && height > 4.9;
  return measured && met && fell ? 0 : 1;
}
