// Colours by which bodies that hang together are told from others.
import { Color } from 'three';

/** The colour of each body by the number of its island; its own where it is of none (-1). */
export function islandColours(own: string[], islandOf: (body: number) => number): string[] {
  const colour = new Color();
  return own.map((mine, i) => {
    const island = islandOf(i);
    return island < 0 ? mine : `#${colour.setHSL((island * 0.618034) % 1, 0.6, 0.55).getHexString()}`;
  });
}
