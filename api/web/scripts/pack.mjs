// Packs what the build made, so that the server only chooses: `x.br` and `x.gz` beside `x`, where they are smaller.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../dist');
const served = /^[^.].*\.(css|html|js|svg|txt|webmanifest)$/;
const sums = { plain: 0, br: 0, gz: 0 };
for (const name of readdirSync(dist, { recursive: true }).filter((one) => served.test(one))) {
  const plain = readFileSync(join(dist, name));
  const packed = {
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    gz: gzipSync(plain, { level: 9 }),
  };
  sums.plain += plain.length;
  for (const [ending, bytes] of Object.entries(packed)) {
    sums[ending] += Math.min(bytes.length, plain.length);
    if (bytes.length < plain.length) writeFileSync(join(dist, `${name}.${ending}`), bytes);
  }
}
console.log(`packed, bytes: plain ${sums.plain}, brotli ${sums.br}, gzip ${sums.gz}`);
