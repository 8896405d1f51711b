import * as discovery from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import * as layers from './layers.ts';
import * as materialization from './materialization.ts';
import * as operations from './operations.ts';

/** Routes that belong together. */
export interface EndpointGroup {
  name: string;
  summary: string;
  endpoints: readonly Endpoint[];
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    name: 'discovery',
    summary: 'What there is: domains, search, lists.',
    endpoints: Object.values(discovery),
  },
  {
    name: 'materialization',
    summary: 'The artifacts themselves.',
    endpoints: Object.values(materialization),
  },
  {
    name: 'layers',
    summary: 'Where artifacts come from, and their ingests.',
    endpoints: Object.values(layers),
  },
  {
    name: 'operations',
    summary: 'Events, health, measurements.',
    endpoints: Object.values(operations),
  },
];

/** Every route of the registry. */
export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((group) => group.endpoints);
