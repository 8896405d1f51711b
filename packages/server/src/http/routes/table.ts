import type { WebUi } from '../../browser/open-web-ui.ts';
import type { TokenSource } from '../../identity/token-source.ts';
import type { Route } from '../route.ts';
import type { ScimAuthority } from '../scim/scim-authority.ts';
import { scimRoutes } from '../scim/scim-routes.ts';
import { webUiRoutes } from './web-ui.ts';
import { discoveryRoutes } from './discovery.ts';
import { materializationRoutes } from './materialization.ts';
import { accessRoutes } from './access.ts';
import { auditRoutes } from './audit.ts';
import { freezeRoutes } from './freeze.ts';
import { healthRoutes, operationsRoutes, metricsRoute, type Measurements } from './operations.ts';
import { layersRoutes } from './layers.ts';
import { purgeRoutes } from './purge.ts';
import { searchIndexRoutes } from './search-index.ts';
import { usageRoutes } from './usage.ts';
import { webhooksRoutes } from './webhooks.ts';
import {
  resourceMetadataRoute,
  sessionRoute,
  signInCallbackRoute,
  signInRoute,
  signOutRoute,
} from './browser.ts';

export interface RouteSources {
  /** Metrics; if undefined, their path returns 404 (OPS-07). */
  measurements?: Measurements | undefined;
  /** Web UI; if undefined, its paths return 404 (UI-10, UI-11). */
  web_ui?: WebUi | undefined;
  token_source?: TokenSource | undefined;
  /** SCIM receiver; if undefined, its paths return 404 (SCIM-03). */
  scim?: ScimAuthority | undefined;
}

const ALWAYS: readonly Route[] = [
  ...discoveryRoutes,
  ...materializationRoutes,
  ...usageRoutes,
  ...layersRoutes,
  ...freezeRoutes,
  ...purgeRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...webhooksRoutes,
  ...searchIndexRoutes,
  ...operationsRoutes,
];

export function allRoutes({ measurements, web_ui, token_source, scim }: RouteSources): Route[] {
  const routes = [...ALWAYS];
  if (measurements !== undefined) routes.push(metricsRoute(measurements));
  if (token_source !== undefined) routes.push(resourceMetadataRoute(token_source));
  if (scim !== undefined) routes.push(...scimRoutes(scim));
  if (web_ui === undefined) return routes;
  const { files, sign_in } = web_ui;
  routes.push(...webUiRoutes(files), sessionRoute(sign_in !== undefined));
  if (sign_in === undefined) return routes;
  return [...routes, signInRoute(sign_in), signInCallbackRoute(sign_in), signOutRoute];
}

export function managementRoutes(measurements: Measurements | undefined): Route[] {
  return measurements === undefined
    ? [...healthRoutes]
    : [...healthRoutes, metricsRoute(measurements)];
}
