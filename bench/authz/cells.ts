import {
  callers,
  layerClasses,
  modes,
  patches,
  registrations,
  reorders,
  type CallerKind,
  type LayerClass,
  type Mode,
} from './dimensions.ts';
import type { Cell } from './row.ts';

/** The forms in which a route is asked about a layer; `plain` where nothing else is said. */
const ABOUT_LAYERS: Readonly<Record<string, readonly string[]>> = {
  load_domain: ['plain'],
  search_domains: ['plain'],
  search_artifacts: ['plain', 'browse', 'as-admin'],
  catalog: ['plain'],
  sync_manifest: ['plain'],
  dependents: ['plain'],
  domain_analyze: ['plain'],
  scope_preview: ['plain'],
  load_artifact: ['plain', 'head', 'pinned', 'as-admin'],
  batch_load: ['plain'],
  list_versions: ['plain'],
  objects: ['plain', 'head'],
  list_layers: ['plain'],
  list_deleted_layers: ['plain'],
  list_ingests: ['plain'],
  get_ingest: ['plain'],
  unregister_layer: ['plain'],
  restore_layer: ['plain'],
  reingest_layer: ['plain', 'break-glass'],
  ingest_webhook: ['signed', 'forged', 'without-key', 'other-key'],
};

const ABOUT_NOTHING: Readonly<Record<string, readonly string[]>> = {
  search_artifacts: ['malformed'],
  quota: ['plain'],
  events: ['plain'],
  grant_admin: ['plain', 'malformed'],
  revoke_admin: ['plain', 'malformed'],
  list_admins: ['plain'],
  show_effective: ['plain', 'malformed'],
  reembed: ['plain', 'malformed'],
  get_reembed: ['unknown'],
  list_tenants: ['plain'],
  create_tenant: ['plain', 'malformed'],
  update_tenant: ['plain', 'unknown', 'malformed'],
  deactivate_tenant: ['plain', 'unknown'],
  session: ['plain'],
  sign_in: ['plain'],
  sign_in_callback: ['plain'],
  sign_out: ['plain'],
  web_ui: ['plain'],
  web_ui_asset: ['plain'],
  web_ui_root: ['plain'],
  healthz: ['plain'],
  readyz: ['plain'],
  metrics: ['plain'],
  openapi: ['plain'],
  resource_metadata: ['plain'],
  scim_provider: ['plain'],
  scim_schemas: ['plain'],
  scim_schema: ['plain'],
  scim_resource_types: ['plain'],
  scim_resource_type: ['plain'],
  scim_search: ['plain'],
  scim_list_users: ['plain'],
  scim_create_user: ['plain'],
  scim_search_users: ['plain'],
  scim_get_user: ['plain'],
  scim_replace_user: ['plain'],
  scim_patch_user: ['plain'],
  scim_delete_user: ['plain'],
  scim_list_groups: ['plain'],
  scim_create_group: ['plain'],
  scim_search_groups: ['plain'],
  scim_get_group: ['plain'],
  scim_replace_group: ['plain'],
  scim_patch_group: ['plain'],
  scim_delete_group: ['plain'],
};

/** Routes that no cell is about, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {};

/** Every cell of one registry, route by route. */
export function* cellsOf(mode: Mode): Generator<Cell> {
  for (const caller of callers) {
    if (!isMeaningful(mode, caller)) continue;
    for (const [route, variants] of Object.entries(ABOUT_NOTHING)) {
      for (const variant of variants) yield { mode, caller, route, variant, layer: undefined };
    }
    for (const layer of layerClasses) yield* cellsAbout(mode, caller, layer);
  }
}

function* cellsAbout(mode: Mode, caller: CallerKind, layer: LayerClass): Generator<Cell> {
  const about = { mode, caller, layer };
  for (const [route, variants] of Object.entries(ABOUT_LAYERS)) {
    for (const variant of variants) yield { ...about, route, variant };
  }
  for (const registration of registrations) {
    yield { ...about, route: 'register_layer', variant: registration.name, registration };
  }
  for (const patch of patches) {
    // A folder has no deliveries whose secret could be changed.
    if (patch === 'rotate_webhook_secret' && layer.source === 'local') continue;
    yield { ...about, route: 'update_layer', variant: patch, patch };
  }
  for (const reorder of reorders) {
    yield { ...about, route: 'reorder_layers', variant: reorder, reorder };
  }
}

/** Callers that a registry cannot be sent, or not tell from another: left out. */
function isMeaningful({ provider }: Mode, { name, credential }: CallerKind): boolean {
  // Headers do not expire and are for nobody in particular.
  if (provider === 'trusted-headers')
    return credential !== 'expired' && credential !== 'other-audience';
  if (provider === 'none' || provider === 'public') return OPENLY.includes(name);
  return true;
}

const OPENLY: readonly string[] = [
  'admin',
  'owner',
  'anonymous',
  'forged',
  'same-origin-browser',
  'cross-site-browser',
];

export function allCells(): Cell[] {
  return modes.flatMap((mode) => [...cellsOf(mode)]);
}

/** A cell as a person names it. */
export function nameOf({ mode, caller, route, variant, layer }: Cell): string {
  return `${mode.name} ${caller.name} ${route}:${variant} ${layer?.name ?? ''}`.trimEnd();
}
