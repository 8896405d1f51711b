import { z } from 'zod';
import {
  artifactRecord,
  batchLoadBody,
  batchLoadResponse,
  lineage,
  versionList,
} from '../records/artifact.ts';
import { keySetResponse, signaturesBody, signaturesResponse } from '../records/signature.ts';
import { toRequestedVersion } from '../requested-version.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { artifactArgument, asAdmin, sessionId, text } from './arguments.ts';

const versionArgument = text.default('').transform(toRequestedVersion).meta({
  description: 'A version, a range such as `1.2.x`, or a content hash. Defaults to `latest`.',
});

/** An addition of catalog to the specification: several layers may have the same version of an artifact. */
const layerArgument = text
  .default('')
  .describe('Layer to load from. Defaults to the layer that serves the artifact.');

export const loadArtifact = defineEndpoint({
  name: 'load_artifact',
  methods: ['GET', 'HEAD'],
  path: '/v1/load_artifact',
  summary: 'Loads an artifact with its manifest and bundled files.',
  access: 'read',
  writes: false,
  query: z.strictObject({
    id: artifactArgument,
    version: versionArgument,
    layer: layerArgument,
    session_id: sessionId.optional(),
    as_admin: asAdmin,
  }),
  responses: { 200: artifactRecord, 304: null },
  errors: [
    'registry.not_found',
    'registry.method_not_allowed',
    'auth.forbidden',
    'quota.materialize_rate_exceeded',
  ],
});

/**
 * An addition of catalog to the specification: the page of an artifact as Markdown, for agents and readers without
 * scripts.
 */
export const artifactMarkdown = defineEndpoint({
  name: 'artifact_markdown',
  methods: ['GET', 'HEAD'],
  path: '/v1/artifact.md',
  summary:
    'Returns the text of an artifact as Markdown: `SKILL.md` of a skill, else `ARTIFACT.md`.',
  access: 'read',
  writes: false,
  query: z.strictObject({ id: artifactArgument, version: versionArgument, layer: layerArgument }),
  responses: { 200: null, 304: null },
  media_type: 'text/markdown',
  errors: ['registry.not_found', 'quota.materialize_rate_exceeded'],
});

export const batchLoad = defineEndpoint({
  name: 'batch_load',
  methods: ['POST'],
  path: '/v1/artifacts:batchLoad',
  summary: 'Loads up to 50 artifacts, each with its own result.',
  access: 'read',
  writes: false,
  body: batchLoadBody,
  responses: { 200: batchLoadResponse },
  errors: ['quota.materialize_rate_exceeded'],
});

/** An addition of catalog to the specification. */
export const listVersions = defineEndpoint({
  name: 'list_versions',
  methods: ['GET'],
  path: '/v1/artifacts/versions',
  summary: 'Lists every version of an artifact in the visible layers.',
  access: 'read',
  writes: false,
  query: z.strictObject({ id: artifactArgument }),
  responses: { 200: versionList },
  errors: ['registry.not_found'],
});

/** An addition of catalog to the specification: the chain of `extends`, which served manifests omit. */
export const artifactLineage = defineEndpoint({
  name: 'artifact_lineage',
  methods: ['GET'],
  path: '/v1/artifacts/lineage',
  summary: 'Lists what an artifact extends and the layer that contributes each field.',
  access: 'read',
  writes: false,
  query: z.strictObject({ id: artifactArgument, version: versionArgument, layer: layerArgument }),
  responses: { 200: lineage },
  errors: ['registry.not_found'],
});

export const getObject = defineEndpoint({
  name: 'objects',
  methods: ['GET', 'HEAD'],
  path: '/objects/{key}',
  summary: 'Downloads a large resource by its hash.',
  access: 'read',
  writes: false,
  params: z.strictObject({
    key: text.min(1).describe('SHA-256 in hexadecimal, with or without the prefix `sha256:`.'),
  }),
  responses: { 200: null },
  media_type: 'application/octet-stream',
  errors: ['registry.not_found'],
});

/**
 * Addition to the specification: the ETag of a load is the content hash, so a 304 would hide a signature
 * that was added later.
 */
export const getSignatures = defineEndpoint({
  name: 'signatures',
  methods: ['POST'],
  path: '/v1/signatures',
  summary: 'Returns the signatures of visible versions by their content hashes.',
  access: 'read',
  writes: false,
  body: signaturesBody,
  responses: { 200: signaturesResponse, 304: null },
  errors: [],
});

/** Addition to the specification. Clients that pin no key trust it on first use only. */
export const signingKeys = defineEndpoint({
  name: 'signing_keys',
  methods: ['GET', 'HEAD'],
  path: '/.well-known/catalog-keys.json',
  summary: 'Returns the public keys with which the registry signs versions.',
  access: 'none',
  writes: false,
  responses: { 200: keySetResponse },
  errors: [],
});

export const materializationEndpoints: readonly Endpoint[] = [
  loadArtifact,
  artifactMarkdown,
  batchLoad,
  listVersions,
  artifactLineage,
  getObject,
  getSignatures,
  signingKeys,
];
