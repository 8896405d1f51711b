import type {
  previewReorder,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  testSource,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import type { RegisterLayerBody, UpdateLayerBody } from '@catalog/contract/records/layer';
import { call } from './call.ts';

export const changes = {
  registerLayer: (body: RegisterLayerBody) =>
    call<typeof registerLayer>('POST', '/v1/layers', { body }),
  /** Tests the source of a layer without registering it. */
  testSource: (body: RegisterLayerBody) =>
    call<typeof testSource>('POST', '/v1/layers/test', { body }),
  updateLayer: ({ id, body }: { id: string; body: UpdateLayerBody }) =>
    call<typeof updateLayer>('POST', '/v1/layers/update', { query: { id }, body }),
  removeLayer: (id: string) =>
    call<typeof unregisterLayer>('DELETE', '/v1/layers', { query: { id } }),
  restoreLayer: (id: string) =>
    call<typeof restoreLayer>('POST', '/v1/layers/restore', { query: { id } }),
  reorderLayers: (order: string[]) =>
    call<typeof reorderLayers>('POST', '/v1/layers/reorder', { body: { order } }),
  /** Lists what another order of layers would serve, without changing it. */
  previewReorder: (order: string[], signal: AbortSignal) =>
    call<typeof previewReorder>('POST', '/v1/layers/reorder/preview', { body: { order }, signal }),
  /** Queues an ingest, and returns as soon as the job exists. */
  reingestLayer: (id: string) =>
    call<typeof reingestLayer>('POST', '/v1/layers/reingest', { query: { id, wait: 'false' } }),
};

/** First parts of the query keys that depend on layers. */
export const LAYER_KEYS: readonly string[] = [
  'layers',
  'ingests',
  'scope',
  'domain',
  'domain-search',
  'recent',
  'search',
  'deprecated',
  'artifact',
  'dependents',
  'lineage',
  'popular',
  'usage',
  'versions',
];
