// A header of the library, read as its documentation: the comment at its head, and what it declares with the comments before it.
//
// It knows the house style and no more of C++: a declaration stands in the namespace, after its /// lines, and ends at a line with ; or }; at its own depth.

/** @typedef {{comment: string, code: string}} Declaration */

/** @param {string} source @returns {{head: string, declarations: Declaration[]}} */
export function readHeader(source) {
  const lines = source.split('\n');
  const head = [];
  let i = 0;
  for (; lines[i]?.startsWith('//'); ++i) head.push(/** @type {string} */ (lines[i]).replace(/^\/\/ ?/, ''));
  while (i < lines.length && !lines[i]?.startsWith('namespace')) ++i;
  return { head: head.join('\n'), declarations: declarations(lines.slice(i + 1)) };
}

/** @param {string[]} lines @returns {Declaration[]} */
function declarations(lines) {
  const found = [];
  /** @type {string[]} */
  let comment = [];
  /** @type {string[]} */
  let code = [];
  let depth = 0;
  for (const line of lines) {
    if (code.length === 0 && line.startsWith('///')) {
      comment.push(line.replace(/^\/\/\/ ?/, ''));
      continue;
    }
    if (code.length === 0 && (line.trim() === '' || line.startsWith('//') || line.startsWith('}'))) {
      comment = [];
      continue;
    }
    code.push(line);
    const plain = line.replace(/\/\/.*$/, '');
    depth += (plain.match(/[{]/g) ?? []).length - (plain.match(/[}]/g) ?? []).length;
    if (depth === 0 && /[;}]\s*$/.test(plain)) {
      found.push({ comment: comment.join('\n'), code: code.join('\n') });
      [comment, code] = [[], []];
    }
  }
  return found;
}

/** The struct or enumeration of that name. @param {Declaration[]} all @param {string} name */
export function struct(all, name) {
  return all.find((d) => new RegExp(`^(struct|enum class) ${name}\\b`).test(d.code));
}

/** What a struct consists of: each member's code with what is said of it. @param {string} code @returns {Declaration[]} */
export function members(code) {
  const body = code.slice(code.indexOf('{') + 1, code.lastIndexOf('}'));
  const separator = /^enum/.test(code) ? /,\s*$/ : /;\s*$/;
  const found = [];
  /** @type {string[]} */
  let comment = [];
  let member = '';
  let depth = 0;
  for (const raw of body.split('\n')) {
    const line = raw.trim();
    if (line === '') continue;
    if (member === '' && line.startsWith('///') && !line.startsWith('///<')) {
      comment.push(line.replace(/^\/\/\/ ?/, ''));
      continue;
    }
    const [, plain = '', after] = /^(.*?)\s*(?:\/\/\/<\s*(.*))?$/.exec(line) ?? [];
    member = `${member} ${plain}`.trim();
    depth += (plain.match(/[{(]/g) ?? []).length - (plain.match(/[})]/g) ?? []).length;
    if (after !== undefined) comment.push(after);
    if (depth === 0 && (separator.test(plain) || /\}$/.test(plain) || (/^enum/.test(code) && after !== undefined))) {
      // A function's body is not its documentation.
      found.push({ code: member.replace(/\s*\{ return .*$|[;,]\s*$/, ''), comment: comment.join('\n') });
      [comment, member] = [[], ''];
    }
  }
  return found;
}
