import * as endpoints from '@catalog/contract/endpoints/layers';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { acceptDelivery } from '../../registry/ingest/accept-delivery.ts';
import { getIngest } from '../../registry/layers/get-ingest.ts';
import { listIngests } from '../../registry/layers/list-ingests.ts';
import { listLayers } from '../../registry/layers/list-layers.ts';
import { previewReorder } from '../../registry/layers/preview-reorder.ts';
import { registerLayer } from '../../registry/layers/register-layer.ts';
import { reingestLayer } from '../../registry/layers/reingest-layer.ts';
import { reorderLayers } from '../../registry/layers/reorder-layers.ts';
import { restoreLayer } from '../../registry/layers/restore-layer.ts';
import { testSource } from '../../registry/layers/test-source.ts';
import { unregisterLayer } from '../../registry/layers/unregister-layer.ts';
import { updateLayer } from '../../registry/layers/update-layer.ts';
import { defineRoute, json, type Route } from '../route.ts';

const registerLayerRoute = defineRoute(
  endpoints.registerLayer,
  async ({ registry, context, body }) => json(await registerLayer(registry, context, body), 201),
);

const testSourceRoute = defineRoute(endpoints.testSource, async ({ registry, context, body }) =>
  json(await testSource(registry, context, body)),
);

const listLayersRoute = defineRoute(endpoints.listLayers, async ({ registry, context, query }) =>
  json(
    await listLayers(registry, context, {
      deleted: query.deleted === 'true' || query.deleted === '1',
      details: query.details,
    }),
  ),
);

const unregisterLayerRoute = defineRoute(
  endpoints.unregisterLayer,
  async ({ registry, context, query }) => json(await unregisterLayer(registry, context, query)),
);

const updateLayerRoute = defineRoute(
  endpoints.updateLayer,
  async ({ registry, context, query, body }) =>
    json(await updateLayer(registry, context, { id: query.id, patch: body })),
);

const restoreLayerRoute = defineRoute(
  endpoints.restoreLayer,
  async ({ registry, context, query }) => json(await restoreLayer(registry, context, query)),
);

const reorderLayersRoute = defineRoute(
  endpoints.reorderLayers,
  async ({ registry, context, body }) => json(await reorderLayers(registry, context, body)),
);

const previewReorderRoute = defineRoute(
  endpoints.previewReorder,
  async ({ registry, context, body }) => json(await previewReorder(registry, context, body)),
);

const reingestLayerRoute = defineRoute(
  endpoints.reingestLayer,
  async ({ registry, context, query, body }) => {
    const answer = await reingestLayer(registry, context, {
      id: query.id,
      wait: query.wait === 'true',
      break_glass: body?.break_glass,
      justification: body?.justification,
      approvers: body?.approvers,
    });
    return answer.kind === 'queued' ? json(answer.accepted, 202) : json(answer.report);
  },
);

const listIngestsRoute = defineRoute(endpoints.listIngests, async ({ registry, context, query }) =>
  json(await listIngests(registry, context, query)),
);

const getIngestRoute = defineRoute(endpoints.getIngest, async ({ registry, context, params }) =>
  json(await getIngest(registry, context, params)),
);

const ingestWebhookRoute = defineRoute(endpoints.ingestWebhook, async (call) => {
  const { registry, context, params, query } = call;
  const accepted = await acceptDelivery(registry, context, {
    layer: params.layer,
    key: query.key,
    header: (name) => call.header(name),
    readBody: () => call.readBytes(REQUEST_BODY_MAX_BYTES),
  });
  return json(accepted, 202);
});

export const layersRoutes: readonly Route[] = [
  registerLayerRoute,
  testSourceRoute,
  listLayersRoute,
  unregisterLayerRoute,
  updateLayerRoute,
  restoreLayerRoute,
  reorderLayersRoute,
  previewReorderRoute,
  reingestLayerRoute,
  listIngestsRoute,
  getIngestRoute,
  ingestWebhookRoute,
];
