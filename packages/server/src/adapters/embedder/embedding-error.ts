import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** What is known of a failure beside its reason. */
interface Circumstances {
  cause?: unknown;
  /** Of the HTTP answer. */
  status?: number;
  retry_after_seconds?: number | undefined;
}

/**
 * Another try may help. The reason is for admins of a tenant too: it names no address and repeats nothing
 * a provider said; those are in the cause, for the log.
 */
export function embeddingFailed(
  provider: string,
  reason: string,
  { cause, status, retry_after_seconds }: Circumstances = {},
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

/** Nothing was sent because of the last failure, and nothing will be for a while. */
export function embeddingPaused(provider: string, failure: string, wait_ms: number): CatalogError {
  return new CatalogError('registry.embedding_failed', `${failure} Requests to it are paused.`, {
    details: { provider, not_sent: true, retry_after_seconds: Math.ceil(wait_ms / 1000) },
  });
}

/** Somebody has to change something first. */
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
