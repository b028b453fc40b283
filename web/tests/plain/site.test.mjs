// The site of docs/: it builds, its links lead somewhere, and links that do not are found.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { members, readHeader, struct } from '../../site/header.mjs';
import { brokenLinks } from '../../site/links.mjs';
import { anchor, target } from '../../site/markdown.mjs';

const folder = mkdtempSync(join(tmpdir(), 'carom-site-'));

test('it builds; the pages of queries have what their headers say', () => {
  execFileSync(process.execPath, [new URL('../../site/build.mjs', import.meta.url).pathname, join(folder, 'all')]);
  const page = readFileSync(join(folder, 'all/query-distance.html'), 'utf8');
  for (const words of ['How far apart two placed shapes are', 'double lower_bound = 0', 'relative_error', 'The shapes are at least this far apart']) assert.ok(page.includes(words), words);
  assert.ok(readFileSync(join(folder, 'all/index.html'), 'utf8').includes('href="guide.html"'));
});

test('links that lead nowhere are told', () => {
  writeFileSync(join(folder, 'a.html'), '<h1 id="top">A</h1><a href="b.html">b</a> <a href="#top">up</a> <a href="#bottom">down</a> <img src="none.png"> <a href="https://example.org/none">x</a>');
  writeFileSync(join(folder, 'b.html'), '<i id="x"></i><i id="x"></i><a href="a.html#top">a</a> <a href="a.html#side">a</a>');
  assert.deepEqual(brokenLinks(folder).sort(), ['a.html: there is no #bottom in a.html', 'a.html: there is no none.png', 'b.html: there is no #side in a.html', 'b.html: two places are named #x']);
});

test('headings and links are named as on GitHub', () => {
  assert.equal(anchor('Pictures and pages: `docs/`, 2.0'), 'pictures-and-pages-docs-20');
  assert.equal(target('../README.md'), 'index.html');
  assert.equal(target('docs/scenes.md#the-format'), 'scenes.html#the-format');
  assert.equal(target('https://example.org/a.md'), 'https://example.org/a.md');
});

test('headers are read: comments before, behind and inside', () => {
  const header = readHeader('// What it is.\n//   call();\n#pragma once\n\nnamespace x {\n\n/// All of it.\nstruct Both {\n  double a = 0; ///< behind\n  /// Before,\n  /// two lines.\n  Vec3 b{},\n      c{};\n  [[nodiscard]] int f() const { return 1; }\n};\n\n/// Does it.\nint call(int x,\n         int y);\n\n} // namespace x\n');
  assert.equal(header.head, 'What it is.\n  call();');
  assert.deepEqual(header.declarations.map((d) => d.comment), ['All of it.', 'Does it.']);
  const both = struct(header.declarations, 'Both');
  assert.deepEqual(members(both?.code ?? ''), [
    { code: 'double a = 0', comment: 'behind' },
    { code: 'Vec3 b{}, c{}', comment: 'Before,\ntwo lines.' },
    { code: '[[nodiscard]] int f() const', comment: '' },
  ]);
});
