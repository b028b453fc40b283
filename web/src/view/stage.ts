// The stage: renderer, camera, light and orbit controls. Draws only when something has changed. Up is z.
import {
  AmbientLight,
  Box3,
  DirectionalLight,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(45, 1, 0.01, 1000);
  readonly renderer: WebGLRenderer;
  readonly orbit: OrbitControls;
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private changed = true;
  private last = 0;
  private running = true;

  /** Calls `update` with the seconds since the last picture; it says whether the picture changes. Throws where there is no WebGL. */
  constructor(
    private readonly host: HTMLElement,
    private readonly update: (seconds: number) => boolean,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.makeFocusable(this.renderer.domElement);
    host.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.15;
    this.orbit.addEventListener('change', () => this.invalidate());
    this.scene.add(new AmbientLight(0xffffff, 0.5), new HemisphereLight(0xdfe9ff, 0x8a7f70, 1.3), this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Tab comes to the picture, and keys turn it then (camera_keys.ts). A click does not, since keys mean other things where one works with the mouse; but it leaves other controls. */
  private makeFocusable(canvas: HTMLCanvasElement): void {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', 'The scene: drag, or arrows, to turn it; scroll, pinch, or + and -, to come closer');
    canvas.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
  }

  /** The camera goes around what it looks at: by so many radians to the right, and up. */
  turn(across: number, up: number): void {
    const { position } = this.camera;
    const away = position.clone().sub(this.orbit.target);
    const distance = away.length();
    const azimuth = Math.atan2(away.y, away.x) + across;
    const height = Math.min(Math.max(Math.asin(away.z / distance) + up, -1.55), 1.55); // not over the pole
    const from = new Vector3(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height));
    position.copy(this.orbit.target).addScaledVector(from, distance);
    this.orbit.update();
    this.invalidate();
  }

  /** So many times as close to what it looks at. */
  zoom(times: number): void {
    const { target } = this.orbit;
    this.camera.position.sub(target).multiplyScalar(1 / times).add(target);
    this.orbit.update();
    this.invalidate();
  }

  /** The next picture is drawn. */
  invalidate(): void {
    this.changed = true;
  }

  /** Looks at the box from a corner, so that all of it is seen. */
  fit(box: Box3): void {
    const ball = box.isEmpty() ? new Sphere(new Vector3(), 1) : box.getBoundingSphere(new Sphere());
    const radius = Math.max(ball.radius, 1e-6);
    const away = (radius / Math.sin((this.camera.fov * Math.PI) / 360)) * 0.95;
    const from = new Vector3(0.75, -1, 0.5).normalize().multiplyScalar(away);
    this.look(ball.center.clone().add(from), ball.center, radius);
  }

  /** From there; from farther away where the screen is narrow. `radius` is how big the things are that are looked at. */
  look(eye: Vector3, target: Vector3, radius: number): void {
    const away = Math.max(1, 1.25 / this.camera.aspect);
    this.camera.position.copy(target).addScaledVector(eye.clone().sub(target), away);
    this.orbit.target.copy(target);
    this.camera.near = radius * 0.005;
    this.camera.far = Math.max(radius * 400, eye.distanceTo(target) * 20);
    this.camera.updateProjectionMatrix();
    this.orbit.update();
    this.invalidate();
  }

  /** Where the light's shadows fall: around these things. */
  light(box: Box3): void {
    const ball = box.isEmpty() ? new Sphere(new Vector3(), 1) : box.getBoundingSphere(new Sphere());
    const reach = Math.max(ball.radius, 1e-6) * 1.6;
    this.sun.position.copy(ball.center).addScaledVector(new Vector3(0.45, -0.3, 1).normalize(), reach * 2);
    this.sun.target.position.copy(ball.center);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -reach;
    shadow.right = shadow.top = reach;
    shadow.near = reach * 0.1;
    shadow.far = reach * 4;
    this.sun.shadow.normalBias = reach * 0.002;
    shadow.updateProjectionMatrix();
    this.invalidate();
  }

  /** Ends the drawing and gives the memory back. */
  dispose(): void {
    this.running = false;
    this.orbit.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  private tick(now: number): void {
    if (!this.running) return;
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.update(seconds)) this.changed = true;
    this.orbit.update();
    if (this.changed) this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  private draw(): void {
    this.changed = false;
    this.renderer.render(this.scene, this.camera);
  }
}
