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
  .describe('How many results at most.');

const scope = path
  .default('')
  .meta({ description: 'Only what lies below this path.', examples: ['ops'] });
const domain = path
  .default('')
  .meta({ description: 'The path of the domain; empty is the root.', examples: ['ops'] });

export const loadDomain = defineEndpoint({
  name: 'load_domain',
  methods: ['GET'],
  path: '/v1/load_domain',
  summary: 'The map of a domain: what lies below it and what is notable in it.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    path: domain,
    depth: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .describe('Levels of subdomains. The registry or the domain may show fewer.'),
    session_id: sessionId.optional(),
  }),
  responses: { 200: domainMap },
  errors: ['domain.not_found'],
});

export const searchDomains = defineEndpoint({
  name: 'search_domains',
  methods: ['GET'],
  path: '/v1/search_domains',
  summary: 'Domains by what their authors say of them.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    query: text.default('').meta({
      description: 'Words to look for. If empty, lists every described domain by path.',
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
  summary: 'Artifacts by words and meaning; without a query, all of them by id.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    query: text.default('').meta({
      description: 'What is looked for, in words of your own; without any, everything by id.',
      examples: ['verify a release'],
    }),
    type: text
      .default('')
      .meta({ description: 'Only artifacts of this type.', examples: ['skill'] }),
    tags: text.default('').describe('Only artifacts with all of these tags, separated by commas.'),
    scope,
    top_k: topK,
    session_id: sessionId.optional(),
    as_admin: asAdmin,
    /** An addition. */
    explain: flag.describe('Tell for each result which words and what similarity put it there.'),
  }),
  responses: { 200: searchResponse },
  errors: ['auth.forbidden', 'quota.search_qps_exceeded'],
});

export const catalog = defineEndpoint({
  name: 'catalog',
  methods: ['GET'],
  path: '/v1/catalog',
  summary: 'Ids and lean descriptors of everything visible.',
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
  summary: 'The whole effective view as a flat list, without bodies.',
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
  summary: 'Who extends, delegates to or serves through an artifact.',
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
  summary: 'How a subtree is shaped: sizes, chains, what to fold or split.',
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
  summary: "Counts over the caller's effective view.",
  access: 'read',
  writes: false,
  query: z.strictObject({}),
  responses: { 200: scopePreview },
  errors: ['config.scope_preview_disabled'],
});
