// The viewer: dist/viewer/, to be served from anywhere. (The player page: vite.player.ts.)
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  server: { fs: { allow: ['..'] } },
  build: { outDir: 'dist/viewer', emptyOutDir: true, modulePreload: false, chunkSizeWarningLimit: 2000 },
});
