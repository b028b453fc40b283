// Files dropped onto the page, or chosen: a scene, a recording's page data, or a mesh.
import { BufferAttribute, BufferGeometry } from 'three';
import { type Carom, MeshFile } from '../carom/index.ts';
import type { BenchShape } from './bench_shapes.ts';
import type { SceneText } from './scene_list.ts';

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
    for (const file of e.dataTransfer?.files ?? []) void take(carom, file, to);
  });
}

export async function take(carom: Carom, file: File, to: DropTargets): Promise<void> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (/\.json$/i.test(file.name)) to.scene({ id: file.name, name: file.name, text: new TextDecoder().decode(bytes) });
    else if (/\.(obj|stl|ply|off)$/i.test(file.name)) to.shape(meshShape(carom, file.name, bytes));
    else to.scene({ id: file.name, name: file.name, text: '', recording: bytes });
  } catch (error) {
    to.say(`${file.name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The bench has things about two metres long: others are scaled to that. */
function meshShape(carom: Carom, name: string, bytes: Uint8Array): BenchShape {
  const file = MeshFile.read(carom.module, name, bytes, 2);
  return {
    name,
    make: () => file.shape(),
    geometry: () => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(file.positions, 3));
      geometry.setIndex(new BufferAttribute(file.triangles, 1));
      return geometry;
    },
  };
}
