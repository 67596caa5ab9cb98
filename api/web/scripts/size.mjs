// Prints what a first visit of a page costs, compressed as the server sends it, and fails above the budget of the
// table page.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const BUDGET = 40 * 1024;

function compressed(file) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  return brotliCompressSync(readFileSync(new URL(file, dist)), options).length;
}

/** Everything that a chunk needs, by static imports. */
function needs(key, found = new Set()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key].imports ?? []) needs(next, found);
  return found;
}

function visit(...keys) {
  const files = new Set(['index.html']);
  for (const key of keys.flatMap((one) => [...needs(one)])) {
    files.add(manifest[key].file);
    for (const css of manifest[key].css ?? []) files.add(css);
  }
  return [...files].reduce((sum, file) => sum + compressed(file), 0);
}

const TABLE = 'src/pages/table/TablePage.tsx';
const src = (name) => `src/pages/${name}.tsx`;
const OTHERS = src('others');
const pages = {
  'table (arranging)': [TABLE, src('table/DeployBar')],
  'table (playing)': [TABLE, src('table/playing').replace('.tsx', '.ts')],
  lobby: [OTHERS, src('lobby/LobbyPage')],
  home: [OTHERS, src('home/HomePage')],
  replay: [OTHERS, src('replay/ReplayPage')],
  manual: [OTHERS, src('manual/ManualPage')],
};
for (const locale of ['zh-Hans', 'zh-Hant', 'en']) {
  const sizes = Object.entries(pages).map(([name, keys]) => {
    const more = keys[0] === TABLE ? [] : [`src/i18n/${locale}.pages.ts`];
    if (name === 'table (arranging)') more.push(`src/i18n/${locale}.deploy.ts`);
    if (name === 'manual') more.push(`src/manual/${locale}.ts`);
    const bytes = visit('index.html', `src/i18n/${locale}.ts`, ...more, ...keys);
    if (keys[0] === TABLE && bytes > BUDGET) process.exitCode = 1;
    return `${name} ${(bytes / 1024).toFixed(1)}`;
  });
  console.log(`first visit, KiB brotli, ${locale}: ${sizes.join(', ')}; table at most ${BUDGET / 1024}`);
}
if (process.argv.includes('--files')) {
  const keys = ['index.html', 'src/i18n/zh-Hans.ts', TABLE].flatMap((one) => [...needs(one)]);
  for (const key of new Set(keys))
    console.log(
      compressed(manifest[key].file),
      manifest[key].file,
      (manifest[key].css ?? []).map((css) => `${css} ${compressed(css)}`).join(' '),
    );
}
