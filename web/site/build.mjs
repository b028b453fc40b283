// ./dev docs: docs/ as a static site. Writes build/site; fails where a link leads nowhere, a page is in no list, or the guide shows code that does not compile.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, queries } from './contents.mjs';
import { brokenLinks } from './links.mjs';
import { blocks, escape, page } from './markdown.mjs';
import { queryPage } from './query_page.mjs';

const root = new URL('../../', import.meta.url).pathname;
const out = process.argv[2] ?? join(root, 'build/site');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
/** @type {string[]} */
const errors = [];

// Every page of docs/ is in exactly one group.
const written = readdirSync(join(root, 'docs')).filter((f) => f.endsWith('.md')).map((f) => f.replace('.md', ''));
const listed = groups.flatMap(([, names]) => names).filter((n) => n !== 'queries/');
for (const name of written) if (listed.filter((l) => l === name).length !== 1) errors.push(`docs/${name}.md must be in one group of web/site/contents.mjs`);
for (const name of listed) if (!written.includes(name)) errors.push(`web/site/contents.mjs has ${name}, which is no page of docs/`);

// What the guide shows is in the example that the tests build and run.
const squeezed = (/** @type {string} */ code) => code.replace(/\s+/g, '');
const example = squeezed(read('examples/guide.cpp'));
for (const block of blocks(read('docs/guide.md'), 'cpp')) if (!example.includes(squeezed(block))) errors.push(`docs/guide.md shows code that examples/guide.cpp does not have:\n${block}`);

const pages = new Map(written.map((name) => [name, page(read(`docs/${name}.md`))]));
const titleOf = (/** @type {string} */ name) => pages.get(name)?.title ?? name;
/** The query's page stands beside the pages of docs/, some of which are about the same. @param {string} name */
const queryFile = (name) => `query-${name}.html`;

/** @param {string} current a file */
function navigation(current) {
  const link = (/** @type {string} */ file, /** @type {string} */ text) => `<li><a href="${file}"${file === current ? ' aria-current="page"' : ''}>${text}</a></li>`;
  const group = ([title, names] = /** @type {[string, string[]]} */ (['', []])) => {
    const links = names.flatMap((n) => (n === 'queries/' ? queries.map((q) => link(queryFile(q.name), `<code>${q.name}</code>`)) : [link(`${n}.html`, escape(short(titleOf(n))))]));
    return `<h2>${escape(title)}</h2><ul>${links.join('')}</ul>`;
  };
  return `<p class="name"><a href="index.html">Carom</a></p>${groups.map(group).join('')}`;
}
/** A title that fits the margin: up to its colon. @param {string} title */
const short = (title) => title.replace(/:.*$/, '');

/** @param {string} file @param {string} title @param {string} html */
function write(file, title, html) {
  const nav = navigation(file);
  writeFileSync(
    join(out, file),
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === 'Carom' ? title : `${title} - Carom`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav class="wide" aria-label="Pages">${nav}</nav>
<details class="narrow"><summary>Carom: pages</summary><nav aria-label="Pages">${nav}</nav></details>
<main>${html}</main>
</body>
</html>
`,
  );
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const file of readdirSync(join(root, 'docs'))) if (/\.(svg|png|jpg|json)$/.test(file)) cpSync(join(root, 'docs', file), join(out, file));
if (existsSync(join(root, 'docs/scenes'))) cpSync(join(root, 'docs/scenes'), join(out, 'scenes'), { recursive: true });
cpSync(new URL('style.css', import.meta.url).pathname, join(out, 'style.css'));
for (const [name, file] of [['Carom', 'README.md'], ['Working on Carom', 'CONTRIBUTING.md'], ['Changes', 'CHANGELOG.md']]) {
  const { html } = page(read(/** @type {string} */ (file)));
  write(file === 'README.md' ? 'index.html' : /** @type {string} */ (file).replace('.md', '.html'), /** @type {string} */ (name), html);
}
for (const [name, { title, html }] of pages) write(`${name}.html`, title, html);
for (const q of queries) write(queryFile(q.name), q.name, queryPage(q, read, titleOf));

errors.push(...brokenLinks(out));
for (const error of errors) console.error(error);
if (errors.length > 0) process.exit(1);
console.log(`${pages.size + queries.length + 3} pages in ${out}; all links lead somewhere`);
