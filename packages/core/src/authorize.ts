import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { toCatalogError } from '@catalog/contract/errors/read-envelope';
import type { Caller, RefusalCode } from './identity/caller.ts';
import { isHostPath } from './layer/classify-repo.ts';
import { isLayerVisible, type LayerVisibility } from './layer/visibility.ts';

/** Class and owner of a stored layer. Values in a request must not be used here. */
export interface OwnedLayer {
  user_defined: boolean;
  owner: string;
}

/** Source of a layer, with the facts that access rules need. */
export interface NamedSource {
  source_type: 'git' | 'local';
  repo: string;
}

/** Role that may name a path on the registry's host: administrators, or only the operator with several tenants (SPEC-77). */
export type HostPathAuthority = 'admins' | 'operator';

interface StoredLayer {
  id: string;
  stored: (OwnedLayer & NamedSource) | undefined;
  /** True if the layer is deleted, for a restore, or active, for other actions. */
  is_there: boolean;
}

/** Access settings of a registry that apply to callers without authentication. */
export interface OpenRegistry {
  public_mode: boolean;
  /** Whether unauthenticated callers may change layers and settings (SPEC-76). */
  open_writes: 'allow' | 'deny';
}

/** Facts that decide about each action, in addition to the caller. */
export interface ActionFacts {
  /** Use of a route. Which artifacts are visible is decided separately. */
  use: { access: AccessClass; writes: boolean } & OpenRegistry;
  /** Access to all layers, regardless of their visibility (`as_admin`). */
  see_all: { public_mode: boolean };
  register: {
    id: string;
    /** Active or deleted layer with the id. */
    stored: OwnedLayer | undefined;
    source: NamedSource;
    asserts: readonly string[];
    host_paths: HostPathAuthority;
  };
  update: StoredLayer & {
    /** True if the patch contains `local_path`. */
    names_host_path: boolean;
    /** True if the patch changes the part of the source that the layer contains. */
    moves: boolean;
    host_paths: HostPathAuthority;
  };
  unregister: StoredLayer;
  /** `host_paths` is `admins` if the operator configured the source. */
  restore: StoredLayer & { host_paths: HostPathAuthority };
  reingest: StoredLayer & { host_paths: HostPathAuthority };
  /** Reading a layer's source, which the registry itself requests. */
  ingest: { stored: NamedSource; host_paths: HostPathAuthority };
  reorder: { stored: OwnedLayer };
  list: { stored: LayerVisibility };
  /** Ingest that a signed delivery of a git host requests. */
  deliver: { stored: NamedSource };
}

/** Name of an action that requires authorization. */
export type Action = keyof ActionFacts;

/** Decision about an action: admitted, or refused with a code and a message. */
export type AuthorizationVerdict = { kind: 'admitted' } | Refusal;

interface Refusal {
  kind: 'refused';
  code: 'auth.forbidden' | 'registry.not_found' | RefusalCode;
  message: string;
  details?: Readonly<Record<string, string>>;
  suggested_action?: string;
}

type Rule<Name extends Action> = (caller: Caller, facts: ActionFacts[Name]) => Refusal | undefined;

/** Rules of each action; the first refusal decides. */
const RULES: { readonly [Name in Action]: readonly Rule<Name>[] } = {
  use: [useRule],
  see_all: [adminRule],
  register: [
    registerRule,
    (caller, { source, host_paths }) => hostPathRule(caller, source, host_paths),
    adminOnlyRule,
  ],
  update: [
    writeRule,
    (caller, { names_host_path, host_paths }) =>
      names_host_path ? hostPathRule(caller, FOLDER, host_paths) : undefined,
    // A different part of a host path counts as a different host path.
    (caller, { moves, stored, host_paths }) =>
      moves ? hostPathRule(caller, stored ?? FOLDER, host_paths) : undefined,
    stateRule,
  ],
  unregister: [writeRule, stateRule],
  restore: [writeRule, storedHostPathRule, stateRule],
  reingest: [writeRule, storedHostPathRule, stateRule],
  ingest: [(caller, { stored, host_paths }) => hostPathRule(caller, stored, host_paths)],
  reorder: [(caller, { stored }) => (mayWrite(caller, stored) ? undefined : NOT_YOURS)],
  list: [listRule],
  deliver: [(caller, { stored }) => hostPathRule(caller, stored, 'admins')],
};

const ADMITTED: AuthorizationVerdict = { kind: 'admitted' };
const FOLDER: NamedSource = { source_type: 'local', repo: '' };

const NOT_YOURS: Refusal = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'You do not have permission to change this layer.',
  suggested_action: "Ask the layer's owner or an administrator.",
};

const UNTRUSTED_WRITER: Refusal = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'Your credential was rejected, so you cannot change layers.',
  suggested_action:
    'Sign in again with `catalog login`, or use a token that this registry accepts.',
};

const NARROWED: Refusal = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'This token is limited to reading parts of the catalog.',
  suggested_action: 'Use a token without `catalog:` scopes.',
};

const OPEN_WRITES_DENIED: Refusal = {
  kind: 'refused',
  code: 'auth.forbidden',
  message: 'This registry does not authenticate callers, and its operator denies changes.',
  suggested_action:
    'Change layers in the configuration of the registry. The operator can also configure an identity provider, or set `open_writes` to allow changes.',
};

const ADMINS_PATH: Refusal = {
  ...forbidden('Only administrators can use a path on the host of the registry.'),
  details: { constraint: 'local_source' },
};

const OPERATORS_PATH: Refusal = {
  ...forbidden(
    "On a multi-tenant registry, only the operator's configuration can use a path on the host.",
  ),
  details: { constraint: 'local_source' },
  suggested_action:
    'Use a git repository, or ask the operator to declare this layer in registry.yaml under `layers:` with its `tenant:`.',
};

/** Decides whether a caller may perform an action, from the arguments alone. All access decisions are made here. */
export function authorize<Name extends Action>(
  caller: Caller,
  action: Name,
  facts: ActionFacts[Name],
): AuthorizationVerdict {
  for (const rule of RULES[action]) {
    const refusal = rule(caller, facts);
    if (refusal !== undefined) return refusal;
  }
  return ADMITTED;
}

/** Throws the matching catalog error if the caller may not perform the action. */
export function requireAuthorized<Name extends Action>(
  caller: Caller,
  action: Name,
  facts: ActionFacts[Name],
): void {
  const verdict = authorize(caller, action, facts);
  if (verdict.kind === 'admitted') return;
  const { code, message, details = {} } = verdict;
  const { suggested_action = ERROR_CODES[code].suggested_action } = verdict;
  const error = toCatalogError({ code, message, details, retryable: false, suggested_action });
  throw error ?? new TypeError(`${code} is not a catalog error code`);
}

/** Returns true if layer routes treat the caller as an administrator. Without authentication, every caller is one. */
export function isLayerAdmin(caller: Caller): boolean {
  return caller.kind === 'open' || (caller.kind === 'subject' && caller.is_admin === true);
}

/** Returns true if the caller is a layer administrator and the registry allows layer writes. */
export function mayManageLayers(
  caller: Caller,
  { public_mode, open_writes }: OpenRegistry,
): boolean {
  const facts = { access: 'layer_write', writes: true, public_mode, open_writes } as const;
  return isLayerAdmin(caller) && useRule(caller, facts) === undefined;
}

/** Returns true if the caller may see paths on the registry's host: an administrator, outside of public mode. */
export function maySeeHostPaths(caller: Caller, registry: OpenRegistry): boolean {
  return !registry.public_mode && mayManageLayers(caller, registry);
}

/**
 * Returns true for a token with `catalog:` scopes, which may only read even if the user is an administrator (SPEC-12).
 */
function isNarrowed(caller: Caller): boolean {
  return caller.kind === 'subject' && caller.grants !== undefined;
}

const UNVERIFIED: ReadonlySet<RefusalCode> = new Set([
  'auth.token_expired',
  'auth.untrusted_token',
  'auth.untrusted_runtime',
]);

function useRule(caller: Caller, facts: ActionFacts['use']): Refusal | undefined {
  const { access } = facts;
  if (access === 'none' || access === 'scim' || access === 'posture') return undefined;
  const { writes, open_writes } = facts;
  if (caller.kind === 'open' && writes && open_writes === 'deny') return OPEN_WRITES_DENIED;
  if (isNarrowed(caller) && access !== 'read' && access !== 'layer_list') return NARROWED;
  if (access === 'admin') return adminRule(caller, facts);
  if (access === 'operator') return operatorRule(caller, facts);
  if (caller.kind === 'refused') {
    // A layer write with an unverified credential is rejected with a specific code. The codes for an unknown tenant and
    // a duplicate header stay.
    const keepsReason = access !== 'layer_write' || !UNVERIFIED.has(caller.code);
    return keepsReason ? caller : UNTRUSTED_WRITER;
  }
  if (caller.kind !== 'anonymous') return undefined;
  if (access === 'layer_write' || access === 'layer_reorder') return NOT_YOURS;
  if (access === 'events') return forbidden('Only signed-in callers can read events.');
  return undefined;
}

/**
 * Requires an administrator. Without an identity provider, the local operator is one, except in public mode (SPEC-1).
 */
function adminRule(caller: Caller, { public_mode }: { public_mode: boolean }): Refusal | undefined {
  if (caller.kind === 'refused') return caller;
  if (public_mode) {
    return forbidden('This operation requires the admin role, which no caller has in public mode.');
  }
  if (isLayerAdmin(caller)) return undefined;
  return forbidden('This operation requires the admin role.');
}

function operatorRule(
  caller: Caller,
  { public_mode }: { public_mode: boolean },
): Refusal | undefined {
  if (caller.kind === 'refused') return caller;
  const isOperator =
    caller.kind === 'subject' ? caller.is_operator === true : caller.kind === 'open';
  if (isOperator && !public_mode) return undefined;
  return forbidden('This operation is for operators of the registry.');
}

/** Owners and administrators may write personal layers; only administrators may write others. */
function mayWrite(caller: Caller, layer: OwnedLayer): boolean {
  if (isLayerAdmin(caller)) return true;
  return caller.kind === 'subject' && layer.user_defined && layer.owner === caller.subject;
}

/**
 * Refuses a write. Only administrators learn that a layer is missing; other callers get the same response as for a
 * layer of another user (SPEC-8).
 */
function writeRule(caller: Caller, { id, stored }: StoredLayer): Refusal | undefined {
  if (stored !== undefined) return mayWrite(caller, stored) ? undefined : NOT_YOURS;
  return isLayerAdmin(caller) ? layerNotFound(id) : NOT_YOURS;
}

/** Refuses an action in the wrong state. Only callers who may change the layer get this far. */
function stateRule(_caller: Caller, { id, is_there }: StoredLayer): Refusal | undefined {
  return is_there ? undefined : layerNotFound(id);
}

function layerNotFound(id: string): Refusal {
  return {
    kind: 'refused',
    code: 'registry.not_found',
    message: `Layer not found: \`${id}\`.`,
    details: { id },
    suggested_action:
      'List layers with `GET /v1/layers`; layers that can be restored are under `?deleted=true`.',
  };
}

/** Only administrators and callers with a subject may register an unused id. */
function registerRule(caller: Caller, { stored }: ActionFacts['register']): Refusal | undefined {
  const isAllowed =
    stored === undefined
      ? isLayerAdmin(caller) || caller.kind === 'subject'
      : mayWrite(caller, stored);
  return isAllowed ? undefined : NOT_YOURS;
}

/** Returns true if a layer is read from a path on the registry's host. */
export function namesHostPath({ source_type, repo }: NamedSource): boolean {
  return source_type === 'local' || isHostPath(repo);
}

/** Refuses a path on the registry's host. The message must not contain the path. */
function hostPathRule(
  caller: Caller,
  source: NamedSource,
  host_paths: HostPathAuthority,
): Refusal | undefined {
  if (!namesHostPath(source)) return undefined;
  if (host_paths === 'operator') return OPERATORS_PATH;
  return isLayerAdmin(caller) ? undefined : ADMINS_PATH;
}

function storedHostPathRule(
  caller: Caller,
  { stored, host_paths }: ActionFacts['reingest'],
): Refusal | undefined {
  return hostPathRule(caller, stored ?? FOLDER, host_paths);
}

/** Refuses owner and visibility unless an administrator sets them. */
function adminOnlyRule(caller: Caller, { asserts }: ActionFacts['register']): Refusal | undefined {
  if (isLayerAdmin(caller) || asserts.length === 0) return undefined;
  return {
    ...forbidden(
      `Only administrators can set ${asserts.map((field) => `\`${field}\``).join(', ')}.`,
    ),
    details: { constraint: 'admin_only_fields' },
    suggested_action: 'Leave these fields out to register a personal layer.',
  };
}

/** Administrators list all layers; anonymous callers list none. */
function listRule(caller: Caller, { stored }: ActionFacts['list']): Refusal | undefined {
  if (isLayerAdmin(caller)) return undefined;
  if (caller.kind === 'subject' && isLayerVisible(stored, caller).visible) return undefined;
  return NOT_YOURS;
}

function forbidden(message: string): Refusal {
  return { kind: 'refused', code: 'auth.forbidden', message };
}
