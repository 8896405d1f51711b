/** Maximum size of content in a response, inclusive; larger content has a URL (SPEC-27). */
export const INLINE_CUTOFF_BYTES = 262_144;

export const BATCH_LOAD_MAX_IDS = 50;

export const TOP_K_DEFAULT = 10;

export const TOP_K_MAX = 50;

/** Maximum of `offset` plus `top_k`. */
export const SEARCH_WINDOW = 200;

export const FACET_WINDOW = 1_000;

export const PAGE_DEFAULT = 50;

export const PAGE_MAX = 200;

export const HEARTBEAT_SECONDS = 30;

export const BROWSER_TRANSACTION_SECONDS = 600;

export const USER_LAYERS_DEFAULT = 3;

/** Maximum size of JSON requests and of deliveries from git hosts (SPEC-30, SPEC-36). */
export const REQUEST_BODY_MAX_BYTES = 1_048_576;

/** Maximum number of audit records read for a page; with a filter, a page can be shorter. */
export const MAX_AUDIT_PAGE = 1000;

/** Days that usage counts are kept. */
export const MAX_USAGE_DAYS = 400;
