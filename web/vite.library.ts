// The library's TypeScript as one module, for Node and for other pages: dist/carom.mjs. carom.wasm stands beside it.
import { defineConfig, type Plugin } from 'vite';

/** The module's types are those of its sources. */
const types: Plugin = {
  name: 'carom-types',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'carom.d.mts', source: "export * from '../src/carom/index.ts';\n" });
  },
};

export default defineConfig({
  plugins: [types],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    copyPublicDir: false,
    lib: { entry: 'src/carom/index.ts', formats: ['es'], fileName: () => 'carom.mjs' },
  },
});
