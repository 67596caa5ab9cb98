// Tells the built service worker which files the first page, the replay viewer and the manual need, by language.
import { readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const page = (name) => `src/pages/${name}.tsx`;
const NAMES = ['others', 'home/HomePage', 'replay/ReplayPage', 'manual/ManualPage'];
const PAGES = ['index.html', ...NAMES.map(page)];
const words = (tag) => [tag, `${tag}.pages`, `${tag}.errors`].map((name) => `src/i18n/${name}.ts`);
const EMPTY = 'const NEEDED = {};';

/** The files of a chunk and of everything that it imports. */
function filesOf(key, found) {
  const { file, css = [], imports = [] } = manifest[key];
  if (found.has(file)) return found;
  for (const one of [file, ...css]) found.add(one);
  for (const next of imports) filesOf(next, found);
  return found;
}

const needed = {};
for (const tag of ['zh-Hans', 'zh-Hant', 'en']) {
  const files = new Set();
  for (const key of [...PAGES, ...words(tag), `src/manual/${tag}.ts`]) filesOf(key, files);
  needed[tag] = [...files].sort().map((file) => `/${file}`);
}
const worker = new URL('sw.js', dist);
const text = readFileSync(worker, 'utf8');
if (!text.includes(EMPTY)) throw new Error('the service worker has no place for what is needed offline');
writeFileSync(worker, text.replace(EMPTY, `const NEEDED = ${JSON.stringify(needed)};`));
