// Writes src/api/generated.ts from the checked-in schema and the operations beside it: types of all, and the typed
// string documents that every visit needs. Documents of `operations/pages` go into files of their own, so that they are
// loaded with their pages. Must not ask a running server.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as documents from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

const here = new URL('.', import.meta.url);
const folder = new URL('src/api/operations/', here);
const pages = new URL('src/api/operations/pages/', here);
const sdl = readFileSync(new URL('../schema.graphql', here), 'utf8');
const scalars = {
  DateTime: 'string',
  Hex256: 'string',
  LogPosition: 'string',
  Position: 'string',
  UUID: 'string',
};
const HEAD = '// Made by codegen.mjs; never edited.\n';

const read = (from) =>
  readdirSync(from)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => ({ location: name, document: parse(readFileSync(new URL(name, from), 'utf8')) }));
const core = read(folder);
const paged = read(pages);

const text = await codegen({
  filename: 'generated.ts',
  schema: parse(sdl),
  schemaAst: buildSchema(sdl),
  documents: [...core, ...paged],
  pluginMap: { operations, documents },
  plugins: [
    { operations: { scalars, enumType: 'string-literal', useTypeImports: true, skipTypename: true } },
    { documents: { documentMode: 'string', dedupeFragments: true, useTypeImports: true } },
  ],
  config: {},
});

// Documents without their white space, and droppable where nobody imports them.
let small = text
  .replaceAll(/new TypedDocumentString\(`([^`]*)`/g, (_, body) => {
    return `/*#__PURE__*/ new TypedDocumentString(\`${body.replaceAll(/\s+/g, ' ').trim()}\``;
  })
  .replaceAll(/, \{"fragmentName":"\w+"\}\)/g, ')');

/** Takes the documents of an operations file out of the whole, and gives them as a module. */
function moduleOf({ document }) {
  const lines = [];
  const types = [];
  for (const { kind, name, operation } of document.definitions) {
    if (kind !== 'OperationDefinition') continue;
    const found = new RegExp(`^export const ${name.value}Document = .*;$`, 'm').exec(small)?.[0];
    if (!found) throw new Error(`no document of ${name.value}`);
    small = small.replace(`${found}\n`, '').replace(found, '');
    const type = `${name.value}${operation[0].toUpperCase()}${operation.slice(1)}`;
    types.push(`type ${type}`, `type ${type}Variables`);
    lines.push(found);
  }
  return `${HEAD}import { TypedDocumentString, ${types.join(', ')} } from './generated.ts';\n${lines.join('\n')}\n`;
}
for (const file of paged) {
  const name = file.location.replace('.graphql', '');
  writeFileSync(new URL(`src/api/generated.${name}.ts`, here), moduleOf(file));
}
// What many documents end with, the fragments of an answer, is written once.
const tails = new Map();
for (const [, tail] of small.matchAll(
  /TypedDocumentString\(`(?:query|mutation|subscription) [^`]*?( fragment [^`]*)`/g,
)) {
  tails.set(tail, (tails.get(tail) ?? 0) + 1);
}
let shared = '';
for (const [tail, times] of tails) {
  if (times < 2) continue;
  const name = `tail${shared.split('\n').length}`;
  shared += `const ${name} = \`${tail}\`;\n`;
  small = small.replaceAll(`${tail}\``, `\` + ${name}`);
}
const first = small.indexOf('export const ');
writeFileSync(
  new URL('src/api/generated.ts', here),
  `${HEAD}${small.slice(0, first)}${shared}${small.slice(first)}`,
);
