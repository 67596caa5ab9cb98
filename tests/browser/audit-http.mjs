// Audits a running server against GraphQL over HTTP with graphql-http's `auditServer`.
// Usage: node audit-http.mjs http://127.0.0.1:8080/graphql
import { auditServer } from 'graphql-http';

const url = process.argv[2];
if (!url) {
  console.error('usage: node audit-http.mjs URL');
  process.exit(2);
}
const results = await auditServer({ url });
const failed = results.filter((result) => result.status !== 'ok');
for (const { id, name, status, reason } of failed) {
  console.log(`${status} ${id} ${name}: ${reason}`);
}
console.log(`${results.length - failed.length}/${results.length}`);
process.exit(failed.length === 0 ? 0 : 1);
