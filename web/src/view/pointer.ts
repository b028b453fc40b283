// Where a pointer is, as a ray into the scene.
import { type Camera, Raycaster, type Ray, Vector2 } from 'three';

export function rayAt(event: PointerEvent, canvas: HTMLElement, camera: Camera): Ray {
  const box = canvas.getBoundingClientRect();
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), camera);
  return caster.ray;
}
