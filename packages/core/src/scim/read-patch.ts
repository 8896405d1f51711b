import { isObject, type ScimObject, type ScimValue } from './attribute.ts';
import { badRequest, shortenInput } from './scim-error.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: ScimValue | undefined;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1000;

/** Parses the body of a PATCH. Names of operations have any case. */
export function readPatch(body: ScimValue): PatchOperation[] {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  rejectOtherSchema(body);
  const operations = memberOf(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw badRequest('invalidSyntax', '"Operations" must contain at least one operation.');
  }
  if (operations.length > MAX_OPERATIONS) {
    throw badRequest('tooMany', `A PATCH can have up to ${MAX_OPERATIONS} operations.`);
  }
  return operations.map(readOperation);
}

function readOperation(given: ScimValue): PatchOperation {
  if (!isObject(given)) throw badRequest('invalidSyntax', 'An operation must be an object.');
  const op = memberOf(given, 'op');
  const word = typeof op === 'string' ? op.toLowerCase() : '';
  if (word !== 'add' && word !== 'replace' && word !== 'remove') {
    const text = typeof op === 'string' ? `, but is "${shortenInput(op)}"` : '';
    throw badRequest('invalidSyntax', `"op" must be add, replace, or remove${text}.`);
  }
  const path = memberOf(given, 'path') ?? undefined;
  if (path !== undefined && typeof path !== 'string') {
    throw badRequest('invalidPath', 'A path must be a string.');
  }
  return {
    op: word,
    path: path === undefined || path.trim() === '' ? undefined : path,
    value: memberOf(given, 'value'),
  };
}

function memberOf(object: ScimObject, name: string): ScimValue | undefined {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function rejectOtherSchema(body: ScimObject): void {
  const schemas = memberOf(body, 'schemas');
  if (schemas === undefined) return;
  const wanted = PATCH_SCHEMA.toLowerCase();
  const names = Array.isArray(schemas) ? schemas : [];
  if (names.some((name) => typeof name === 'string' && name.toLowerCase() === wanted)) return;
  throw badRequest('invalidSyntax', `"schemas" must include ${PATCH_SCHEMA}.`);
}
