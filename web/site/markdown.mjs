// Pages of docs/*.md as HTML: headings can be linked to, links between pages lead to their HTML.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** As GitHub names headings. @param {string} text */
export function anchor(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

/** @param {string} text */
export const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Where a link of the sources leads on the site. @param {string} link */
export function target(link) {
  if (/^[a-z]+:/.test(link)) return link;
  const [path = '', hash] = link.split('#');
  const flat = path.replace(/^(\.\.?\/)*(docs\/)?/, '').replace(/^README\.md$/, 'index.md');
  return flat.replace(/\.md$/, '.html') + (hash === undefined ? '' : `#${hash}`);
}

/** @param {string} source @returns {{title: string, html: string}} */
export function page(source) {
  const tokens = markdown.parse(source, {});
  let title = '';
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open') {
      const text = (tokens[i + 1]?.children ?? []).map((t) => t.content).join('');
      token.attrSet('id', anchor(text));
      title ||= text;
    }
    // Tables may be wider than a phone: they scroll by themselves.
    if (token.type === 'table_open') token.attrSet('tabindex', '0');
    for (const child of token.children ?? []) {
      const name = child.type === 'image' ? 'src' : child.type === 'link_open' ? 'href' : null;
      const link = name && child.attrGet(name);
      if (name && link) child.attrSet(name, target(String(link)));
    }
  });
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}) };
}

/** Blocks of code of one language. @param {string} source @param {string} language */
export function blocks(source, language) {
  return markdown.parse(source, {}).filter((t) => t.type === 'fence' && t.info.trim() === language).map((t) => t.content);
}
