import { hash } from 'node:crypto';
import type { AuditRecord } from './audit-record.ts';
import { leafHash, type TreeHash } from './merkle-tree.ts';
import { hasPerson, listPersonFields, type PersonFields } from './record-types.ts';

/** Personal values of one user in one record. */
export interface PersonValues {
  /** Name of the declaration of the fields, such as `caller`. */
  person: string;
  /** 0-based place in a list of users; otherwise 0. */
  place: number;
  subject: string;
  /** Random bytes in base64, without which the commitment could be guessed. */
  salt: string;
  fields: PersonalFields;
}

export type PersonalFields = Readonly<Record<string, string | readonly string[]>>;

/** After an erasure: the pseudonym of the user instead of the values. */
export type ErasedValues = Omit<PersonValues, 'salt' | 'fields'> & { salt: null; fields: null };

type FieldValue = string | number | boolean | readonly string[];

/** Fields of a record with commitments instead of personal values. */
export type SealedFields = Readonly<
  Record<string, FieldValue> & Pick<AuditRecord, 'type' | 'timestamp' | 'trace_id'>
>;

export interface SealedRecord {
  /** The leaf hash covers exactly the JSON of these fields. */
  record: SealedFields;
  leaf_hash: TreeHash;
  values: readonly PersonValues[];
}

const COMMITMENT = 'commitment.';

/** Replaces the personal fields of a record by one salted commitment per user. */
export function sealRecord(given: AuditRecord, newSalt: () => Uint8Array): SealedRecord {
  const record = toWellFormed(given);
  let sealed: SealedFields = record;
  const values: PersonValues[] = [];
  for (const [person, declared] of listPersonFields(record.type)) {
    if (!hasPerson(record, declared)) continue;
    const found = listUsers(record, declared).map((user, place): PersonValues => ({
      person,
      place,
      ...user,
      salt: Buffer.from(newSalt()).toString('base64'),
    }));
    const commitments = found.map(commit);
    sealed = {
      ...omit(sealed, declared.fields),
      [COMMITMENT + person]: declared.each === true ? commitments : (commitments[0] ?? ''),
    };
    values.push(...found);
  }
  return { record: sealed, leaf_hash: leafHash(JSON.stringify(sealed)), values };
}

function omit(
  { type, timestamp, trace_id, ...rest }: SealedFields,
  fields: readonly string[],
): SealedFields {
  const kept = Object.entries(rest).filter(([field]) => !fields.includes(field));
  return { type, timestamp, trace_id, ...Object.fromEntries(kept) };
}

function listUsers(
  record: AuditRecord,
  { subject, fields, each }: PersonFields,
): Pick<PersonValues, 'subject' | 'fields'>[] {
  const value = record[subject];
  if (each === true) {
    const users = Array.isArray(value) ? value.map(String) : [];
    return users.map((user) => ({ subject: user, fields: { [subject]: user } }));
  }
  const own = fields.flatMap((field) => {
    const content = record[field];
    return content === undefined
      ? []
      : [[field, Array.isArray(content) ? content : String(content)] as const];
  });
  return [{ subject: String(value), fields: Object.fromEntries(own) }];
}

/** Returns the commitment to the values of a user, in base64. */
export function commit({ salt, fields }: Pick<PersonValues, 'salt' | 'fields'>): string {
  const bytes = [Buffer.from(salt, 'base64'), Buffer.from(JSON.stringify(fields))];
  return hash('sha256', Buffer.concat(bytes), 'base64');
}

/**
 * Returns the record as readers see it: with the personal values, or with pseudonyms after an
 * erasure. Returns a record without commitments unchanged.
 */
export function revealRecord(
  sealed: SealedFields,
  values: readonly (PersonValues | ErasedValues)[],
): AuditRecord {
  const { type, timestamp, trace_id, 'caller.identity': caller = MISSING, ...rest } = sealed;
  const open = Object.entries(rest).filter(([field]) => !field.startsWith(COMMITMENT));
  let record: AuditRecord = {
    ...Object.fromEntries(open),
    type,
    timestamp,
    trace_id,
    'caller.identity': String(caller),
  };
  for (const [person, { subject, each }] of listPersonFields(sealed.type)) {
    if (sealed[COMMITMENT + person] === undefined) continue;
    const own = values.filter((value) => value.person === person);
    if (each === true) {
      record = { ...record, [subject]: own.map(({ subject: user }) => user) };
      continue;
    }
    const [user] = own;
    record = { ...record, [subject]: user?.subject ?? MISSING, ...user?.fields };
  }
  return record;
}

/** Shown if the values of a record were removed without an erasure. */
const MISSING = 'missing';

/** Returns the users of a record whose values do not match its commitments. */
export function listUnmatched(
  sealed: SealedFields,
  values: readonly (PersonValues | ErasedValues)[],
): string[] {
  return listPersonFields(sealed.type).flatMap(([person]) => {
    const committed = sealed[COMMITMENT + person];
    if (committed === undefined) return [];
    const own = values.filter((value) => value.person === person);
    const commitments = Array.isArray(committed) ? committed : [committed];
    const isMatch =
      own.length === commitments.length &&
      own.every((user) => user.fields === null || commit(user) === commitments[user.place]);
    return isMatch ? [] : [person];
  });
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/** Replaces unpaired surrogates, which databases reject, so that the stored JSON is the hashed one. */
function toWellFormed(record: AuditRecord): AuditRecord {
  if (!HALF_PAIR.test(JSON.stringify(record))) return record;
  return JSON.parse(JSON.stringify(record), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
