import { z } from 'zod';
import { PAGE_DEFAULT, PAGE_MAX, SEARCH_WINDOW, TOP_K_DEFAULT, TOP_K_MAX } from '../limits.ts';
import {
  catalogResponse,
  dependentsResponse,
  domainAnalysis,
  domainMap,
  domainSearchResponse,
  recentResponse,
  scopePreview,
  searchResponse,
  syncManifest,
} from '../records/discovery.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { artifactArgument, asAdmin, flag, path, paths, sessionId, text } from './arguments.ts';

const topK = z.coerce
  .number<number>()
  .int()
  .min(1)
  .max(TOP_K_MAX)
  .default(TOP_K_DEFAULT)
  .describe('Maximum number of results.');

const scope = path
  .default('')
  .meta({ description: 'Return only entries below this path.', examples: ['ops'] });
const domain = path
  .default('')
  .meta({ description: 'Domain path; empty for the root.', examples: ['ops'] });

const type = text
  .default('')
  .meta({ description: 'Return only artifacts of this type.', examples: ['skill'] });
/** An addition of catalog to the specification: several values are accepted. */
const anyType = text.default('').meta({
  description: 'Return only artifacts of one of these types, separated by commas.',
  examples: ['skill'],
});
const anyScope = paths.default('').meta({
  description: 'Return only entries below one of these paths, separated by commas.',
  examples: ['ops'],
});
const tags = text
  .default('')
  .describe('Return only artifacts that have all of these tags, separated by commas.');
const layer = text
  .default('')
  .describe('Return only artifacts that this layer serves in the effective view.');
const harness = text.default('').meta({
  description:
    'Return only artifacts for this harness: those that name it in `target_harnesses`, or name none.',
  examples: ['claude-code'],
});
const updatedSince = z.iso
  .datetime({ offset: true })
  .transform((time) => new Date(time).toISOString())
  .optional()
  .describe('Return only artifacts whose served version was ingested at this time or later.');
const limit = z.coerce
  .number<number>()
  .int()
  .min(1)
  .max(PAGE_MAX)
  .describe(
    'Maximum number of entries. A page with filters may have fewer; continue while there is a `next_cursor`.',
  );
const cursor = text.describe('`next_cursor` of the page before.');

export const loadDomain = defineEndpoint({
  name: 'load_domain',
  methods: ['GET'],
  path: '/v1/load_domain',
  summary:
    'Returns the map of a domain: its subdomains and notable artifacts; with `limit`, a page of all its children.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    path: domain,
    depth: z.coerce
      .number<number>()
      .int()
      .min(0)
      .optional()
      .describe(
        'Levels of subdomains to return. The registry or the domain may limit this further.',
      ),
    session_id: sessionId.optional(),
    /** Additions of catalog to the specification. */
    counts: flag.describe('Include how many artifacts each domain has.'),
    limit: limit
      .optional()
      .describe(
        'Return a page of the children: subdomains by path, then the artifacts of the domain by id. Pages fold no subdomain; only the first has notable artifacts.',
      ),
    cursor: cursor.optional(),
  }),
  responses: { 200: domainMap },
  errors: ['domain.not_found'],
});

export const searchDomains = defineEndpoint({
  name: 'search_domains',
  methods: ['GET'],
  path: '/v1/search_domains',
  summary: 'Searches domains by name, description, and keywords.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    query: text.default('').meta({
      description: 'Search query. If empty, lists every described domain by path.',
      examples: ['operations'],
    }),
    scope,
    top_k: topK,
    session_id: sessionId.optional(),
  }),
  responses: { 200: domainSearchResponse },
  errors: ['quota.search_qps_exceeded'],
});

export const searchArtifacts = defineEndpoint({
  name: 'search_artifacts',
  methods: ['GET'],
  path: '/v1/search_artifacts',
  summary: 'Searches artifacts by keywords and meaning; without a query, lists all by id.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    query: text.default('').meta({
      description: 'Search query in natural language. If empty, lists every artifact by id.',
      examples: ['verify a release'],
    }),
    type: anyType,
    tags,
    scope: anyScope,
    top_k: topK,
    session_id: sessionId.optional(),
    as_admin: asAdmin,
    /** An addition of catalog to the specification. */
    offset: z.coerce
      .number<number>()
      .int()
      .min(0)
      .max(SEARCH_WINDOW - 1)
      .default(0)
      .describe(`Results to skip. Pages end after the first ${SEARCH_WINDOW} results.`),
    layer: layer.describe(
      'Return only artifacts that one of these layers serves, separated by commas.',
    ),
    harness,
    facets: flag.describe(
      'Include counts by type, tag, layer and domain. A count is the total with this value as the only choice in its group; a tag is added to the tags already chosen.',
    ),
    explain: flag.describe('Include the matched words and the similarity that ranked each result.'),
  }),
  responses: { 200: searchResponse },
  errors: ['auth.forbidden', 'quota.search_qps_exceeded'],
});

export const catalog = defineEndpoint({
  name: 'catalog',
  methods: ['GET'],
  path: '/v1/catalog',
  summary:
    'Lists the ids and short descriptors of every visible artifact; with any other parameter than `scope`, a page of them by id.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    scope,
    /** Additions of catalog to the specification. */
    limit: limit.optional(),
    cursor: cursor.optional(),
    type,
    tags,
    layer,
    harness,
    updated_since: updatedSince,
    deprecated: flag.describe('Return only deprecated artifacts.'),
  }),
  responses: { 200: catalogResponse, 304: null },
  errors: [],
});

const recentFilters = { scope, type, tags, layer, harness, updated_since: updatedSince };

/** An addition of catalog to the specification. */
export const recent = defineEndpoint({
  name: 'recent',
  methods: ['GET'],
  path: '/v1/recent',
  summary: 'Lists visible artifacts by the time their served version was ingested, newest first.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    ...recentFilters,
    limit: limit.default(PAGE_DEFAULT),
    cursor: cursor.default(''),
  }),
  responses: { 200: recentResponse },
  errors: [],
});

/** An addition of catalog to the specification. */
export const recentFeed = defineEndpoint({
  name: 'recent_feed',
  methods: ['GET'],
  path: '/v1/recent.atom',
  summary: 'Returns the first page of recent changes as an Atom feed.',
  access: 'read',
  writes: false,
  query: z.strictObject(recentFilters),
  responses: { 200: null },
  media_type: 'application/atom+xml',
  errors: [],
});

export const syncManifestEndpoint = defineEndpoint({
  name: 'sync_manifest',
  methods: ['GET'],
  path: '/v1/sync/manifest',
  summary: 'Returns the complete effective view as a flat list, without bodies.',
  access: 'read',
  writes: false,
  query: z.strictObject({}),
  responses: { 200: syncManifest, 304: null },
  errors: [],
});

export const dependents = defineEndpoint({
  name: 'dependents',
  methods: ['GET'],
  path: '/v1/dependents',
  summary:
    'Lists the artifacts that extend, delegate to, or serve through an artifact; with `limit`, a page of them by id.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    id: artifactArgument,
    /** Additions of catalog to the specification. */
    limit: limit.optional().describe('Return a page with at most this many edges.'),
    cursor: cursor.optional(),
  }),
  responses: { 200: dependentsResponse },
  errors: [],
});

export const analyzeDomain = defineEndpoint({
  name: 'domain_analyze',
  methods: ['GET'],
  path: '/v1/domain/analyze',
  summary: 'Analyzes a subtree: sizes, chains, and what to fold or split.',
  access: 'read',
  writes: false,
  query: z.strictObject({ path: domain }),
  responses: { 200: domainAnalysis },
  errors: ['domain.not_found'],
});

export const previewScope = defineEndpoint({
  name: 'scope_preview',
  methods: ['GET'],
  path: '/v1/scope/preview',
  summary: "Returns artifact counts for the caller's effective view.",
  access: 'read',
  writes: false,
  query: z.strictObject({}),
  responses: { 200: scopePreview },
  errors: ['config.scope_preview_disabled'],
});

export const discoveryEndpoints: readonly Endpoint[] = [
  loadDomain,
  searchDomains,
  searchArtifacts,
  catalog,
  recent,
  recentFeed,
  syncManifestEndpoint,
  dependents,
  analyzeDomain,
  previewScope,
];
