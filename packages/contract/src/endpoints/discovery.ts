import { z } from 'zod';
import { TOP_K_DEFAULT, TOP_K_MAX } from '../limits.ts';
import {
  catalogResponse,
  dependentsResponse,
  domainAnalysis,
  domainMap,
  domainSearchResponse,
  scopePreview,
  searchResponse,
  syncManifest,
} from '../records/discovery.ts';
import { defineEndpoint } from './endpoint.ts';
import { artifactArgument, asAdmin, flag, path, sessionId, text } from './arguments.ts';

const topK = z.coerce
  .number()
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

export const loadDomain = defineEndpoint({
  name: 'load_domain',
  methods: ['GET'],
  path: '/v1/load_domain',
  summary: 'Returns the map of a domain: its subdomains and notable artifacts.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    path: domain,
    depth: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .describe(
        'Levels of subdomains to return. The registry or the domain may limit this further.',
      ),
    session_id: sessionId.optional(),
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
    type: text
      .default('')
      .meta({ description: 'Return only artifacts of this type.', examples: ['skill'] }),
    tags: text
      .default('')
      .describe('Return only artifacts that have all of these tags, separated by commas.'),
    scope,
    top_k: topK,
    session_id: sessionId.optional(),
    as_admin: asAdmin,
    /** An addition. */
    explain: flag.describe('Include the matched words and the similarity that ranked each result.'),
  }),
  responses: { 200: searchResponse },
  errors: ['auth.forbidden', 'quota.search_qps_exceeded'],
});

export const catalog = defineEndpoint({
  name: 'catalog',
  methods: ['GET'],
  path: '/v1/catalog',
  summary: 'Lists the ids and short descriptors of every visible artifact.',
  access: 'read',
  writes: false,
  query: z.strictObject({ scope }),
  responses: { 200: catalogResponse, 304: null },
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
  summary: 'Lists the artifacts that extend, delegate to, or serve through an artifact.',
  access: 'read',
  writes: false,
  query: z.strictObject({ id: artifactArgument }),
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
