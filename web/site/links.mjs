// Whether all links of the site lead somewhere: pages, pictures, and places in pages. Addresses of other sites are not asked.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} folder @returns {string[]} a sentence for each that leads nowhere */
export function brokenLinks(folder) {
  const pages = readdirSync(folder).filter((f) => f.endsWith('.html'));
  const texts = new Map(pages.map((f) => [f, readFileSync(join(folder, f), 'utf8')]));
  const bad = [];
  for (const [page, text] of texts) {
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?|data|mailto):/.test(link)) continue;
      const [path = '', hash] = link.split('#');
      const file = path || page;
      if (!existsSync(join(folder, file))) bad.push(`${page}: there is no ${file}`);
      else if (hash && !texts.get(file)?.includes(` id="${hash}"`)) bad.push(`${page}: there is no #${hash} in ${file}`);
    }
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((m) => m[1]);
    for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) bad.push(`${page}: two places are named #${id}`);
  }
  return bad;
}
