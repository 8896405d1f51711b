import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** What the codes of S3 and of the network mean to a person. */
const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: 'it refuses access',
  BadDigest: 'the bytes that arrived were not those that were sent',
  InvalidAccessKeyId: 'it does not know the access key',
  SignatureDoesNotMatch: 'the secret key is not the one of the access key',
  RequestTimeTooSkewed: 'the clocks of registry and store differ too much',
  ExpiredToken: 'the credentials have expired',
  CredentialsProviderError: 'there are no credentials for it',
  NoSuchBucket: 'there is no such bucket',
  SlowDown: 'it asks for fewer requests',
  ServiceUnavailable: 'it is not available',
  InternalError: 'it failed',
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ENOTFOUND: 'there is no host of its name',
  TimeoutError: 'it did not answer in time',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'the bucket is in another region',
  403: 'it refuses access',
  404: 'there is no such bucket',
};

/** The HTTP status an error of the SDK stands for; undefined where no answer came. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  if (!('httpStatusCode' in metadata)) return undefined;
  const { httpStatusCode: status } = metadata;
  return typeof status === 'number' ? status : undefined;
}

/** No object of that name; a bucket that is not there is another matter. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket');
}

/** Somebody wrote the key first, or is about to. */
export function isTaken(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409;
}

/** What the store refuses or fails at is the registry's trouble, told without its address and keys. */
export async function inS3<Result>(
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
    `The object store cannot be used: ${reasonOf(cause)}.`,
    { cause },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const status = statusOf(error);
  return (
    REASONS[error.name] ??
    REASONS[code] ??
    (status === undefined ? 'no answer came' : (BY_STATUS[status] ?? `it answered ${status}`))
  );
}
