// The file's form by its published schema: the words of JSON Schema that the schema uses, and no others.
import published from '../../../schemas/yibu-replay.v2.schema.json';
import { type FaultCode, FileFault } from './format.ts';

interface Schema {
  $ref?: string;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  const?: unknown;
  enum?: readonly unknown[];
  type?: string | readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

const DEFS = published.$defs as unknown as Record<string, Schema>;
/** What a fault in these is called. */
const CODES: Record<string, FaultCode> = { position: 'POSITION', piece: 'PIECE' };

/** Judges a whole file of version 2. Throws a `FileFault` that names the first place that cannot be so. */
export function judgeForm(file: unknown): void {
  judge(file, published as unknown as Schema, '', 'FIELD');
}

function judge(value: unknown, of: Schema, at: string, code: FaultCode): void {
  if (of.$ref) {
    const name = of.$ref.replace('#/$defs/', '');
    judge(value, DEFS[name] as Schema, at, CODES[name] ?? code);
    if (name === 'instant' && !isInstant(value as string)) throw new FileFault(code, at);
  } else if (of.anyOf) {
    // Something, or null.
    if (value !== null) judge(value, of.anyOf[0] as Schema, at, code);
  } else if (of.oneOf) {
    const kind = (value as { kind?: unknown } | null)?.kind;
    const one = kinds(of.oneOf).get(kind);
    if (!one) throw new FileFault('FIELD', join(at, 'kind'));
    judge(value, one, at, code);
  } else {
    if (!fits(value, of)) throw new FileFault(code, at);
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) judge(item, of.items ?? {}, `${at}[${i}]`, code);
    } else if (of.properties) judgeFields(value as Record<string, unknown>, of, of.properties, at, code);
  }
}

/** Every field that has to be there, and none besides. */
function judgeFields(
  value: Record<string, unknown>,
  of: Schema,
  fields: Record<string, Schema>,
  at: string,
  code: FaultCode,
): void {
  const missing = of.required?.find((name) => !Object.hasOwn(value, name));
  if (missing) throw new FileFault('FIELD', join(at, missing));
  for (const [name, field] of Object.entries(value)) {
    if (!Object.hasOwn(fields, name)) throw new FileFault('EXTRA', join(at, name.slice(0, 40)));
    judge(field, fields[name] as Schema, join(at, name), code);
  }
}

const join = (at: string, name: string) => (at ? `${at}.${name}` : name);

function fits(value: unknown, of: Schema): boolean {
  if ('const' in of) return value === of.const;
  if (of.enum) return of.enum.includes(value);
  if (of.type && ![of.type].flat().some((type) => isA(value, type))) return false;
  if (typeof value === 'string') return !of.pattern || pattern(of.pattern).test(value);
  if (typeof value === 'number') return within(value, of.minimum, of.maximum);
  if (Array.isArray(value)) return within(value.length, of.minItems, of.maxItems);
  return true;
}

const within = (n: number, least = -Infinity, most = Infinity) => n >= least && n <= most;

function isA(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** The pattern alone lets a thirtieth of February pass. */
function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

const patterns = new Map<string, RegExp>();
function pattern(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, known);
  return known;
}

const choices = new Map<readonly Schema[], Map<unknown, Schema>>();
/** The shapes of a choice by their `kind`. */
function kinds(of: readonly Schema[]): Map<unknown, Schema> {
  let known = choices.get(of);
  if (!known) {
    const shapes = of.map((one) => (one.$ref ? (DEFS[one.$ref.replace('#/$defs/', '')] as Schema) : one));
    known = new Map(shapes.map((one) => [one.properties?.kind?.const, one]));
    choices.set(of, known);
  }
  return known;
}
