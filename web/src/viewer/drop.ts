// Files dropped onto the page, or chosen: scenes, recordings, meshes.
import { BufferAttribute, BufferGeometry } from 'three';
import { type Carom, MeshFile } from '../carom/index.ts';
import type { BenchShape } from './bench_shapes.ts';
import { gltfAsObj } from './gltf.ts';
import { filesFor, type SceneText } from './scene_list.ts';

export interface DropTargets {
  scene: (scene: SceneText) => void;
  shape: (shape: BenchShape) => void;
  say: (text: string) => void;
}

/** Listens on the whole page. */
export function listenForFiles(carom: Carom, to: DropTargets): void {
  window.addEventListener('dragover', (e) => e.preventDefault());
  window.addEventListener('drop', (e) => {
    e.preventDefault();
    void take(carom, e.dataTransfer?.files ?? [], to);
  });
}

/** All that came together: a .gltf may have its buffers in another file, and a scene its meshes. */
export async function take(carom: Carom, files: Iterable<File>, to: DropTargets): Promise<void> {
  const all = new Map<string, Uint8Array>();
  for (const file of [...files]) all.set(file.name, new Uint8Array(await file.arrayBuffer()));
  const texts = new Map([...all].filter(([name]) => /\.json$/i.test(name)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
  const parts = new Set([...texts.values()].flatMap((text) => [...filesFor(text, all).keys()]));
  for (const [name, bytes] of all) {
    if (parts.has(name)) continue;
    const text = texts.get(name);
    try {
      if (text !== undefined) to.scene({ id: name, name, text, files: filesFor(text, all) });
      else if (/\.(obj|stl|ply|off)$/i.test(name)) to.shape(meshShape(carom, name, name, bytes));
      else if (/\.(gltf|glb)$/i.test(name)) to.shape(meshShape(carom, name, 'triangles.obj', gltfAsObj(bytes, (beside) => all.get(beside))));
      else if (!/\.bin$/i.test(name)) to.scene({ id: name, name, text: '', recording: bytes });
    } catch (error) {
      to.say(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** The bench has things about two metres long: others are scaled to that. */
function meshShape(carom: Carom, name: string, format: string, bytes: Uint8Array): BenchShape {
  const file = MeshFile.read(carom.module, format, bytes, 2);
  return {
    name,
    data: { make: 'mesh', of: [file.vertices, file.triangles, 'if closed'] },
    geometry: () => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(file.positions, 3));
      geometry.setIndex(new BufferAttribute(file.triangles, 1));
      return geometry;
    },
  };
}
