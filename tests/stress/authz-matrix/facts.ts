import { OWNER, type CallerKind, type LayerClass, type Mode, type Patch } from './dimensions.ts';
import type { Registration } from './dimensions.ts';
import { ROUTES } from './routes.ts';
import type { Cell, Facts } from './decision-rule.ts';

export function factsOf(cell: Cell): Facts {
  const { mode, caller, layer, route, variant } = cell;
  const abroad =
    mode.tenancy === 'multi' && caller.organization === 'abroad' && classOf(route) !== 'free';
  // Another tenant has none of this tenant's layers.
  const stored = layer === undefined || abroad ? 'absent' : storedState(route, layer);
  const there = stored === 'absent' ? undefined : layer;
  const verdict = authenticationResult(mode, caller);
  // SPEC-12; proxy headers carry no scopes.
  const narrowed = caller.scope !== undefined && mode.provider !== 'trusted-headers' ? 'yes' : 'no';
  return {
    route,
    variant,
    class: classOf(route),
    changes: ROUTES[route]?.changes === true ? 'yes' : 'no',
    gated: ['layer_write', 'reorder'].includes(classOf(route)) ? 'yes' : 'no',
    lists: classOf(route) === 'layer_list' ? 'yes' : 'no',
    override: variant === 'as-admin' ? 'yes' : 'no',
    site: caller.browser === undefined || caller.browser === 'same-origin' ? 'same' : 'cross',
    provider: mode.provider,
    tenancy: mode.tenancy,
    open_writes: mode.open_writes ?? 'allow',
    credential: caller.credential,
    organization: caller.organization,
    verdict,
    narrowed,
    admin:
      verdict === 'subject' && narrowed === 'no' && isAdmin(mode, caller, abroad) ? 'yes' : 'no',
    operator: verdict === 'subject' && narrowed === 'no' && caller.operator === true ? 'yes' : 'no',
    malformed: variant === 'malformed' ? 'yes' : 'no',
    swept: layer?.state === 'expired' && !abroad ? 'yes' : 'no',
    there: existsForRoute(route, stored) ? 'yes' : 'no',
    addressed: stored === 'live' && isAddress(cell) ? 'yes' : 'no',
    stored: asListed(route, stored),
    ...layerFacts(there, mode, caller),
    ...bodyFacts(cell, there, abroad),
  };
}

/**
 * True if the layer exists for the route. A registration replaces a layer in either state, a
 * restore needs a deleted layer, and all other routes need a live one.
 */
function existsForRoute(route: string, stored: string): boolean {
  if (route === 'register_layer') return stored !== 'absent';
  return stored === (route === 'restore_layer' ? 'deleted' : 'live');
}

/** True if the URL identifies a layer: by its key, or by its id if only one tenant can have it. */
function isAddress({ variant, mode }: Cell): boolean {
  if (variant === 'other-key') return false;
  return variant !== 'without-key' || mode.tenancy === 'single';
}

/** Omits live layers from the list of deleted ones; ingests include both. */
function asListed(route: string, stored: string): string {
  if (stored === 'absent') return stored;
  if (route === 'list_ingests' || route === 'get_ingest') return 'live';
  if (route !== 'list_deleted_layers') return stored;
  return stored === 'live' ? 'deleted' : 'live';
}

function classOf(route: string): string {
  return ROUTES[route]?.class ?? 'unknown';
}

/**
 * Returns the stored state. After its retention window, a layer counts as absent; its ingests are
 * listed until the sweep.
 */
function storedState(route: string, { state }: LayerClass): string {
  if (state !== 'expired') return state;
  return route === 'list_ingests' ? 'deleted' : 'absent';
}

function isAdmin(
  { tenancy }: Mode,
  { organization, admin_of }: CallerKind,
  abroad: boolean,
): boolean {
  const isServed = tenancy === 'single' || organization === 'home' || organization === 'abroad';
  return isServed && admin_of === (abroad ? 'abroad' : 'home');
}

/** Returns the result of authentication (SPEC-3, SPEC-4 and SPEC-58). */
function authenticationResult({ provider }: Mode, { credential, directory }: CallerKind): string {
  if (provider === 'none' || provider === 'public' || credential === 'none') return 'anonymous';
  if (provider === 'trusted-headers' && credential !== 'good') return 'anonymous';
  if (credential !== 'good') return 'refused';
  return directory?.active === false ? 'anonymous' : 'subject';
}

function layerFacts(layer: LayerClass | undefined, { provider }: Mode, caller: CallerKind): Facts {
  if (layer === undefined) return {};
  const groups = [...caller.groups, ...(caller.directory?.groups ?? [])];
  // SPEC-78: an entry with `@` matches only an email address that the token or the proxy has
  // verified.
  const isVerified = provider === 'trusted-headers' || caller.email_verified === true;
  const email = isVerified && caller.email.includes('@') ? caller.email : '';
  const names = [caller.subject, email].filter((name) => name !== '');
  return {
    stored_class: layer.defined,
    stored_source: layer.source,
    is_owner: layer.owner === caller.subject ? 'yes' : 'no',
    stored_names_path: ['local', 'file'].includes(layer.source) ? 'yes' : 'no',
    axis_public: layer.public ? 'yes' : 'no',
    axis_organization: layer.organization ? 'yes' : 'no',
    axis_group: layer.groups.some((group) => groups.includes(group)) ? 'yes' : 'no',
    axis_user: layer.users.some((user) => names.includes(user)) ? 'yes' : 'no',
  };
}

const RECLASSIFYING: readonly string[] = [
  'local_path-and-public',
  'public',
  'organization',
  'groups',
  'users',
  'empty-users',
  'owner',
];

function bodyFacts(cell: Cell, stored: LayerClass | undefined, abroad: boolean): Facts {
  const { registration, patch, reorder, layer, caller, mode } = cell;
  if (registration !== undefined) {
    return {
      body_names_path: ['local', 'file', 'path'].includes(registration.source) ? 'yes' : 'no',
      asserts: setsAdminField(registration, mode) ? 'yes' : 'no',
      malformed: registration.malformed === true ? 'yes' : 'no',
      replaces: replaces(registration, cell, stored) ? 'yes' : 'no',
    };
  }
  if (patch !== undefined) {
    const local = stored?.source === 'local';
    return {
      body_names_path: patch.startsWith('local_path') ? 'yes' : 'no',
      reads_again: patch === 'ref' || patch === 'root' ? 'yes' : 'no',
      reclassifies: RECLASSIFYING.includes(patch) ? 'yes' : 'no',
      stores: storesNothing(patch, stored) ? 'no' : 'yes',
      malformed: patch === 'unknown-provider' || (patch === 'git_provider' && local) ? 'yes' : 'no',
    };
  }
  if (reorder === undefined) return {};
  const writable = (named: LayerClass | undefined): boolean =>
    named?.state === 'live' &&
    (mode.provider === 'none' ||
      mode.provider === 'public' ||
      (caller.admin_of === 'home' && !abroad) ||
      (named.defined === 'user' && named.owner === caller.subject));
  if (reorder === 'nothing') return { names: 'none' };
  if (!writable(stored)) return { names: 'unknown' };
  if (reorder === 'twice') return { names: 'twice' };
  if (reorder === 'alone') return { names: 'itself' };
  // The other layer is the first of the same class: personal layers have precedence over all
  // others.
  const other = stored?.defined === 'user' ? FIRST_OWN : FIRST_SHARED;
  if (layer?.name === other.name) return { names: 'twice' };
  return { names: writable(other) ? 'others' : 'unknown' };
}

const FIRST_OWN: LayerClass = {
  name: 'own',
  state: 'live',
  defined: 'user',
  owner: OWNER,
  public: false,
  organization: false,
  groups: [],
  users: [OWNER],
  source: 'network',
};
const FIRST_SHARED: LayerClass = {
  ...FIRST_OWN,
  name: 'shared-public',
  defined: 'admin',
  owner: '',
};

/**
 * True if a registration sets a field to a value other than the default; if callers are
 * authenticated, the caller's own name as owner does not count.
 */
function setsAdminField({ fields }: Registration, { provider }: Mode): boolean {
  return Object.entries(fields).some(([field, value]) => {
    if (!['owner', 'public', 'organization', 'groups', 'users'].includes(field)) return false;
    if (value === '@caller') return provider === 'none' || provider === 'public';
    if (Array.isArray(value)) return value.length > 0;
    return value !== '' && value !== false && value !== null;
  });
}

/**
 * SPEC-85: if a live layer's id passes to another class or owner, the old layer ends and an audit
 * record is written.
 */
function replaces(
  registration: Registration,
  { mode, caller }: Cell,
  stored: LayerClass | undefined,
): boolean {
  if (stored?.state !== 'live') return false;
  const isOpen = mode.provider === 'none' || mode.provider === 'public';
  const isShared = isOpen || setsAdminField(registration, mode);
  const named = registration.fields['owner'];
  const requestedOwner = named === '@caller' ? caller.subject : (named ?? '');
  const owner = isShared ? requestedOwner : caller.subject;
  return stored.defined !== (isShared ? 'admin' : 'user') || stored.owner !== owner;
}

/** True if a patch stores the current values, including an empty list for no entries. */
function storesNothing(patch: Patch, stored: LayerClass | undefined): boolean {
  if (patch === 'empty-users') return stored?.users.length === 0;
  return patch === 'nothing' || patch === 'restated';
}
