// A body pulled by keys alone: one takes hold of the next body, others move the place to which the spring pulls it.
import { Vector3 } from 'three';
import type { Key } from '../ui/keys.ts';
import type { Stage } from '../view/stage.ts';
import type { SceneView } from './scene_view.ts';

const share = 0.03; // of the scene's size, a press

export class PullKeys {
  private last: { view: SceneView; placed: number } | null = null; // taken by a key

  /** `act` runs its argument where a scene is shown, and shows what came of it. */
  constructor(
    private readonly stage: Stage,
    private readonly act: (f: (view: SceneView) => void) => () => void,
    private readonly say: (text: string) => void,
  ) {}

  /** The next body that moves, or the one before. */
  private take(view: SceneView, by: 1 | -1): void {
    const choice = view.movable();
    const before = this.last?.view === view ? choice.indexOf(this.last.placed) : -1;
    const placed = choice[before < 0 ? (by > 0 ? 0 : choice.length - 1) : (before + by + choice.length) % choice.length];
    if (placed === undefined || !view.grab(placed, view.bodies.position(placed), this.axes().forward)) return;
    this.last = { view, placed };
    this.say(`${view.data.bodies[placed]!.name}: shift and arrows pull it, escape lets go`);
    if (!view.playback.playing) view.playback.toggle();
  }

  private letGo(view: SceneView): void {
    if (!view.held) return;
    view.release();
    this.say('');
  }

  /** As the camera sees them. */
  private axes(): { right: Vector3; up: Vector3; forward: Vector3 } {
    const [right, up, forward] = [new Vector3(), new Vector3(), new Vector3()];
    this.stage.camera.matrixWorld.extractBasis(right, up, forward);
    return { right, up, forward: forward.negate() };
  }

  keys(): Key[] {
    const pull = (key: string, axis: 'right' | 'up' | 'forward', sign: 1 | -1, name = '', does = ''): Key => ({
      key,
      name,
      does,
      when: (event) => event.shiftKey,
      act: this.act((view) => view.held?.moveBy(this.axes()[axis].multiplyScalar(sign * share * view.size))),
    });
    return [
      { key: '.', name: '.', does: 'take hold of the next body', act: this.act((view) => this.take(view, 1)) },
      { key: ',', name: ',', does: 'of the one before', act: this.act((view) => this.take(view, -1)) },
      pull('ArrowLeft', 'right', -1, 'shift ← → ↑ ↓', 'pull it, across and up the picture'),
      pull('ArrowRight', 'right', 1),
      pull('ArrowDown', 'up', -1),
      pull('ArrowUp', 'up', 1),
      pull('PageUp', 'forward', 1, 'shift page ↑ ↓', 'away and closer'),
      pull('PageDown', 'forward', -1),
      { key: 'Escape', name: 'escape', does: 'let it go', act: this.act((view) => this.letGo(view)) },
    ];
  }
}
