import { z } from 'zod';
import { count, timestamp } from './formats.ts';

export const SOURCE_TYPES = ['git', 'local'] as const;
export const GIT_PROVIDERS = ['git-host-a', 'git-host-b', 'git-host-c'] as const;
/** Names that callers may use for the stored ids of git hosts (SPEC-80). */
export const GIT_PROVIDER_NAMES = {
  github: 'git-host-a',
  gitlab: 'git-host-b',
  bitbucket: 'git-host-c',
} as const satisfies Record<string, (typeof GIT_PROVIDERS)[number]>;
export const FORCE_PUSH_POLICIES = ['tolerant', 'strict'] as const;

const names = z.array(z.string()).nullable();

/** A layer, without its tenant and its secret (LAYER-20, LAYER-21). */
export const layer = z.strictObject({
  id: z.string(),
  source_type: z.enum(SOURCE_TYPES),
  repo: z.string().describe('A path on the host is visible to administrators only.'),
  ref: z.string(),
  root: z.string(),
  local_path: z.string().describe('Visible to administrators only; empty for other callers.'),
  order: z.number(),
  user_defined: z.boolean(),
  owner: z.string(),
  public: z.boolean(),
  organization: z.boolean(),
  groups: names,
  users: names,
  git_provider: z.string(),
  force_push_policy: z.enum(FORCE_PUSH_POLICIES).optional(),
  last_ingested_at: timestamp.optional(),
  last_ingested_ref: z.string().optional(),
  /** Addition to the specification. */
  frozen_since: timestamp
    .optional()
    .describe('Time since which a freeze window blocks an ingest; absent if none is blocked.'),
  created_at: timestamp,
  deleted_at: timestamp.nullable(),
});
export type Layer = z.infer<typeof layer>;

const text = z.string().max(4096);
const list = z.array(z.string().max(512)).max(10_000);

export const registerLayerBody = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'use letters, digits, dots, dashes, and underscores',
    ),
  source_type: z.enum(SOURCE_TYPES),
  repo: text.optional(),
  ref: text.optional(),
  root: text.optional(),
  local_path: text.optional(),
  git_provider: text.optional(),
  force_push_policy: z.enum(FORCE_PUSH_POLICIES).optional(),
  owner: text.optional(),
  public: z.boolean().optional(),
  organization: z.boolean().optional(),
  groups: list.nullable().optional(),
  users: list.nullable().optional(),
});
export type RegisterLayerBody = z.infer<typeof registerLayerBody>;

/** Patch of a layer; `id`, `source_type` and `repo` are ignored (LUPD-08, LUPD-09). */
export const updateLayerBody = z.strictObject({
  id: text.optional(),
  source_type: text.optional(),
  repo: text.optional(),
  public: z.boolean().optional(),
  organization: z.boolean().optional(),
  groups: list.nullable().optional(),
  users: list.nullable().optional(),
  ref: text.optional(),
  root: text.optional(),
  local_path: text.optional(),
  owner: text.optional(),
  git_provider: text.optional(),
  force_push_policy: z.union([z.enum(FORCE_PUSH_POLICIES), z.literal('')]).optional(),
  rotate_webhook_secret: z.boolean().optional(),
});
export type UpdateLayerBody = z.infer<typeof updateLayerBody>;

export const reorderLayersBody = z.strictObject({
  order: z.array(z.string().max(128)).max(10_000),
});
export type ReorderLayersBody = z.infer<typeof reorderLayersBody>;

const servedBy = z.strictObject({ layer: z.string(), version: z.string() });

/** An addition of catalog to the specification. */
export const reorderPreview = z.strictObject({
  order: z.array(z.string()).describe('Ids of the visible layers in the new order, lowest first.'),
  changes: z.array(z.strictObject({ id: z.string(), from: servedBy, to: servedBy })),
  truncated: z
    .literal(true)
    .optional()
    .describe('There may be more changes: the layers hold more than the registry compares.'),
});
export type ReorderPreview = z.infer<typeof reorderPreview>;

export const reingestBody = z.strictObject({
  break_glass: z.boolean().optional(),
  justification: text.optional(),
  approvers: z.array(z.string().max(512)).max(100).optional(),
});

export const registeredLayer = z.strictObject({
  layer,
  webhook_url: z.string().optional(),
  webhook_secret: z.string().optional(),
  /** An addition of catalog to the specification. */
  restored_versions: z
    .int()
    .optional()
    .describe(
      'Versions of the removed layer that exact pins load again; absent if there are none.',
    ),
});
export type RegisteredLayer = z.infer<typeof registeredLayer>;

/** An addition of catalog to the specification. */
export const testedSource = z.strictObject({
  reachable: z.literal(true),
  commit: z
    .string()
    .optional()
    .describe('Git commit that `ref` resolves to; absent for a directory.'),
});
export type TestedSource = z.infer<typeof testedSource>;

export const updatedLayer = z.strictObject({ layer, webhook_secret: z.string().optional() });
export type UpdatedLayer = z.infer<typeof updatedLayer>;
export const layerList = z.strictObject({ layers: z.array(layer) });
export type LayerList = z.infer<typeof layerList>;

/** An addition of catalog to the specification. */
export const detailedLayer = layer.extend({
  artifact_count: count
    .optional()
    .describe("Artifacts of the layer; absent if the layer is not in the caller's view."),
  matched_groups: z
    .array(z.string())
    .optional()
    .describe('Those of `groups` that the caller is a member of.'),
  webhook_url: z
    .string()
    .optional()
    .describe('URL for the webhook of a git layer; only for callers who may update the layer.'),
});
export type DetailedLayer = z.infer<typeof detailedLayer>;
export const detailedLayerList = z.strictObject({ layers: z.array(detailedLayer) });
export type DetailedLayerList = z.infer<typeof detailedLayerList>;
export const unregisteredLayer = z.strictObject({ unregistered: z.string(), layer });
export type UnregisteredLayer = z.infer<typeof unregisteredLayer>;
export const restoredLayer = z.strictObject({ restored: z.string(), layer });
export type RestoredLayer = z.infer<typeof restoredLayer>;
