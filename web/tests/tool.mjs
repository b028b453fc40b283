// The native command, for tests that compare with it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = new URL('../../', import.meta.url).pathname;
/** A folder that this test file has for itself. */
export const folder = mkdtempSync(join(tmpdir(), 'carom-tool-'));

/** Runs it; it must end with that code. Gives what it printed. @param {string[]} words @param {number} [code] */
export function carom(words, code = 0) {
  const { status, stdout, stderr } = spawnSync(join(root, 'build/release/tools/carom'), words, { encoding: 'utf8' });
  if (status !== code) throw new Error(`carom ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
