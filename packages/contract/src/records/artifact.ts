import { z } from 'zod';
import { errorEnvelope } from '../errors/envelope.ts';
import { toRequestedVersion } from '../requested-version.ts';
import { contentHash, count } from './formats.ts';
import { signatureBundle } from './signature.ts';

export const largeResource = z.strictObject({
  presigned_url: z.string(),
  content_hash: contentHash,
  size: count,
});
export type LargeResource = z.infer<typeof largeResource>;

const servedArtifact = {
  id: z.string(),
  type: z.string(),
  version: z.string(),
  content_hash: contentHash,
  /** Body; empty for a skill without `ARTIFACT.md`, absent if `manifest_body_url` is present. */
  manifest_body: z.string().optional(),
  manifest_body_url: z.string().optional(),
  manifest_body_hash: contentHash.optional(),
  manifest_body_size: count.optional(),
  /** Content of `SKILL.md` for a skill (SPEC-27). */
  skill_body: z.string().optional(),
  skill_body_url: z.string().optional(),
  skill_body_hash: contentHash.optional(),
  skill_body_size: count.optional(),
  executable: z.array(z.string()).optional(),
  layer: z.string(),
  sensitivity: z.enum(['low', 'medium', 'high']).optional(),
  deprecated: z.boolean(),
  replaced_by: z.string().optional(),
  deprecation_warning: z.string().optional(),
  signature: signatureBundle
    .optional()
    .describe('Signature of the registry; absent if the version is not signed.'),
};

/** A loaded artifact (ART-01 to ART-13). */
export const artifactRecord = z.strictObject({
  ...servedArtifact,
  resources: z.record(z.string(), z.string()),
  resources_base64: z.boolean().optional(),
  large_resources: z.record(z.string(), largeResource),
});
export type ArtifactRecord = z.infer<typeof artifactRecord>;

/** Bundled file of a batch item, inline or as a URL (ART-14). */
export const batchResource = z.strictObject({
  path: z.string(),
  content_hash: contentHash,
  size: count,
  inline: z.string().optional(),
  inline_base64: z.boolean().optional(),
  presigned_url: z.string().optional(),
});
export type BatchResource = z.infer<typeof batchResource>;

const okItem = z.strictObject({
  ...servedArtifact,
  status: z.literal('ok'),
  resources: z.array(batchResource),
});

const errorItem = z.strictObject({
  id: z.string(),
  status: z.literal('error'),
  error: errorEnvelope,
});

export const batchItem = z.discriminatedUnion('status', [okItem, errorItem]);
export type BatchItem = z.infer<typeof batchItem>;
export const batchLoadResponse = z.array(batchItem);
export type BatchOkItem = z.infer<typeof okItem>;

export const batchLoadBody = z.strictObject({
  ids: z
    .array(z.string())
    .min(1)
    .max(50)
    .meta({ examples: [['ops/deploy/check']] }),
  session_id: z.string().max(128).optional(),
  harness: z.string().max(128).optional(),
  version_pins: z.record(z.string(), z.string().transform(toRequestedVersion)).optional(),
});
export type BatchLoadBody = z.infer<typeof batchLoadBody>;

const artifactPlace = z.strictObject({ id: z.string(), version: z.string(), layer: z.string() });

/** Chain of parents that the caller can see. An addition of catalog to the specification. */
export const lineage = z.strictObject({
  ...artifactPlace.shape,
  parents: z
    .array(artifactPlace)
    .describe('Parents of the artifact, nearest first, up to one that the caller cannot see.'),
  fields: z
    .array(
      z.strictObject({
        name: z.string().describe('Frontmatter key, or `body`.'),
        from: z
          .array(artifactPlace)
          .min(1)
          .describe('Artifacts that contribute to the value, nearest first.'),
      }),
    )
    .describe('Fields of hidden parents count as fields of the artifact that extends them.'),
});
export type Lineage = z.infer<typeof lineage>;

/** An addition of catalog to the specification. */
export const versionEntry = z.strictObject({
  version: z.string(),
  layer: z.string(),
  content_hash: contentHash,
  deprecated: z.boolean(),
  withdrawn: z.boolean(),
  rolled_back: z
    .boolean()
    .optional()
    .describe('True if the source returned to an earlier version; absent otherwise.'),
  latest: z.boolean(),
  ingested_at: z.iso.datetime(),
  commit: z
    .string()
    .optional()
    .describe('Git commit the version was first read from; absent if unknown or not from git.'),
});
export const versionList = z.strictObject({ id: z.string(), versions: z.array(versionEntry) });
export type VersionList = z.infer<typeof versionList>;
