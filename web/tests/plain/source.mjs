// A module of web/src as Node can load it, without types: for those that know nothing of the screen.
import { build } from 'vite';

/** @param {string} path from web/src @returns {Promise<any>} what it exports; to be given its type */
export async function source(path) {
  const entry = new URL(`../../src/${path}`, import.meta.url).pathname;
  const made = await build({ configFile: false, logLevel: 'error', build: { write: false, target: 'es2022', lib: { entry, formats: ['es'] } } });
  const [first] = Array.isArray(made) ? made : [];
  const code = first?.output[0].code ?? '';
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
