// A Vite plugin: writes a page as one file, its scripts and styles inside, so that it opens from disk and asks nothing of the network.
import type { Plugin } from 'vite';

/** As a replacement of String.replace, in which `$` means nothing. */
const literally = (text: string) => () => text;

export function inlinePage(): Plugin {
  return {
    name: 'carom-inline-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const pages = Object.values(bundle).filter((f) => f.fileName.endsWith('.html'));
      for (const page of pages) {
        if (page.type !== 'asset') continue;
        let html = String(page.source);
        for (const file of Object.values(bundle)) {
          const name = file.fileName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
          if (file.type === 'chunk') {
            // The end of the script element must not stand in the script itself.
            const code = file.code.replace(/<\/script/g, '<\\/script');
            const tag = new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`);
            html = html.replace(tag, '');
            html = html.replace('</body>', literally(`<script type="module">${code}</script>\n</body>`));
            delete bundle[file.fileName];
          } else if (file.fileName.endsWith('.css')) {
            const tag = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
            html = html.replace(tag, literally(`<style>${String(file.source)}</style>`));
            delete bundle[file.fileName];
          }
        }
        page.source = html;
      }
    },
  };
}
