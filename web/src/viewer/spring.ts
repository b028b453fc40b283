// A body held by the mouse: a damped spring from the point that was grabbed to where the pointer is.
import { Plane, Quaternion, type Ray, Vector3 } from 'three';
import type { Body, World } from '../carom/index.ts';

const stiffness = 14; // radians a second: how fast a free body would swing

export class Spring {
  private readonly plane = new Plane();
  private readonly local: Vector3; // the point grabbed, in the body's frame
  readonly goal: Vector3;

  /** Grabs the body at a point of the world; it is then moved in the plane through there that faces the viewer. */
  constructor(
    readonly body: Body,
    point: Vector3,
    facing: Vector3,
    private readonly world: World,
  ) {
    const { position, rotation } = world.pose(body);
    this.local = point.clone().sub(new Vector3(...position)).applyQuaternion(new Quaternion(...rotation).invert());
    this.plane.setFromNormalAndCoplanarPoint(facing, point);
    this.goal = point.clone();
  }

  move(ray: Ray): void {
    ray.intersectPlane(this.plane, this.goal);
  }

  moveBy(way: Vector3): void {
    this.goal.add(way);
  }

  /** Where the body is held now. */
  held(): Vector3 {
    const { position, rotation } = this.world.pose(this.body);
    return this.local.clone().applyQuaternion(new Quaternion(...rotation)).add(new Vector3(...position));
  }

  /** Pulls, during the next step. */
  pull(): void {
    const held = this.held();
    const { velocity, angularVelocity, center, mass } = this.world.info(this.body);
    const arm = held.clone().sub(new Vector3(...center));
    const speed = new Vector3(...angularVelocity).cross(arm).add(new Vector3(...velocity));
    // Critically damped for a body that does not turn; and never so hard that bodies are torn through each other.
    const pull = this.goal.clone().sub(held).multiplyScalar(stiffness * stiffness).addScaledVector(speed, -2 * stiffness);
    pull.clampLength(0, 400).multiplyScalar(mass);
    this.world.addForce(this.body, pull.toArray(), held.toArray());
  }
}
