import { z } from 'zod';
import { contentHash, count, timestamp } from './formats.ts';

/** Explanation of a result, returned with `explain=true`. An addition of catalog to the specification. */
export const searchExplanation = z.strictObject({
  /** Matching terms of the query, each with the stemmed form or its synonym: `kubernetes (kubern)`. */
  terms: z.array(z.string()),
  /** Score of the words, from 0 to 1: BM25 divided by the maximum of the query. */
  lexical: z.number(),
  /** Cosine similarity to the query; null without a vector or if the vector search failed. */
  similarity: z.number().nullable(),
  layer: z.string(),
  /** An addition of catalog to the specification. */
  fields: z
    .array(z.enum(['id', 'name', 'description', 'tags', 'when_to_use']))
    .optional()
    .describe('Fields that contain a matched word; empty if only the meaning matched.'),
});
export type SearchExplanation = z.infer<typeof searchExplanation>;

export const searchResult = z.strictObject({
  id: z.string(),
  type: z.string(),
  version: z.string(),
  score: z.number(),
  /** Frontmatter with its delimiters; absent if it must not be shown (SEARCH-15, SEARCH-16). */
  frontmatter: z.string().optional(),
  description: z.string(),
  tags: z.array(z.string()),
  sensitivity: z.enum(['low', 'medium', 'high']).optional(),
  explanation: searchExplanation.optional(),
  /**
   * True for a deprecated artifact, which only a query for its exact id finds (SPEC-97). An addition of catalog to the
   * specification.
   */
  deprecated: z
    .literal(true)
    .optional()
    .describe('The artifact is deprecated; the query is its id.'),
  /** Returned with `facets`, `offset`, `layer` or `harness`. An addition of catalog to the specification. */
  layer: z.string().optional().describe('Layer that serves the artifact.'),
  updated_at: timestamp.optional().describe('Time of the ingest that stored this version.'),
});
export type SearchResult = z.infer<typeof searchResult>;

const facet = z.record(z.string(), count);

/** Number of results with one more filter value. An addition of catalog to the specification. */
export const searchFacets = z.strictObject({
  results: count.describe('Matches that were counted.'),
  estimated: z
    .literal(true)
    .optional()
    .describe('Not every match was counted: each count is a lower bound.'),
  type: facet,
  tag: facet,
  layer: facet,
  domain: facet.describe('Counts by top-level domain, and by chosen scope.'),
});
export type SearchFacets = z.infer<typeof searchFacets>;

export const searchResponse = z.strictObject({
  query: z.string(),
  total_matched: count,
  total_estimated: z
    .literal(true)
    .optional()
    .describe('Candidates were cut: `total_matched` is a lower bound (SPEC-97).'),
  /** True if the vector search failed, so that only words were matched (SPEC-26). */
  degraded: z.literal(true).optional(),
  /**
   * True if the registry has no embeddings, so that only words were matched. An addition of catalog to the
   * specification.
   */
  words_only: z.literal(true).optional(),
  results: z.array(searchResult),
  /** Returned with `facets=true`. An addition of catalog to the specification. */
  facets: searchFacets.optional(),
});
export type SearchResponse = z.infer<typeof searchResponse>;

export const domainSearchResult = z.strictObject({
  path: z.string(),
  name: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  score: z.number(),
});

export const domainSearchResponse = z.strictObject({
  query: z.string(),
  total_matched: count,
  /** True if the vector search failed, so that only words were matched (SPEC-26). */
  degraded: z.literal(true).optional(),
  /**
   * True if the registry has no embeddings, so that only words were matched. An addition of catalog to the
   * specification.
   */
  words_only: z.literal(true).optional(),
  domains: z.array(domainSearchResult),
});
export type DomainSearchResponse = z.infer<typeof domainSearchResponse>;

const artifactCount = count.optional().describe('Visible artifacts directly in the domain.');
const recursiveCount = count.optional().describe('Visible artifacts in the domain and below it.');

/** Subdomain with its own subdomains, up to the requested depth. */
export interface Subdomain {
  path: string;
  name: string;
  description: string;
  artifact_count?: number | undefined;
  recursive_count?: number | undefined;
  subdomains?: Subdomain[] | undefined;
}
export const subdomain: z.ZodType<Subdomain> = z.strictObject({
  path: z.string(),
  name: z.string(),
  description: z.string(),
  /** Returned with `counts=true`. Additions of catalog to the specification. */
  artifact_count: artifactCount,
  recursive_count: recursiveCount,
  get subdomains() {
    return z.array(subdomain).optional();
  },
});

export const notable = z.strictObject({
  id: z.string(),
  type: z.string(),
  summary: z.string(),
  source: z.string(),
  folded_from: z.string().optional(),
  version: z.string(),
  tags: z.array(z.string()),
});

/** An addition of catalog to the specification. */
const nextCursor = z
  .string()
  .optional()
  .describe('Value of `cursor` for the next page; absent on the last page.');

/** An addition of catalog to the specification. */
export const artifactEntry = z.strictObject({
  id: z.string(),
  type: z.string(),
  summary: z.string(),
  version: z.string(),
  layer: z.string(),
  tags: z.array(z.string()),
  deprecated: z.boolean(),
  updated_at: timestamp.describe('Time of the ingest that stored this version.'),
});
export type ArtifactEntry = z.infer<typeof artifactEntry>;

export const domainMap = z.strictObject({
  path: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  subdomains: z.array(subdomain),
  notable: z.array(notable),
  note: z.string().optional(),
  /** Returned with `counts=true`. Additions of catalog to the specification. */
  artifact_count: artifactCount,
  recursive_count: recursiveCount,
  /** Returned with `limit`. Additions of catalog to the specification. */
  artifacts: z
    .array(artifactEntry)
    .optional()
    .describe('Artifacts of the domain: those in it and those it imports.'),
  next_cursor: nextCursor,
});
export type DomainMapRecord = z.infer<typeof domainMap>;

export const catalogResponse = z.strictObject({
  ids: z.array(z.string()),
  artifacts: z.array(
    artifactEntry.partial({
      version: true,
      layer: true,
      tags: true,
      deprecated: true,
      updated_at: true,
    }),
  ),
  next_cursor: nextCursor,
});
export type CatalogResponse = z.infer<typeof catalogResponse>;

/** An addition of catalog to the specification. */
export const recentResponse = z.strictObject({
  artifacts: z.array(artifactEntry),
  next_cursor: nextCursor,
});
export type RecentResponse = z.infer<typeof recentResponse>;

export const manifestEntry = z.strictObject({
  id: z.string(),
  type: z.string(),
  version: z.string(),
  layer: z.string(),
  content_hash: contentHash,
  deprecated: z.boolean(),
});
export type ManifestEntry = z.infer<typeof manifestEntry>;

/** Artifact in a visible layer that an ingest rejected (SPEC-48). */
export const manifestRejection = z.strictObject({
  artifact_id: z.string(),
  layer: z.string(),
  type: z.string().optional(),
  code: z.string(),
  reason: z.string(),
});
export type ManifestRejection = z.infer<typeof manifestRejection>;

/** Policy of a registry for executable content. It can only make the policy of a consumer stricter. */
export const announcedContentRule = z.strictObject({
  policy: z.enum(['ask', 'deny']),
  layer: z.string().optional(),
  kinds: z.array(z.string()).optional(),
});
export type AnnouncedContentRule = z.infer<typeof announcedContentRule>;

export const syncManifest = z.strictObject({
  artifacts: z.array(manifestEntry),
  rejected: z.array(manifestRejection),
  /** Policy for executable content; absent if there is none. An addition of catalog to the specification. */
  executable_content: z
    .array(announcedContentRule)
    .optional()
    .describe('Executable content policy that consumers apply in addition to their own.'),
  /** Addition to the specification. */
  signing: z
    .strictObject({ key_set: z.int().describe('Version of the key set.') })
    .optional()
    .describe('Present if the registry signs every version.'),
});
export type SyncManifest = z.infer<typeof syncManifest>;

export const dependentsResponse = z.strictObject({
  edges: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      kind: z.string(),
      /** True if the parent has a newer version than the one the child was merged with (SPEC-23). */
      stale: z.literal(true).optional(),
    }),
  ),
  next_cursor: nextCursor,
});
export type DependentsResponse = z.infer<typeof dependentsResponse>;

const candidate = z.strictObject({ path: z.string(), reason: z.string() });

export const domainAnalysis = z.strictObject({
  path: z.string(),
  artifact_count: count,
  recursive_count: count,
  child_count: count,
  passthrough_chain_length: count,
  tag_cluster_entropy: z.number(),
  fold_candidates: z.array(candidate),
  split_candidates: z.array(candidate),
  children: z.array(z.strictObject({ path: z.string(), recursive_count: count })),
});
export type DomainAnalysis = z.infer<typeof domainAnalysis>;

export const scopePreview = z.strictObject({
  layers: z.array(z.string()),
  artifact_count: count,
  by_type: z.record(z.string(), count),
  by_sensitivity: z.strictObject({ low: count, medium: count, high: count }),
});
export type ScopePreview = z.infer<typeof scopePreview>;
