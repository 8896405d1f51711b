import { CatalogError } from '@catalog/contract/errors/catalog-error';

const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: 'access denied',
  BadDigest: 'the content was corrupted in transit',
  InvalidAccessKeyId: 'unknown access key',
  SignatureDoesNotMatch: 'the secret key does not match the access key',
  RequestTimeTooSkewed: 'the clocks of the registry and the store differ too much',
  ExpiredToken: 'the credentials have expired',
  CredentialsProviderError: 'no credentials are configured',
  NoSuchBucket: 'the bucket does not exist',
  SlowDown: 'too many requests',
  ServiceUnavailable: 'the service is unavailable',
  InternalError: 'internal error',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ENOTFOUND: 'host not found',
  TimeoutError: 'timed out',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'the bucket is in another region',
  403: 'access denied',
  404: 'the bucket does not exist',
};

export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  if (!('httpStatusCode' in metadata)) return undefined;
  const { httpStatusCode: status } = metadata;
  return typeof status === 'number' ? status : undefined;
}

/** Returns true if an object is missing, and false if the bucket is missing. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket');
}

/** Returns true if another writer has created the key or is creating it now. */
export function isWriteConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409;
}

/** Converts S3 errors to `registry.unavailable`, without URLs and keys in the message. */
export async function withStoreErrors<Result>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CatalogError) throw error;
    throw unavailable(error);
  }
}

export function unavailable(cause: unknown): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `The object store is unavailable: ${reasonOf(cause)}.`,
    { cause },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'internal error';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const status = statusOf(error);
  return (
    REASONS[error.name] ??
    REASONS[code] ??
    (status === undefined
      ? 'no response'
      : (BY_STATUS[status] ?? `it responded with status ${status}`))
  );
}
