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
import { healthRoutes, operationsRoutes, metricsRoute, type Measurements } from './operations.ts';
import { layersRoutes } from './layers.ts';
import { searchIndexRoutes } from './search-index.ts';
import { webhooksRoutes } from './webhooks.ts';
import {
  resourceMetadataRoute,
  sessionRoute,
  signInCallbackRoute,
  signInRoute,
  signOutRoute,
} from './browser.ts';

/** What some routes serve beside the registry itself. */
export interface RouteSources {
  /** Absent where metrics are switched off: the path is then like any other nobody serves (OPS-07). */
  measurements?: Measurements | undefined;
  /** Absent where the web UI is not served; its paths are then like any other, too (UI-10, UI-11). */
  web_ui?: WebUi | undefined;
  /** Absent where no issuer's tokens are taken. */
  token_source?: TokenSource | undefined;
  /** Absent where no directory may push; its paths are then like any other (SCIM-03). */
  scim?: ScimAuthority | undefined;
}

const ALWAYS: readonly Route[] = [
  ...discoveryRoutes,
  ...materializationRoutes,
  ...layersRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...webhooksRoutes,
  ...searchIndexRoutes,
  ...operationsRoutes,
];

/** Every route of the registry. */
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

/** Routes of the management listener. */
export function managementRoutes(measurements: Measurements | undefined): Route[] {
  return measurements === undefined
    ? [...healthRoutes]
    : [...healthRoutes, metricsRoute(measurements)];
}
