// The scenes of scenes/*.json, which are built into the page.
const texts = import.meta.glob<string>('../../../scenes/*.json', { query: '?raw', import: 'default', eager: true });

export interface SceneText {
  id: string; // brick_wall
  name: string; // as the scene calls itself
  text: string;
  recording?: Uint8Array; // instead of the text
}

export const scenes: SceneText[] = Object.entries(texts).map(([path, text]) => {
  const id = path.replace(/^.*\/|\.json$/g, '');
  const named = /"name"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return { id, name: named ?? id, text };
});
