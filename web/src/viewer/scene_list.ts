// The scenes of scenes/*.json, which are built into the page, with the meshes that they name.
const texts = import.meta.glob<string>('../../../scenes/*.json', { query: '?raw', import: 'default', eager: true });
const meshes = import.meta.glob<string>('../../../scenes/meshes/*.obj', { query: '?raw', import: 'default', eager: true });

export interface SceneText {
  id: string; // brick_wall
  name: string; // as the scene calls itself
  text: string;
  files?: ReadonlyMap<string, Uint8Array>; // meshes that it has by name
  recording?: Uint8Array; // instead of the text
}

/** The names of the files that a scene asks for; none where it is no JSON. */
export function filesOf(text: string): string[] {
  const names: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'file' && typeof value === 'string') names.push(value);
      return value;
    });
  } catch {
    return []; // the library says what is wrong with it
  }
  return names;
}

/** Those of the files that the scene asks for, by name or by the last part of that. */
export function filesFor(text: string, all: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const asked = filesOf(text).flatMap((name) => [name, name.replace(/^.*\//, '')]);
  return new Map([...all].filter(([name]) => asked.includes(name)));
}

const builtIn = new Map(Object.entries(meshes).map(([path, text]) => [path.replace(/^.*\/scenes\//, ''), new TextEncoder().encode(text)]));

export const scenes: SceneText[] = Object.entries(texts).map(([path, text]) => {
  const id = path.replace(/^.*\/|\.json$/g, '');
  const named = /"name"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return { id, name: named ?? id, text, files: filesFor(text, builtIn) };
});
