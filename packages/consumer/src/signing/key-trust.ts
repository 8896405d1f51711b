import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SignedKeySet } from '@catalog/contract/records/signature';
import { acceptKeySets, type KeySetProblem } from '@catalog/core/signing/accept-key-set';
import { activeKeys, encodeKeySet, type KeySet } from '@catalog/core/signing/key-set';
import { readPublicKey } from '@catalog/core/signing/ed25519';
import type { Connection } from '@catalog/sdk/connection';
import { RegistryError } from '@catalog/sdk/registry-error';
import { getKeySets } from '@catalog/sdk/signing-calls';
import { viewerName, type Viewer } from '../cache/manifest-cache.ts';
import { now } from '../clock.ts';
import type { PinnedKeys, SigningSettings } from '../config/types.ts';
import {
  readTrustedKeys,
  recordTrustedKeys,
  trustedKeysFile,
  type TrustedKeys,
} from './trusted-keys-file.ts';

/** Keys that this user trusts for a registry. */
export interface KeyTrustState {
  keys: KeySet;
  tenantOf(viewer: Viewer): string | undefined;
}

/** Trust in the keys of one registry: pinned, recorded, or on first use. */
export interface KeyTrust {
  /** Undefined if the registry does not sign, as far as this user knows. */
  load(signal?: AbortSignal): Promise<KeyTrustState | undefined>;
  /** Fetches the key sets again, and throws if the registry no longer has acceptable ones. */
  reload(known: KeySet, signal?: AbortSignal): Promise<KeySet>;
  recordTenant(viewer: Viewer, tenant: string): void;
}

export interface KeyTrustOptions {
  connection: Connection;
  signing: SigningSettings;
  home: string;
  onKeysTrusted?: ((trusted: { registry: string; key_ids: readonly string[] }) => void) | undefined;
}

export function openKeyTrust({
  connection,
  signing,
  home,
  onKeysTrusted,
}: KeyTrustOptions): KeyTrust {
  const { registry, origin } = connection;
  const path = trustedKeysFile(home);

  async function load(signal?: AbortSignal): Promise<KeyTrustState | undefined> {
    const recorded = readTrustedKeys(path, origin);
    const pins = choosePins(signing.pins, origin, recorded, registry);
    const { key_set: announced } = connection.announced;
    const isRecorded = recorded?.set.signing === 'active';
    if (!isRecorded && pins === undefined && announced === undefined) return undefined;
    const known = knownSet(recorded, pins);
    const isCurrent = known !== undefined && announced !== undefined && announced <= known.version;
    const keys = isCurrent && isRecorded ? known : await fetchKeys(known, pins, signal);
    if (keys.signing === 'ended') return undefined;
    return { keys, tenantOf: (viewer) => recorded?.tenants[viewerName(viewer)] };
  }

  async function fetchKeys(
    known: KeySet | undefined,
    pins: PinnedKeys | undefined,
    signal: AbortSignal | undefined,
  ): Promise<KeySet> {
    const served = await fetchSets(known, signal);
    const decision = acceptKeySets(
      served,
      { known, pinned: pins?.keys ?? [], root: pins?.root_key },
      new Date(now()),
    );
    if (decision.kind === 'refused') throw untrusted(registry, decision.reason);
    const { set, first_use } = decision;
    if (known === undefined || set.version > known.version) {
      const document = encodeKeySet(set);
      recordTrustedKeys(path, origin, {
        document,
        tenants: readTrustedKeys(path, origin)?.tenants ?? {},
      });
      if (first_use) onKeysTrusted?.({ registry, key_ids: [...activeKeys(set)] });
    }
    return set;
  }

  /** Without an answer of the registry, the recorded keys apply. */
  async function fetchSets(
    known: KeySet | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly SignedKeySet[]> {
    try {
      return await getKeySets(connection, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const isAbsent = error instanceof RegistryError && error.code === 'registry.not_found';
      if (known === undefined && !isAbsent) throw error;
      return [];
    }
  }

  return {
    load,
    reload(known, signal) {
      const recorded = readTrustedKeys(path, origin);
      const pins = choosePins(signing.pins, origin, recorded, registry);
      return fetchKeys(knownSet(recorded, pins) ?? known, pins, signal);
    },
    recordTenant(viewer, tenant) {
      const recorded = readTrustedKeys(path, origin);
      const name = viewerName(viewer);
      if (recorded === undefined || recorded.tenants[name] === tenant) return;
      const tenants = { ...recorded.tenants, [name]: tenant };
      recordTrustedKeys(path, origin, { document: recorded.document, tenants });
    },
  };
}

/** A pin of the user outweighs what was recorded before the user pinned it. */
function knownSet(
  recorded: TrustedKeys | undefined,
  pins: PinnedKeys | undefined,
): KeySet | undefined {
  if (recorded === undefined || pins === undefined) return recorded?.set;
  return isPinned(recorded.set, pins) ? recorded.set : undefined;
}

function isPinned({ keys, root_key }: KeySet, pins: PinnedKeys): boolean {
  const root = root_key === null ? undefined : readPublicKey(root_key)?.key_id;
  if (pins.root_key !== undefined) return root === pins.root_key;
  return keys.some(({ key_id, ended }) => ended !== 'revoked' && pins.keys.includes(key_id));
}

/**
 * Returns the pins for an origin. Those of the user apply alone, and a workspace must not name others:
 * neither than the user's file nor than what the user has trusted before.
 */
function choosePins(
  pins: readonly PinnedKeys[],
  origin: string,
  recorded: TrustedKeys | undefined,
  registry: string,
): PinnedKeys | undefined {
  const own = pins.filter((one) => one.origin === origin);
  const user = merge(own.filter(({ from }) => from.kind === 'user'));
  const workspace = merge(own.filter(({ from }) => from.kind !== 'user'));
  if (workspace === undefined) return user;
  const isForeign =
    user === undefined
      ? recorded !== undefined && !isPinned(recorded.set, workspace)
      : !workspace.keys.every((key) => user.keys.includes(key)) ||
        (workspace.root_key !== undefined && workspace.root_key !== user.root_key);
  if (!isForeign) return user ?? workspace;
  throw new CatalogError(
    'materialize.signature_invalid',
    `${workspace.from.name} names other signing keys for ${registry} than you trust. Nothing was written.`,
    {
      details: { reason: 'other_pinned_key' },
      suggested_action: `Compare the keys with the operator of the registry. Then change registry_keys in ~/.catalog/sync.yaml, or in ${workspace.from.name}.`,
    },
  );
}

function merge(pins: readonly PinnedKeys[]): PinnedKeys | undefined {
  const [first] = pins;
  if (first === undefined) return undefined;
  return {
    ...first,
    keys: pins.flatMap(({ keys }) => keys),
    root_key: pins.find(({ root_key }) => root_key !== undefined)?.root_key,
  };
}

const PROBLEMS: Readonly<Record<KeySetProblem, { problem: string; action: string }>> = {
  malformed_key_set: {
    problem: 'returned signing keys in a format that cannot be read',
    action: 'Upgrade catalog, or report this to the operator of the registry.',
  },
  untrusted_key_set: {
    problem: 'signs with keys that no key you trust has approved',
    action:
      'Compare the keys with the operator of the registry, and pin the new key under registry_keys in ~/.catalog/sync.yaml.',
  },
  key_set_expired: {
    problem: 'has an expired list of signing keys',
    action:
      'Check the clock of this machine. If it is right, the registry may be frozen by someone else: report this to its operator.',
  },
};

function untrusted(registry: string, reason: KeySetProblem): CatalogError {
  const { problem, action } = PROBLEMS[reason];
  return new CatalogError(
    'materialize.signature_invalid',
    `The registry at ${registry} ${problem}. Nothing was written.`,
    { details: { reason }, suggested_action: action },
  );
}
