// The player page: dist/player.html, one file. The tool puts the data of a recording or a report into it.
import { defineConfig } from 'vite';
import { inlinePage } from './inline_page.ts';

export default defineConfig({
  base: './',
  plugins: [inlinePage()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: 'player.html', output: { inlineDynamicImports: true } },
  },
});
