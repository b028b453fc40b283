// The page of one query, made from the headers that declare it and its answer.
import { members, readHeader, struct } from './header.mjs';
import { escape } from './markdown.mjs';

/** A comment as paragraphs: lines indented by two or more are code, those that begin with a dash a list. @param {string} comment */
export function prose(comment) {
  let html = '';
  /** @type {{tag: string, lines: string[]}} */
  let open = { tag: '', lines: [] };
  const close = () => {
    if (open.lines.length === 0) return;
    const text = open.tag === 'pre' ? `<code>${escape(open.lines.join('\n'))}</code>` : inline(open.lines.join(' '));
    html += open.tag === 'ul' ? `<ul>${open.lines.map((l) => `<li>${inline(l)}</li>`).join('')}</ul>` : `<${open.tag}>${text}</${open.tag}>`;
    open = { tag: '', lines: [] };
  };
  for (const line of comment.split('\n')) {
    const item = /^\s+- (.*)$/.exec(line);
    const tag = line.trim() === '' ? '' : item ? 'ul' : /^\s{2}/.test(line) ? 'pre' : 'p';
    if (tag !== open.tag) close();
    if (tag !== '') {
      open.tag = tag;
      open.lines.push(item ? /** @type {string} */ (item[1]) : tag === 'pre' ? line.slice(2) : line.trim());
    }
  }
  close();
  return html;
}

/** Words in backquotes, and pages that are named, stand out. @param {string} text */
function inline(text) {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\bdocs\/([a-z-]+)\.md\b/g, '<a href="$1.html">$1</a>')
    .replace(/\b(?:[a-z_]+\/)?[a-z_]+\.h\b/g, '<code>$&</code>');
}

/** @param {import('./header.mjs').Declaration} declaration @param {number} level */
function structHtml(declaration, level) {
  const [, name = ''] = /^(?:struct|enum class) (\w+)/.exec(declaration.code) ?? [];
  const rows = members(declaration.code).map(({ code, comment }) => `<dt><code>${escape(code)}</code></dt><dd>${prose(comment)}</dd>`);
  return `<h${level} id="${name}"><code>${name}</code></h${level}>${prose(declaration.comment)}<dl>${rows.join('\n')}</dl>`;
}

/**
 * @param {import('./contents.mjs').Query} query
 * @param {(path: string) => string} read a file of the repository
 * @param {(name: string) => string} titleOf a page
 */
export function queryPage(query, read, titleOf) {
  const { head, declarations } = readHeader(read(query.header));
  const [first = '', ...rest] = head.split('\n');
  const functions = declarations.filter((d) => !/^(struct|enum class)/.test(d.code));
  const options = declarations.filter((d) => /^(struct|enum class)/.test(d.code));
  const folder = query.header.replace(/[^/]*$/, '');
  const answers = readHeader(read(`${folder}answer.h`)).declarations;
  if (functions.length === 0) throw new Error(`${query.header} declares nothing`);

  let html = `<h1><code>${query.name}</code></h1><p class="lead">${inline(first)}</p>${prose(rest.join('\n'))}`;
  if (query.picture) html += `<p><img src="${query.picture[0]}" alt="${escape(query.picture[1])}"></p>`;
  html += `<h2 id="call">The call</h2><p><code>#include &lt;${query.header}&gt;</code></p>`;
  for (const f of functions) html += `<pre><code>${escape(f.code)}</code></pre>${prose(f.comment)}`;
  if (query.answers.length > 0) html += '<h2 id="answer">The answer</h2>';
  for (const name of query.answers) {
    const found = struct(answers, name);
    if (!found) throw new Error(`${folder}answer.h has no ${name}`);
    html += structHtml(found, 3);
  }
  if (options.length > 0) html += '<h2 id="options">Options</h2>';
  for (const o of options) html += structHtml(o, 3);
  const see = query.see.map((name) => `<li><a href="${name}.html">${escape(titleOf(name))}</a></li>`);
  return `${html}<h2 id="see">See also</h2><ul>${see.join('')}</ul>`;
}
