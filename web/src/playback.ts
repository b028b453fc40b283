// Where a recording stands, and how it goes on: play, pause, step, rewind, slow. Knows nothing of the screen.

/** Of real time. */
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4] as const;
const mostAtOnce = 4; // frames made for one picture: a slow machine plays slowly
const normalSpeed = speeds.indexOf(1);

export class Playback {
  playing = false;
  /** In frames; between two frames where the recording plays slowly. */
  position = 0;
  private speedIndex = normalSpeed;

  /** `more` makes one more frame at the end, or says that there is none: a recording has none, a world has many. */
  constructor(
    public count: number,
    public dt: number,
    private readonly more: () => boolean = () => false,
  ) {}

  get frame(): number {
    return Math.floor(this.position);
  }
  get last(): number {
    return this.count - 1;
  }
  get seconds(): number {
    return this.position * this.dt;
  }
  get speed(): number {
    return speeds[this.speedIndex] ?? 1;
  }

  /** Goes on by so many seconds of real time. True where the picture changes. */
  advance(seconds: number): boolean {
    if (!this.playing) return false;
    const goal = this.position + (seconds * this.speed) / this.dt;
    let ended = false;
    for (let made = 0; goal > this.last && made < mostAtOnce && !ended; ++made) ended = !this.grow();
    this.position = Math.min(goal, this.last);
    if (ended) this.playing = false;
    return true;
  }

  private grow(): boolean {
    if (!this.more()) return false;
    ++this.count;
    return true;
  }

  /** At the end it goes on, or begins again where nothing more comes. */
  toggle(): void {
    if (!this.playing && this.position >= this.last && !this.grow()) this.position = 0;
    this.playing = !this.playing && this.count > 1;
  }

  /** By so many whole frames, and stays there. */
  step(frames: number): void {
    this.playing = false;
    if (this.position + frames > this.last) this.grow();
    this.seek((frames < 0 ? Math.ceil(this.position) : Math.floor(this.position)) + frames);
  }

  seek(position: number): void {
    this.position = Math.min(Math.max(position, 0), this.last);
  }

  rewind(): void {
    this.seek(0);
  }

  /** One speed up or down. */
  faster(by: 1 | -1): void {
    this.speedIndex = Math.min(Math.max(this.speedIndex + by, 0), speeds.length - 1);
  }
  setSpeed(speed: number): void {
    const found = speeds.findIndex((s) => s === speed);
    if (found >= 0) this.speedIndex = found;
  }
}
