import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isHostPath } from './classify-repo.ts';
import { isLayerVisible, type Caller, type LayerVisibility } from './visibility.ts';

/** What a decision about a stored layer looks at: its class and owner, never the request's. */
interface OwnedLayer {
  user_defined: boolean;
  owner: string;
}

/** Whether the layer routes admit a caller as administrator: everybody, where nobody is told apart. */
export function isLayerAdmin(caller: Caller): boolean {
  return caller.kind === 'open';
}

/** A personal layer is its owner's and the administrators'; any other is the administrators' alone. */
export function mayWriteLayer(caller: Caller, layer: OwnedLayer): boolean {
  if (isLayerAdmin(caller)) return true;
  return caller.kind === 'subject' && layer.user_defined && layer.owner === caller.subject;
}

/** An id nobody has: for administrators and for whoever has a subject to own it. */
export function mayCreateLayer(caller: Caller): boolean {
  return isLayerAdmin(caller) || caller.kind === 'subject';
}

/** Which layers a listing shows: to administrators all, to somebody unknown none. */
export function mayReadLayer(caller: Caller, layer: LayerVisibility): boolean {
  if (isLayerAdmin(caller)) return true;
  return caller.kind === 'subject' && isLayerVisible(layer, caller).visible;
}

/**
 * A place on the registry's own host is the administrators' to name ('Local-source authorization');
 * the refusal names no path. Asked on each operation that reads from such a place or names one.
 */
export function refuseHostPath(
  caller: Caller,
  source: { source_type: 'git' | 'local'; repo: string },
): void {
  if (isLayerAdmin(caller)) return;
  if (source.source_type === 'git' && !isHostPath(source.repo)) return;
  throw new CatalogError(
    'auth.forbidden',
    'Only administrators may name a place on the host of the registry.',
    { details: { constraint: 'local_source' } },
  );
}

/** Owner and visibility are the administrators' to assert; `fields` are those a registration asserts. */
export function refuseAdminOnlyFields(caller: Caller, fields: readonly string[]): void {
  if (isLayerAdmin(caller) || fields.length === 0) return;
  throw new CatalogError(
    'auth.forbidden',
    `Only administrators may set ${fields.map((field) => `\`${field}\``).join(', ')}.`,
    {
      details: { constraint: 'admin_only_fields' },
      suggested_action: 'Leave these members out to register a layer of your own.',
    },
  );
}
