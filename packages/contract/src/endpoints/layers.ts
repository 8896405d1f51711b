import { z } from 'zod';
import { acceptedIngest, ingestJob, ingestJobs, ingestReport } from '../records/ingest.ts';
import {
  detailedLayerList,
  layerList,
  registeredLayer,
  registerLayerBody,
  reingestBody,
  reorderPreview,
  reorderLayersBody,
  restoredLayer,
  testedSource,
  unregisteredLayer,
  updatedLayer,
  updateLayerBody,
} from '../records/layer.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';
import { flag, text } from './arguments.ts';

const layerId = text.min(1).meta({ description: 'Layer id.', examples: ['product'] });
const byId = z.strictObject({ id: layerId });

export const registerLayer = defineEndpoint({
  name: 'register_layer',
  methods: ['POST'],
  path: '/v1/layers',
  summary: 'Registers a layer, or replaces the layer with that id.',
  access: 'layer_write',
  writes: true,
  body: registerLayerBody,
  responses: { 201: registeredLayer },
  errors: [
    'auth.forbidden',
    'quota.layer_count_exceeded',
    'quota.audit_volume_exceeded',
    'ingest.frozen',
  ],
});

/** An addition of catalog to the specification. */
export const testSource = defineEndpoint({
  name: 'test_source',
  methods: ['POST'],
  path: '/v1/layers/test',
  summary: 'Checks that the source of a layer can be reached, without registering the layer.',
  access: 'layer_write',
  writes: true,
  body: registerLayerBody,
  responses: { 200: testedSource },
  errors: ['auth.forbidden', 'ingest.source_unreachable', 'quota.source_test_rate_exceeded'],
});

export const listLayers = defineEndpoint({
  name: 'list_layers',
  methods: ['GET'],
  path: '/v1/layers',
  summary:
    'Lists the layers the caller can see; with `deleted=true`, those that can still be restored.',
  access: 'layer_list',
  writes: false,
  query: z.strictObject({
    deleted: z
      .enum(['true', 'false', '1', '0', ''])
      .default('')
      .describe('Return soft-deleted layers instead of live ones.'),
    /** An addition of catalog to the specification. */
    details: flag.describe(
      'Include the artifact count, the groups of the caller and the webhook URL of live layers.',
    ),
  }),
  responses: { 200: detailedLayerList },
  errors: [],
});

export const unregisterLayer = defineEndpoint({
  name: 'unregister_layer',
  methods: ['DELETE'],
  path: '/v1/layers',
  summary: 'Soft-deletes a layer and its artifacts.',
  access: 'layer_write',
  writes: true,
  query: byId,
  responses: { 200: unregisteredLayer },
  errors: ['registry.not_found', 'auth.forbidden'],
});

export const updateLayer = defineEndpoint({
  name: 'update_layer',
  methods: ['POST', 'PUT'],
  path: '/v1/layers/update',
  summary: 'Updates fields of a layer.',
  access: 'layer_write',
  writes: true,
  query: byId,
  body: updateLayerBody,
  responses: { 200: updatedLayer },
  errors: ['registry.not_found', 'auth.forbidden', 'quota.audit_volume_exceeded', 'ingest.frozen'],
});

export const restoreLayer = defineEndpoint({
  name: 'restore_layer',
  methods: ['POST'],
  path: '/v1/layers/restore',
  summary: 'Restores a soft-deleted layer and its artifacts.',
  access: 'layer_write',
  writes: true,
  query: byId,
  responses: { 200: restoredLayer },
  errors: [
    'registry.not_found',
    'auth.forbidden',
    'quota.layer_count_exceeded',
    'quota.artifact_count_exceeded',
    'quota.audit_volume_exceeded',
    'ingest.frozen',
  ],
});

export const reorderLayers = defineEndpoint({
  name: 'reorder_layers',
  methods: ['POST'],
  path: '/v1/layers/reorder',
  summary: 'Reorders the named layers.',
  access: 'layer_reorder',
  writes: true,
  body: reorderLayersBody,
  responses: { 200: layerList },
  errors: ['auth.forbidden', 'quota.audit_volume_exceeded', 'ingest.frozen'],
});

/** An addition of catalog to the specification. */
export const previewReorder = defineEndpoint({
  name: 'preview_reorder',
  methods: ['POST'],
  path: '/v1/layers/reorder/preview',
  summary: "Lists the artifacts another layer would serve after a reorder, in the caller's view.",
  access: 'layer_reorder',
  writes: false,
  body: reorderLayersBody,
  responses: { 200: reorderPreview },
  errors: ['auth.forbidden'],
});

export const reingestLayer = defineEndpoint({
  name: 'reingest_layer',
  methods: ['POST'],
  path: '/v1/layers/reingest',
  summary: 'Re-ingests a layer from its source and returns the result.',
  access: 'layer_write',
  writes: true,
  query: z.strictObject({
    id: layerId,
    wait: z
      .enum(['true', 'false'])
      .default('true')
      .describe('`false` returns the job immediately.'),
  }),
  body: reingestBody,
  body_optional: true,
  responses: { 200: ingestReport, 202: acceptedIngest },
  errors: [
    'registry.not_found',
    'auth.forbidden',
    'ingest.frozen',
    'ingest.immutable_violation',
    'ingest.lint_failed',
    'ingest.source_unreachable',
    'ingest.history_rewritten',
    'ingest.resource_store_failed',
    'quota.audit_volume_exceeded',
  ],
});

export const listIngests = defineEndpoint({
  name: 'list_ingests',
  methods: ['GET'],
  path: '/v1/layers/ingests',
  summary: 'Lists the past and running ingests of a layer, newest first.',
  access: 'layer_list',
  writes: false,
  query: z.strictObject({
    id: text.default('').describe('Layer id; empty for every layer.'),
  }),
  responses: { 200: ingestJobs },
  errors: ['registry.not_found'],
});

export const getIngest = defineEndpoint({
  name: 'get_ingest',
  methods: ['GET'],
  path: '/v1/ingests/{job}',
  summary: 'Returns an ingest job with its progress and report.',
  access: 'layer_list',
  writes: false,
  params: z.strictObject({
    job: text.min(1).describe('Job id from the response that started the ingest.'),
  }),
  responses: { 200: ingestJob },
  errors: ['registry.not_found'],
});

export const ingestWebhook = defineEndpoint({
  name: 'ingest_webhook',
  methods: ['POST'],
  path: '/v1/ingest/webhook/{layer}',
  summary: "Receives a webhook delivery from a layer's git host.",
  access: 'none',
  writes: true,
  params: z.strictObject({ layer: layerId }),
  query: z.strictObject({
    key: text.default('').describe("Opaque part of the layer's webhook URL."),
  }),
  responses: { 202: acceptedIngest },
  errors: ['ingest.webhook_invalid', 'registry.not_found', 'auth.forbidden'],
});

export const layersEndpoints: readonly Endpoint[] = [
  registerLayer,
  testSource,
  listLayers,
  updateLayer,
  unregisterLayer,
  restoreLayer,
  reorderLayers,
  previewReorder,
  reingestLayer,
  listIngests,
  getIngest,
  ingestWebhook,
];
