// The camera by keys: arrows turn it about what it looks at, where the picture has the focus; + and - come closer and go away.
import type { Key } from '../ui/keys.ts';
import type { Stage } from './stage.ts';

const turn = 0.1; // radians a press
const closer = 1.15; // times a press

export function cameraKeys(stage: () => Stage): Key[] {
  const arrow = (key: string, across: number, up: number, name = '', does = ''): Key => ({
    key,
    name,
    does,
    when: (event) => event.target instanceof HTMLCanvasElement && !event.shiftKey,
    act: () => stage().turn(across * turn, up * turn),
  });
  return [
    arrow('ArrowLeft', -1, 0, '← → ↑ ↓', 'turn the view, where the picture has the focus (Tab)'),
    arrow('ArrowRight', 1, 0),
    arrow('ArrowUp', 0, 1),
    arrow('ArrowDown', 0, -1),
    { key: '+', name: '+', does: 'closer', act: () => stage().zoom(closer) },
    { key: '=', name: '', does: '', act: () => stage().zoom(closer) }, // the same key, without shift
    { key: '-', name: '-', does: 'farther away', act: () => stage().zoom(1 / closer) },
  ];
}
