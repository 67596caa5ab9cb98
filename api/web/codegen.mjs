// Writes src/api/generated.ts from the checked-in schema and the operations beside it: types and typed string
// documents. Must not ask a running server.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as documents from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, parse } from 'graphql';

const here = new URL('.', import.meta.url);
const folder = new URL('src/api/operations/', here);
const schema = buildSchema(readFileSync(new URL('../schema.graphql', here), 'utf8'));
const scalars = {
  DateTime: 'string',
  Hex256: 'string',
  LogPosition: 'string',
  Position: 'string',
  UUID: 'string',
};

const text = await codegen({
  filename: 'generated.ts',
  schema: parse(readFileSync(new URL('../schema.graphql', here), 'utf8')),
  schemaAst: schema,
  documents: readdirSync(folder)
    .sort()
    .map((name) => ({ location: name, document: parse(readFileSync(new URL(name, folder), 'utf8')) })),
  pluginMap: { operations, documents },
  plugins: [
    { operations: { scalars, enumType: 'string-literal', useTypeImports: true, skipTypename: true } },
    { documents: { documentMode: 'string', dedupeFragments: true, useTypeImports: true } },
  ],
  config: {},
});
// Documents without their white space, and droppable where nobody imports them.
const small = text
  .replaceAll(/new TypedDocumentString\(`([^`]*)`/g, (_, body) => {
    return `/*#__PURE__*/ new TypedDocumentString(\`${body.replaceAll(/\s+/g, ' ').trim()}\``;
  })
  .replaceAll(/, \{"fragmentName":"\w+"\}\)/g, ')');
writeFileSync(new URL('src/api/generated.ts', here), small);
