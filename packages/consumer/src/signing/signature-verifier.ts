import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_SIGNATURE_HASHES } from '@catalog/contract/records/signature';
import type { Artifact } from '@catalog/core/artifact/types';
import type { KeySet } from '@catalog/core/signing/key-set';
import { verifyVersion, type SignatureProblem } from '@catalog/core/signing/verify-version';
import type { Connection } from '@catalog/sdk/connection';
import { getSignatures } from '@catalog/sdk/signing-calls';
import { viewerName, type Viewer } from '../cache/manifest-cache.ts';
import {
  openSignatureCache,
  type SignatureCache,
  type SignedEntry,
} from '../cache/signature-cache.ts';
import { now } from '../clock.ts';
import type { SigningSettings } from '../config/types.ts';
import { isUnreachable } from '../source/is-unreachable.ts';
import { openKeyTrust } from './key-trust.ts';

/** A version with verified content, before its signature is verified. */
export interface ReceivedArtifact {
  entry: SignedEntry;
  artifact: Artifact;
  /** Signature that came with it; undefined for a cached package. */
  bundle: unknown;
}

/** Verifies the signatures of everything that comes from one registry (SPEC-46, SPEC-94). */
export interface SignatureVerifier {
  /** Throws unless the policy accepts all of them. Call it before the first use of the content. */
  verify(received: readonly ReceivedArtifact[], signal?: AbortSignal): Promise<void>;
}

export interface VerifierOptions {
  connection: Connection;
  signing: SigningSettings;
  cache_folder: string;
  /** Home folder, with the record of trusted keys. */
  home: string;
  viewer: (signal?: AbortSignal) => Promise<Viewer>;
  /** Called when keys are trusted on first use. */
  onKeysTrusted?: ((trusted: { registry: string; key_ids: readonly string[] }) => void) | undefined;
}

export function openSignatureVerifier(options: VerifierOptions): SignatureVerifier {
  const { connection, signing } = options;
  const policy = signing.policy.value;
  if (policy === 'never') return { verify: () => Promise.resolve() };
  const trust = openKeyTrust(options);

  async function verify(
    received: readonly ReceivedArtifact[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const [first] = received;
    if (first === undefined) return;
    const state = await trust.load(signal);
    if (state === undefined) {
      if (policy === 'always') throw notSigned(connection.registry, first.entry);
      return;
    }
    const viewer = await options.viewer(signal);
    const cache = openSignatureCache(options.cache_folder, viewerName(viewer));
    const run: VerificationRun = { keys: state.keys, cache, tenant: state.tenantOf(viewer) };
    const failed = received.filter((one) => !isValid(run, one, one.bundle ?? cache.get(one.entry)));
    if (failed.length > 0) await verifyAgain(run, failed, signal);
    cache.flush();
    if (run.tenant !== undefined) trust.recordTenant(viewer, run.tenant);
  }

  /** A key that was added or revoked in the meantime also changes the result for the same bundle. */
  async function verifyAgain(
    run: VerificationRun,
    failed: readonly ReceivedArtifact[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const fresh = await fetchSignatures(connection, failed, signal);
    run.keys = await trust.reload(run.keys, signal);
    for (const one of failed) {
      const bundle = fresh.get(keyOf(one.entry));
      const problem = bundle === undefined ? 'missing' : verifyOne(run, one, bundle);
      if (problem !== undefined) throw refused(connection.registry, one.entry, problem);
    }
  }

  return { verify };
}

interface VerificationRun {
  keys: KeySet;
  cache: SignatureCache;
  /** Undefined until the first signature names it. */
  tenant: string | undefined;
}

function isValid(run: VerificationRun, received: ReceivedArtifact, bundle: unknown): boolean {
  return bundle !== undefined && verifyOne(run, received, bundle) === undefined;
}

function verifyOne(
  run: VerificationRun,
  { entry, artifact }: ReceivedArtifact,
  bundle: unknown,
): SignatureProblem | undefined {
  const { id, version, layer, content_hash } = entry;
  const received = {
    tenant: run.tenant,
    id,
    version,
    type: artifact.type,
    layer,
    content_hash,
    // Read from bytes whose hash was verified, not from the response.
    sensitivity: artifact.fields.sensitivity ?? null,
  };
  const verification = verifyVersion(bundle, received, run.keys, new Date(now()));
  if (verification.kind === 'invalid') return verification.reason;
  run.tenant = verification.signed.tenant;
  run.cache.put(entry, bundle);
  return undefined;
}

async function fetchSignatures(
  connection: Connection,
  received: readonly ReceivedArtifact[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, unknown>> {
  const hashes = [...new Set(received.map(({ entry }) => entry.content_hash))];
  const found = new Map<string, unknown>();
  for (let start = 0; start < hashes.length; start += MAX_SIGNATURE_HASHES) {
    const some = hashes.slice(start, start + MAX_SIGNATURE_HASHES);
    try {
      for (const { signature, ...entry } of await getSignatures(connection, some, signal)) {
        found.set(keyOf(entry), signature);
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Without the registry, a signature that is not cached is missing.
      if (!isUnreachable(error) && !isOffline(error)) throw error;
    }
  }
  return found;
}

function isOffline(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'network.offline_cache_miss';
}

function keyOf({ id, version, layer, content_hash }: SignedEntry): string {
  return JSON.stringify([id, version, layer, content_hash]);
}

function notSigned(registry: string, { id, version }: SignedEntry): CatalogError {
  return new CatalogError(
    'materialize.signature_missing',
    `verify_signatures is always, but the registry at ${registry} does not sign: ${id} ${version} has no signature. Nothing was written.`,
    {
      details: { artifact_id: id, version, reason: 'not_announced' },
      suggested_action:
        'Ask the operator of the registry to turn signing on, or change verify_signatures.',
    },
  );
}

function refused(
  registry: string,
  { id, version }: SignedEntry,
  problem: SignatureProblem | 'missing',
): CatalogError {
  const details = { artifact_id: id, version, reason: problem };
  if (problem === 'missing') {
    return new CatalogError(
      'materialize.signature_missing',
      `${id} ${version} has no signature, but the registry at ${registry} signs every version. Nothing was written.`,
      {
        details,
        suggested_action:
          'Report this to the operator of the registry: the content or the response may have been changed.',
      },
    );
  }
  return new CatalogError(
    'materialize.signature_invalid',
    `The signature of ${id} ${version} from ${registry} is not valid (${problem}). Nothing was written.`,
    { details },
  );
}
