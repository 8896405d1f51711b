import { reingestLayer as endpoint } from '@catalog/contract/endpoints/layers';
import { reingestLayer } from '../../registry/layers/reingest-layer.ts';
import { defineRoute, json } from '../route.ts';

export const reingestLayerRoute = defineRoute(
  endpoint,
  async ({ registry, context, query, body }) => {
    const answer = await reingestLayer(registry, context, {
      id: query.id,
      wait: query.wait === 'true',
      break_glass: body?.break_glass,
      justification: body?.justification,
    });
    return answer.kind === 'queued' ? json(answer.accepted, 202) : json(answer.report);
  },
);
