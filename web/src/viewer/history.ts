// What a running scene looked like, frame by frame, so that it can be looked at again.

export interface Frame {
  poses: Float32Array;
  asleep: Uint8Array;
  islands: Int32Array; // which island a body is of; -1: none
  contacts: Float32Array;
}

const mostBytes = 256 * 1024 * 1024;

export class History {
  private frames: Frame[] = [];
  private bytes = 0;

  get full(): boolean {
    return this.bytes > mostBytes;
  }
  get count(): number {
    return this.frames.length;
  }
  add(frame: Frame): void {
    this.frames.push(frame);
    this.bytes += frame.poses.byteLength + frame.asleep.byteLength + frame.islands.byteLength + frame.contacts.byteLength;
  }
  at(i: number): Frame {
    return this.frames[Math.min(Math.max(i, 0), this.frames.length - 1)]!;
  }
  clear(): void {
    this.frames = [];
    this.bytes = 0;
  }
}
