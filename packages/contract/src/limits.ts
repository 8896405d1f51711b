/** Bytes up to which a manifest or resource travels inline; the cutoff itself still does (SPEC-27). */
export const INLINE_CUTOFF_BYTES = 262_144;

/** Ids in one batch load. */
export const BATCH_LOAD_MAX_IDS = 50;

/** Results of a search when the caller names no `top_k`. */
export const TOP_K_DEFAULT = 10;

/** The largest `top_k` a search accepts. */
export const TOP_K_MAX = 50;

/** Results of a search that can be paged through: `offset` and `top_k` together. */
export const SEARCH_WINDOW = 200;

/** Matches of a search that facets count. */
export const FACET_WINDOW = 1_000;

/** Entries of a page when the caller names no `limit`. */
export const PAGE_DEFAULT = 50;

/** The largest `limit` of a page. */
export const PAGE_MAX = 200;

/** Seconds between two `_heartbeat` lines of the event stream. */
export const HEARTBEAT_SECONDS = 30;

/** Seconds a browser sign-in may take when the deployment sets no other lifetime. */
export const BROWSER_TRANSACTION_SECONDS = 600;

/** Personal layers per identity when neither deployment nor tenant sets a cap. */
export const USER_LAYERS_DEFAULT = 3;

/** Bytes of a JSON request body, and of an inbound git delivery (SPEC-30, SPEC-36). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576;

/** Audit records that one request reads. A filter that matches few of them returns a short page. */
export const MAX_AUDIT_PAGE = 1000;
