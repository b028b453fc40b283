// Play, pause, step, rewind and slow, without a screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.mjs';

/** @type {typeof import('../../src/playback.ts')} */
const { Playback } = await source('playback.ts');
const dt = 1 / 60;

test('a recording plays to its end, stops, and begins again', () => {
  const playback = new Playback(4, dt);
  assert.equal(playback.advance(1), false, 'it rests at first');
  playback.toggle();
  assert.equal(playback.advance(1.5 * dt), true);
  assert.equal(playback.position, 1.5);
  assert.equal(playback.frame, 1);
  playback.advance(9 * dt);
  assert.deepEqual([playback.position, playback.playing], [3, false]);
  playback.toggle();
  assert.deepEqual([playback.position, playback.playing], [0, true]);
});

test('steps go to whole frames, from between two as well, and stay there', () => {
  const playback = new Playback(9, dt);
  playback.toggle();
  playback.advance(3.25 * dt);
  playback.step(-1);
  assert.deepEqual([playback.position, playback.playing], [3, false]);
  playback.step(-1);
  assert.equal(playback.position, 2);
  playback.seek(4.75);
  playback.step(1);
  assert.equal(playback.position, 5);
  playback.step(10);
  assert.equal(playback.position, 8, 'not beyond the end');
  playback.rewind();
  playback.step(-1);
  assert.equal(playback.position, 0, 'not before the start');
});

test('speeds are one up or down, from 0.1 to 4, and time goes so', () => {
  const playback = new Playback(1000, dt);
  playback.toggle();
  const seen = [playback.speed];
  for (let i = 0; i < 4; ++i) {
    playback.faster(-1);
    seen.push(playback.speed);
  }
  assert.deepEqual(seen, [1, 0.5, 0.25, 0.1, 0.1]);
  playback.advance(60 * dt);
  assert.ok(Math.abs(playback.position - 6) < 1e-9, String(playback.position));
  for (let i = 0; i < 9; ++i) playback.faster(1);
  assert.equal(playback.speed, 4);
  playback.setSpeed(3);
  assert.equal(playback.speed, 4, 'there is no such speed');
});

test('a world makes frames as they are asked for: a few for one picture, and none after its last', () => {
  let made = 0;
  const playback = new Playback(1, dt, () => ++made <= 10);
  playback.toggle();
  assert.deepEqual([playback.count, playback.playing], [2, true]);
  playback.advance(1); // sixty frames of real time: a slow machine plays slowly
  assert.deepEqual([playback.count, playback.position], [6, 5]);
  playback.step(1);
  assert.deepEqual([playback.count, playback.position], [7, 6]);
  playback.step(-2);
  playback.step(1);
  assert.deepEqual([playback.count, playback.position], [7, 5], 'what was made is not made again');
  playback.toggle();
  for (let i = 0; i < 5; ++i) playback.advance(1);
  assert.deepEqual([playback.count, playback.position, playback.playing], [11, 10, false]);
});
