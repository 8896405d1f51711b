import type { Sensitivity } from '../artifact/types.ts';
import { isJsonObject } from '../json.ts';

/** Type of an in-toto statement, version 1. */
export const IN_TOTO_STATEMENT = 'https://in-toto.io/Statement/v1';
/** Type of the predicate about a version that a registry serves. */
export const VERSION_PREDICATE = 'urn:catalog:attestation:served-version:v1';

/** Facts about a version that its signature covers. */
export interface SignedVersion {
  /** Id of the tenant, as in `GET /v1/quota`. */
  tenant: string;
  id: string;
  version: string;
  type: string;
  layer: string;
  content_hash: string;
  /** Null for a folder. */
  source_commit: string | null;
  /** Null if the artifact declares none. */
  sensitivity: Sensitivity | null;
  signed_at: string;
}

/** Returns the in-toto statement about a version, as the string that is signed and stored. */
export function encodeStatement(signed: SignedVersion): string {
  const { content_hash, id, version, type, tenant, layer, source_commit, sensitivity, signed_at } =
    signed;
  return JSON.stringify({
    _type: IN_TOTO_STATEMENT,
    subject: [
      { name: `${id}@${version}`, digest: { sha256: content_hash.slice('sha256:'.length) } },
    ],
    predicateType: VERSION_PREDICATE,
    predicate: { tenant, id, version, type, layer, source_commit, sensitivity, signed_at },
  });
}

/** Reason for which a payload is not a statement about a version. */
export type StatementProblem = 'malformed_statement' | 'statement_type' | 'predicate_type';

export type StatementReading =
  | { kind: 'statement'; signed: SignedVersion }
  | { kind: 'problem'; reason: StatementProblem };

/** Reads the payload of an envelope. Rejects missing and unknown members. */
export function readStatement(payload: string): StatementReading {
  const value = parseObject(payload);
  if (value === undefined) return malformed;
  if (value['_type'] !== IN_TOTO_STATEMENT) return problem('statement_type');
  if (value['predicateType'] !== VERSION_PREDICATE) return problem('predicate_type');
  const { subject, predicate } = value;
  if (!Array.isArray(subject) || subject.length !== 1 || !isJsonObject(predicate)) return malformed;
  const [about] = subject;
  if (!isJsonObject(about) || !isJsonObject(about['digest'])) return malformed;
  const { sha256 } = about['digest'];
  const { tenant, id, version, type, layer, source_commit, sensitivity, signed_at } = predicate;
  const isComplete =
    typeof sha256 === 'string' &&
    typeof tenant === 'string' &&
    typeof id === 'string' &&
    typeof version === 'string' &&
    typeof type === 'string' &&
    typeof layer === 'string' &&
    (source_commit === null || typeof source_commit === 'string') &&
    isSensitivity(sensitivity) &&
    typeof signed_at === 'string' &&
    !Number.isNaN(Date.parse(signed_at));
  if (!isComplete) return malformed;
  const content_hash = `sha256:${sha256}`;
  const signed = {
    tenant,
    id,
    version,
    type,
    layer,
    content_hash,
    source_commit,
    sensitivity,
    signed_at,
  };
  // Another order of members, another spelling or a repeated member is not what a registry signs.
  return encodeStatement(signed) === payload ? { kind: 'statement', signed } : malformed;
}

function problem(reason: StatementProblem): StatementReading {
  return { kind: 'problem', reason };
}

const malformed = problem('malformed_statement');

function isSensitivity(value: unknown): value is Sensitivity | null {
  return value === null || value === 'low' || value === 'medium' || value === 'high';
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
