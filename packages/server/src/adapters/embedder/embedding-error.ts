import { CatalogError } from '@catalog/contract/errors/catalog-error';

interface FailureDetails {
  cause?: unknown;
  status?: number;
  retry_after_seconds?: number | undefined;
}

/**
 * Creates a retryable error. Tenant administrators see the reason, so it contains no URL and no
 * output of the provider; those are in the cause, for the log.
 */
export function embeddingFailed(
  provider: string,
  reason: string,
  { cause, status, retry_after_seconds }: FailureDetails = {},
): CatalogError {
  return new CatalogError(
    'registry.embedding_failed',
    `The embedding provider ${provider} ${reason}.`,
    {
      details: {
        provider,
        ...(status === undefined ? {} : { status }),
        ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
      },
      cause,
    },
  );
}

export function embeddingPaused(provider: string, failure: string, wait_ms: number): CatalogError {
  return new CatalogError('registry.embedding_failed', `${failure} Requests to it are paused.`, {
    details: { provider, not_sent: true, retry_after_seconds: Math.ceil(wait_ms / 1000) },
  });
}

/** Creates an error that an operator can fix only by changing the configuration. */
export function embeddingRefused(
  provider: string,
  reason: string,
  suggested_action: string,
  details: { status?: number } = {},
): CatalogError {
  return new CatalogError(
    'registry.embedding_refused',
    `The embedding provider ${provider} ${reason}.`,
    { details: { provider, ...details }, suggested_action },
  );
}
