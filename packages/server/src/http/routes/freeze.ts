import * as endpoints from '@catalog/contract/endpoints/freeze';
import { approveBreakGlass } from '../../registry/freeze/approve-break-glass.ts';
import { getFreezeWindows } from '../../registry/freeze/get-freeze-windows.ts';
import { putFreezeWindows } from '../../registry/freeze/put-freeze-windows.ts';
import { defineRoute, json, type Route } from '../route.ts';

const getFreezeWindowsRoute = defineRoute(
  endpoints.getFreezeWindows,
  async ({ registry, context }) => json(await getFreezeWindows(registry, context)),
);

const putFreezeWindowsRoute = defineRoute(
  endpoints.putFreezeWindows,
  async ({ registry, context, body }) => json(await putFreezeWindows(registry, context, body)),
);

const breakGlassRoute = defineRoute(endpoints.breakGlass, async ({ registry, context, body }) =>
  json(await approveBreakGlass(registry, context, body), 201),
);

export const freezeRoutes: readonly Route[] = [
  getFreezeWindowsRoute,
  putFreezeWindowsRoute,
  breakGlassRoute,
];
