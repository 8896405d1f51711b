import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { endpoints } from '@catalog/contract/endpoints/table';
import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { httpStatus } from '@catalog/contract/errors/http-status';
import { SCIM_MEDIA_TYPE, scimError } from '@catalog/contract/records/scim';
import { errorEnvelope, isErrorCode } from '@catalog/contract/errors/envelope';
import type { RawAnswer } from './http-exchange.ts';

/** Response that follows the contract; otherwise the test has failed. */
export interface CheckedResponse extends RawAnswer {
  /** Body; undefined if the contract has none. */
  body: unknown;
}

export function endpointOf(path: string, method: string): Endpoint | undefined {
  const [bare = ''] = path.split('?', 1);
  const sharing = endpoints.filter((row) => matchesPath(row.path, bare));
  return sharing.find((row) => row.methods.some((known) => known === method)) ?? sharing[0];
}

/** Matches a path. A segment in braces matches any segment, and one with an ellipsis all further ones. */
function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const isLongEnough = pattern.endsWith('...}')
    ? given.length >= wanted.length
    : given.length === wanted.length;
  return (
    isLongEnough &&
    wanted.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

/** Checks status, media type and all keys of a response. */
export function checkResponse(
  endpoint: Endpoint | undefined,
  method: string,
  answer: RawAnswer,
): CheckedResponse {
  const { status } = answer;
  const schema = endpoint?.responses[status];
  const isKnown = endpoint !== undefined && Object.hasOwn(endpoint.responses, status);
  if (method === 'HEAD' || (isKnown && schema === null)) return { ...answer, body: undefined };
  const value: unknown = JSON.parse(answer.raw.toString());
  // An authorized SCIM client gets errors in the format of its standard.
  if (answer.headers['content-type'] === SCIM_MEDIA_TYPE && endpoint?.access === 'scim') {
    return { ...answer, body: (schema ?? scimError).parse(value) };
  }
  requireJson(answer);
  if (schema !== undefined && schema !== null) {
    return { ...answer, body: schema.parse(value) };
  }
  const envelope = errorEnvelope.parse(value);
  requireStatus(envelope, status);
  return { ...answer, body: envelope };
}

export function errorOf(body: unknown): ErrorEnvelope | undefined {
  return errorEnvelope.safeParse(body).data;
}

function requireJson({ headers, raw, status }: RawAnswer): void {
  if (headers['content-type'] !== 'application/json') {
    throw new Error(
      `${status} with ${headers['content-type'] ?? 'no content type'}: ${raw.toString().slice(0, 200)}`,
    );
  }
}

function requireStatus(envelope: ErrorEnvelope, status: number): void {
  const expected = isErrorCode(envelope.code)
    ? httpStatus(envelope.code, envelope.details)
    : status;
  if (status !== expected) {
    throw new Error(
      `${envelope.code} came with ${status} instead of ${expected}: ${envelope.message}`,
    );
  }
}
