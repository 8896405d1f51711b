import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { SignatureBundle } from '@catalog/contract/records/signature';
import { KEY_SET_TYPE } from '@catalog/core/signing/dsse';
import { encodeKeySet, type KeySet, type PublishedKey } from '@catalog/core/signing/key-set';
import { encodeStatement, type SignedVersion } from '@catalog/core/signing/version-statement';
import {
  bundleOf,
  keySetOf,
  newTestKey,
  NOTE,
  publishedKey,
  signBytes,
  signedNote,
  signKeySet,
  startSignedRegistry,
  type SignedRegistry,
} from '@catalog/testkit/signed-registry';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import { openRuntimeRegistry } from '../runtime/open-runtime-registry.ts';
import { runSync } from '../sync/run-sync.ts';

interface Place {
  registry: SignedRegistry;
  home: string;
  work: string;
  trusted: { registry: string; key_ids: readonly string[] }[];
  config(env?: Readonly<Record<string, string>>): Config;
}

async function createPlace(): Promise<Place> {
  const registry = await startSignedRegistry();
  const root = temporaryFolder();
  const [home, work] = [`${root}/home`, `${root}/work`];
  mkdirSync(work);
  mkdirSync(home);
  return {
    registry,
    home,
    work,
    trusted: [],
    config: (env = {}) =>
      loadConfig({
        cwd: work,
        home,
        env: { CATALOG_REGISTRY: registry.server.url, CATALOG_HARNESS: 'claude-code', ...env },
        flags: {},
      }),
  };
}

/** Everything that delivers content to a harness or an agent. */
const SURFACES: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  sync: (place) =>
    runSync(place.config(), {
      mode: 'sync',
      wait_ms: 0,
      onKeysTrusted: (trusted) => place.trusted.push(trusted),
    }),
  'the MCP server': (place) =>
    openRuntimeRegistry({
      config: place.config(),
      onKeysTrusted: (trusted) => place.trusted.push(trusted),
    }).loadArtifact({ id: NOTE.id }),
};

interface Misuse {
  /** Prepares the state before the first contact. */
  before?: (place: Place) => void;
  /** Whether the user has synced from the honest registry before. Defaults to true. */
  known?: boolean;
  attack: (place: Place) => void;
  code?: string;
  reason: string;
  /** The contract of a load rejects the shape before the verification. */
  unreadable_load?: true;
}

function serve(registry: SignedRegistry, bundle: unknown): void {
  registry.bundle = bundle;
  registry.fetched = bundle;
}

function resign(change: Partial<SignedVersion>): (place: Place) => void {
  return ({ registry }) =>
    serve(registry, bundleOf(registry.key, encodeStatement({ ...signedNote(), ...change })));
}

function reshape(change: (bundle: SignatureBundle) => unknown): (place: Place) => void {
  return ({ registry }) =>
    serve(registry, change(bundleOf(registry.key, encodeStatement(signedNote()))));
}

function endKey(more: Partial<PublishedKey>): (place: Place) => void {
  return ({ registry }) => {
    const other = newTestKey();
    const set = keySetOf([publishedKey(registry.key, more), publishedKey(other)], { version: 200 });
    registry.key_sets.push(signKeySet(set, [registry.key, other]));
    registry.header = '200';
  };
}

function replaceKeys(
  change: (place: Place) => { set: KeySet | string; signers: 'new' | 'none' | 'root' },
) {
  return (place: Place): void => {
    const { registry } = place;
    const other = newTestKey();
    const { set, signers } = change(place);
    const document =
      typeof set === 'string' ? set : encodeKeySet({ ...set, keys: [publishedKey(other)] });
    registry.key_sets = [signKeySet(document, signers === 'none' ? [] : [other])];
    registry.header = '300';
    serve(registry, bundleOf(other, encodeStatement(signedNote())));
  };
}

function pin(
  place: Place,
  file: 'user' | 'workspace',
  keys: readonly string[],
  root?: string,
): void {
  const entry = [
    `  - registry: ${place.registry.server.url}`,
    ...(keys.length === 0 ? [] : [`    keys: [${keys.map((key) => `"${key}"`).join(', ')}]`]),
    ...(root === undefined ? [] : [`    root_key: "${root}"`]),
  ];
  writeFile(place, file, `registry_keys:\n${entry.join('\n')}\n`);
}

function writeFile(place: Place, file: 'user' | 'workspace', text: string): void {
  writeTree(file === 'user' ? place.home : place.work, { '.catalog/sync.yaml': text });
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function spkiOf({ publicKey }: Pick<typeof rsa, 'publicKey'>): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

function swapAlgorithm(public_key: string, algorithm = 'ed25519') {
  return ({ registry }: Place): void => {
    const set = keySetOf([publishedKey(registry.key)], { version: 200 });
    const document = encodeKeySet(set)
      .replace(registry.key.public_key, public_key)
      .replace('"ed25519"', `"${algorithm}"`);
    registry.key_sets.push(signKeySet(document, [registry.key]));
    registry.header = '200';
    serve(registry, bundleOf(newTestKey(), encodeStatement(signedNote())));
  };
}

const IN_TOTO = 'https://in-toto.io/Statement/v1';

interface Statement {
  subject: { name: string; digest: Record<string, string> }[];
  predicate: Record<string, unknown>;
}

function statementWith(change: (statement: Statement) => unknown): (place: Place) => void {
  return ({ registry }) => {
    const statement: Statement = JSON.parse(encodeStatement(signedNote()));
    serve(registry, bundleOf(registry.key, JSON.stringify(change(statement))));
  };
}

const MISSING = 'materialize.signature_missing';

const MISUSES: Readonly<Record<string, Misuse>> = {
  // Stripped
  'a stripped signature': {
    attack: ({ registry }) => serve(registry, undefined),
    code: MISSING,
    reason: 'missing',
  },
  'a stripped signature and announcement': {
    attack: ({ registry }) => {
      serve(registry, undefined);
      registry.header = undefined;
    },
    code: MISSING,
    reason: 'missing',
  },
  'a stripped signature, announcement and key set': {
    attack: ({ registry }) => {
      serve(registry, undefined);
      registry.header = undefined;
      registry.key_sets = [];
    },
    code: MISSING,
    reason: 'missing',
  },
  'no signing at all under the policy always': {
    known: false,
    before: (place) => writeFile(place, 'user', 'verify_signatures: always\n'),
    attack: ({ registry }) => {
      serve(registry, undefined);
      registry.header = undefined;
      registry.key_sets = [];
    },
    code: MISSING,
    reason: 'not_announced',
  },
  'a pinned registry that suddenly does not sign': {
    known: false,
    before: (place) => pin(place, 'user', [place.registry.key.key_id]),
    attack: ({ registry }) => {
      serve(registry, undefined);
      registry.header = undefined;
      registry.key_sets = [];
    },
    reason: 'untrusted_key_set',
  },
  // Moved and replayed
  'a signature for other content': {
    attack: resign({ content_hash: `sha256:${'0'.repeat(64)}` }),
    reason: 'other_content_hash',
  },
  'a signature for another id': { attack: resign({ id: 'ops/other' }), reason: 'other_id' },
  'a signature for another spelling of the id': {
    attack: resign({ id: 'ops/Note' }),
    reason: 'other_id',
  },
  'a signature for an older version': {
    attack: resign({ version: '0.9.0' }),
    reason: 'other_version',
  },
  'a signature for a newer version': {
    attack: resign({ version: '1.0.1' }),
    reason: 'other_version',
  },
  'a signature for another type': { attack: resign({ type: 'hook' }), reason: 'other_type' },
  'a signature for another layer': { attack: resign({ layer: 'personal' }), reason: 'other_layer' },
  'a signature for a lower sensitivity': {
    attack: resign({ sensitivity: 'low' }),
    reason: 'other_sensitivity',
  },
  'a signature for a higher sensitivity': {
    attack: resign({ sensitivity: 'high' }),
    reason: 'other_sensitivity',
  },
  'a signature without the sensitivity': {
    attack: resign({ sensitivity: null }),
    reason: 'other_sensitivity',
  },
  'a signature for another tenant': { attack: resign({ tenant: 'other' }), reason: 'other_tenant' },
  'a signature from the future': {
    attack: resign({ signed_at: new Date(Date.now() + 3_600_000).toISOString() }),
    reason: 'signed_in_future',
  },
  // Keys
  'a signature by another key under the id of ours': {
    attack: ({ registry }) => {
      const other = newTestKey();
      const forged = bundleOf(other, encodeStatement(signedNote()));
      forged.verificationMaterial.publicKey.hint = registry.key.key_id;
      for (const one of forged.dsseEnvelope.signatures) one.keyid = registry.key.key_id;
      serve(registry, forged);
    },
    reason: 'bad_signature',
  },
  'a signature by an unknown key': {
    attack: ({ registry }) =>
      serve(registry, bundleOf(newTestKey(), encodeStatement(signedNote()))),
    reason: 'unknown_key',
  },
  'a signature by a retired key': {
    attack: endKey({ ended: 'retired', ended_at: '2026-01-15T00:00:00.000Z' }),
    reason: 'key_retired',
  },
  'a signature by a revoked key': {
    attack: endKey({ ended: 'revoked', ended_at: '2026-01-01T00:00:00.000Z' }),
    reason: 'key_revoked',
  },
  'a signature at the moment of the revocation': {
    attack: endKey({ ended: 'revoked', ended_at: signedNote().signed_at }),
    reason: 'key_revoked',
  },
  'a signature by an expired key': {
    attack: endKey({ expires_at: '2026-01-31T00:00:00.000Z' }),
    reason: 'key_expired',
  },
  // Encoding
  'a truncated signature': {
    attack: reshape((bundle) => {
      for (const one of bundle.dsseEnvelope.signatures) {
        one.sig = Buffer.from(one.sig, 'base64').subarray(0, 63).toString('base64');
      }
      return bundle;
    }),
    reason: 'bad_signature',
  },
  'an extended signature': {
    attack: reshape((bundle) => {
      for (const one of bundle.dsseEnvelope.signatures) {
        one.sig = Buffer.concat([Buffer.from(one.sig, 'base64'), Buffer.from([0])]).toString(
          'base64',
        );
      }
      return bundle;
    }),
    reason: 'bad_signature',
  },
  'an empty signature': {
    attack: reshape((bundle) => {
      for (const one of bundle.dsseEnvelope.signatures) one.sig = '';
      return bundle;
    }),
    reason: 'bad_signature',
  },
  'a signature in base64url': {
    attack: reshape((bundle) => {
      for (const one of bundle.dsseEnvelope.signatures) {
        one.sig = Buffer.from(one.sig, 'base64').toString('base64url');
      }
      return bundle;
    }),
    reason: 'bad_signature',
  },
  'a truncated payload': {
    attack: reshape((bundle) => {
      const payload = Buffer.from(bundle.dsseEnvelope.payload, 'base64');
      bundle.dsseEnvelope.payload = payload.subarray(0, -1).toString('base64');
      return bundle;
    }),
    reason: 'bad_signature',
  },
  'a payload with line breaks in its base64': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.payload = `${bundle.dsseEnvelope.payload}\n`;
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a payload without padding': {
    attack: ({ registry }) => {
      const payload = Buffer.from(encodeStatement(signedNote()));
      const padded =
        payload.length % 3 === 0 ? Buffer.concat([payload, Buffer.from(' ')]) : payload;
      const forged = bundleOf(registry.key, padded.toString());
      forged.dsseEnvelope.payload = forged.dsseEnvelope.payload.replace(/=+$/, '');
      serve(registry, forged);
    },
    reason: 'malformed_bundle',
  },
  'a payload that is not UTF-8': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.payload = Buffer.from([0xff, 0xfe]).toString('base64');
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a changed payload': {
    attack: reshape((bundle) => {
      const text = encodeStatement({ ...signedNote(), sensitivity: 'low' });
      bundle.dsseEnvelope.payload = Buffer.from(text).toString('base64');
      return bundle;
    }),
    reason: 'bad_signature',
  },
  // Bundles of another shape
  'a bundle that is a string': {
    attack: reshape((bundle) => JSON.stringify(bundle)),
    reason: 'malformed_bundle',
    unreadable_load: true,
  },
  'a bundle that is a list': {
    attack: reshape((bundle) => [bundle]),
    reason: 'malformed_bundle',
    unreadable_load: true,
  },
  'a bundle of an older version': {
    attack: reshape((bundle) => ({
      ...bundle,
      mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.2',
    })),
    reason: 'malformed_bundle',
  },
  'a bundle with a message signature': {
    attack: reshape(({ dsseEnvelope, ...bundle }) => ({
      ...bundle,
      messageSignature: { messageDigest: {}, signature: dsseEnvelope.signatures[0]?.sig },
    })),
    reason: 'malformed_bundle',
    unreadable_load: true,
  },
  'a bundle with both kinds of signatures': {
    attack: reshape((bundle) => ({ ...bundle, messageSignature: { signature: '' } })),
    reason: 'malformed_bundle',
  },
  'a bundle with a certificate': {
    attack: reshape((bundle) => ({
      ...bundle,
      verificationMaterial: { certificate: { rawBytes: '' } },
    })),
    reason: 'malformed_bundle',
    unreadable_load: true,
  },
  'a bundle with a key and a certificate': {
    attack: reshape((bundle) => {
      bundle.verificationMaterial['certificate'] = { rawBytes: '' };
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle with two signatures': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.signatures.push(...bundle.dsseEnvelope.signatures);
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle with a forged signature before ours': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.signatures.unshift({ sig: '', keyid: '' });
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle without a signature': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.signatures = [];
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle whose signature names another key': {
    attack: reshape((bundle) => {
      for (const one of bundle.dsseEnvelope.signatures) one.keyid = '0'.repeat(64);
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle with a hint in capitals': {
    attack: reshape((bundle) => {
      bundle.verificationMaterial.publicKey.hint = 'A'.repeat(64);
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  'a bundle with its own public key': {
    attack: reshape((bundle) => {
      bundle.verificationMaterial.publicKey['rawBytes'] = newTestKey().public_key;
      return bundle;
    }),
    reason: 'malformed_bundle',
  },
  // Confused documents
  'an envelope with another payload type': {
    attack: reshape((bundle) => {
      bundle.dsseEnvelope.payloadType = 'application/json';
      return bundle;
    }),
    reason: 'payload_type',
  },
  'a signature over another payload type': {
    attack: ({ registry }) =>
      serve(
        registry,
        bundleOf(registry.key, encodeStatement(signedNote()), { signed_as: 'text/plain' }),
      ),
    reason: 'bad_signature',
  },
  'a signature over the payload without its type': {
    attack: ({ registry }) => {
      const forged = bundleOf(registry.key, encodeStatement(signedNote()));
      for (const one of forged.dsseEnvelope.signatures) {
        one.sig = signBytes(registry.key, Buffer.from(encodeStatement(signedNote())));
      }
      serve(registry, forged);
    },
    reason: 'bad_signature',
  },
  'a signed key set as a statement': {
    attack: ({ registry }) =>
      serve(
        registry,
        bundleOf(registry.key, registry.key_sets[0]?.document ?? '', { signed_as: KEY_SET_TYPE }),
      ),
    reason: 'bad_signature',
  },
  'an older statement type': {
    attack: statementWith((all) => ({ ...all, _type: 'https://in-toto.io/Statement/v0.1' })),
    reason: 'statement_type',
  },
  'another predicate type': {
    attack: statementWith((all) => ({ ...all, predicateType: 'https://slsa.dev/provenance/v1' })),
    reason: 'predicate_type',
  },
  'a statement about two subjects': {
    attack: statementWith((all) => ({ ...all, subject: [...all.subject, ...all.subject] })),
    reason: 'malformed_statement',
  },
  'a statement without a subject': {
    attack: statementWith((all) => ({ ...all, subject: [] })),
    reason: 'malformed_statement',
  },
  'a statement with another digest too': {
    attack: statementWith((all) => {
      for (const one of all.subject) one.digest['sha512'] = '00';
      return all;
    }),
    reason: 'malformed_statement',
  },
  'a statement whose subject has another name': {
    attack: statementWith((all) => {
      for (const one of all.subject) one.name = 'ops/other@1.0.0';
      return all;
    }),
    reason: 'malformed_statement',
  },
  'a statement with an unknown member': {
    attack: statementWith((all) => ({ ...all, more: true })),
    reason: 'malformed_statement',
  },
  'a statement without its tenant': {
    attack: statementWith((all) => {
      delete all.predicate['tenant'];
      return all;
    }),
    reason: 'malformed_statement',
  },
  'a statement with a repeated member': {
    attack: ({ registry }) => {
      const text = encodeStatement(signedNote()).replace('"id":', '"id":"ops/other","id":');
      serve(registry, bundleOf(registry.key, text));
    },
    reason: 'malformed_statement',
  },
  'a statement that is not JSON': {
    attack: ({ registry }) => serve(registry, bundleOf(registry.key, IN_TOTO)),
    reason: 'malformed_statement',
  },
  // Key sets
  'a key set that only its own new key signed': {
    attack: replaceKeys(() => ({ set: keySetOf([], { version: 300 }), signers: 'new' })),
    reason: 'untrusted_key_set',
  },
  'a key set without a signature': {
    attack: replaceKeys(() => ({ set: keySetOf([], { version: 300 }), signers: 'none' })),
    reason: 'untrusted_key_set',
  },
  'a key set that is not JSON': {
    attack: replaceKeys(() => ({ set: 'keys', signers: 'new' })),
    reason: 'malformed_key_set',
  },
  'a key set that ends signing without a signature of ours': {
    attack: ({ registry }) => {
      const ended = keySetOf([], { version: 300, signing: 'ended' });
      registry.key_sets = [signKeySet(ended, [newTestKey()])];
      registry.header = undefined;
      serve(registry, undefined);
    },
    reason: 'untrusted_key_set',
  },
  'a key set that is changed after it was signed': {
    attack: ({ registry }) => {
      const other = newTestKey();
      const signed = signKeySet(keySetOf([publishedKey(registry.key)], { version: 200 }), [
        registry.key,
      ]);
      const document = encodeKeySet(keySetOf([publishedKey(other)], { version: 200 }));
      registry.key_sets = [{ ...signed, document }];
      registry.header = '200';
      serve(registry, bundleOf(other, encodeStatement(signedNote())));
    },
    reason: 'untrusted_key_set',
  },
  'a key set signed by a key that was revoked before': {
    before: (place) => endKey({ ended: 'revoked', ended_at: '2026-03-01T00:00:00.000Z' })(place),
    attack: ({ registry }) => {
      const other = newTestKey();
      registry.key_sets = [
        signKeySet(keySetOf([publishedKey(other)], { version: 400 }), [registry.key]),
      ];
      registry.header = '400';
      serve(registry, bundleOf(other, encodeStatement(signedNote())));
    },
    reason: 'untrusted_key_set',
  },
  'an older key set that revives a revoked key': {
    before: (place) => endKey({ ended: 'revoked', ended_at: '2026-03-01T00:00:00.000Z' })(place),
    attack: (place) => {
      const { registry } = place;
      registry.key_sets = registry.key_sets.slice(0, 1);
      registry.header = '100';
      resign({ signed_at: '2026-04-01T00:00:00.000Z' })(place);
    },
    reason: 'key_revoked',
  },
  'an expired key set': {
    known: false,
    attack: ({ registry }) => {
      const set = keySetOf([publishedKey(registry.key)], {
        expires_at: '2026-02-02T00:00:00.000Z',
      });
      registry.key_sets = [signKeySet(set, [registry.key])];
    },
    reason: 'key_set_expired',
  },
  'a key set with an RSA key': { attack: swapAlgorithm(spkiOf(rsa)), reason: 'malformed_key_set' },
  'a key set with an ECDSA key': { attack: swapAlgorithm(spkiOf(ec)), reason: 'malformed_key_set' },
  'a key set with another algorithm name': {
    attack: (place) => swapAlgorithm(place.registry.key.public_key, 'none')(place),
    reason: 'malformed_key_set',
  },
  'a key set whose key has another id': {
    attack: ({ registry }) => {
      const other = newTestKey();
      const set = keySetOf([publishedKey(registry.key)], { version: 200 });
      const document = encodeKeySet(set).replace(registry.key.public_key, other.public_key);
      registry.key_sets.push(signKeySet(document, [registry.key]));
      registry.header = '200';
    },
    reason: 'malformed_key_set',
  },
  // Pins and workspaces
  'a registry with another key than the pinned one': {
    known: false,
    before: (place) => pin(place, 'user', [newTestKey().key_id]),
    attack: () => undefined,
    reason: 'untrusted_key_set',
  },
  'a key that was trusted before the user pinned another': {
    attack: (place) => pin(place, 'user', [newTestKey().key_id]),
    reason: 'untrusted_key_set',
  },
  'a registry without the pinned root key': {
    known: false,
    before: (place) => pin(place, 'user', [], newTestKey().key_id),
    attack: () => undefined,
    reason: 'untrusted_key_set',
  },
  'a key set that names the pinned root key without its signature': {
    known: false,
    attack: (place) => {
      const root = newTestKey();
      pin(place, 'user', [], root.key_id);
      const { registry } = place;
      const set = keySetOf([publishedKey(registry.key)], { root_key: root.public_key });
      registry.key_sets = [signKeySet(set, [registry.key])];
    },
    reason: 'untrusted_key_set',
  },
  'a workspace that sets the policy to never': {
    attack: (place) => {
      writeFile(place, 'workspace', 'verify_signatures: never\n');
      serve(place.registry, bundleOf(newTestKey(), encodeStatement(signedNote())));
    },
    reason: 'unknown_key',
  },
  'a workspace that lowers the policy of the user': {
    known: false,
    before: (place) => {
      writeFile(place, 'user', 'verify_signatures: always\n');
      writeFile(place, 'workspace', 'defaults: {verify_signatures: never}\n');
    },
    attack: ({ registry }) => {
      serve(registry, undefined);
      registry.header = undefined;
      registry.key_sets = [];
    },
    code: MISSING,
    reason: 'not_announced',
  },
  'a workspace that replaces the pinned key': {
    known: false,
    before: (place) => pin(place, 'user', [place.registry.key.key_id]),
    attack: (place) => pin(place, 'workspace', [newTestKey().key_id]),
    reason: 'other_pinned_key',
  },
  'a workspace that adds a key to the pinned one': {
    known: false,
    before: (place) => pin(place, 'user', [place.registry.key.key_id]),
    attack: (place) => pin(place, 'workspace', [place.registry.key.key_id, newTestKey().key_id]),
    reason: 'other_pinned_key',
  },
  'a workspace that adds a root key': {
    known: false,
    before: (place) => pin(place, 'user', [place.registry.key.key_id]),
    attack: (place) => pin(place, 'workspace', [place.registry.key.key_id], newTestKey().key_id),
    reason: 'other_pinned_key',
  },
  'a workspace that replaces the key of the first use': {
    attack: (place) => pin(place, 'workspace', [newTestKey().key_id]),
    reason: 'other_pinned_key',
  },
  'a damaged record of trusted keys': {
    attack: ({ home }) => writeFileSync(`${home}/.catalog/signing-keys.json`, '{', { mode: 0o600 }),
    reason: 'trust_record',
  },
};

const cases = Object.entries(MISUSES).flatMap(([title, misuse]) =>
  Object.entries(SURFACES).map(([surface, deliver]) => ({ title, surface, misuse, deliver })),
);

test('the suite has at least 90 cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(90);
});

describe('misuse of signatures', () => {
  test.each(cases)(
    '$surface rejects $title and writes nothing',
    async ({ misuse, deliver, surface }) => {
      const {
        before,
        attack,
        code = 'materialize.signature_invalid',
        reason,
        known = true,
      } = misuse;
      const place = await createPlace();
      if (known) {
        // Records the keys and the tenant, in another workspace with another cache.
        const config = loadConfig({
          cwd: temporaryFolder(),
          home: place.home,
          env: {
            CATALOG_REGISTRY: place.registry.server.url,
            CATALOG_HARNESS: 'claude-code',
            CATALOG_CACHE_DIR: temporaryFolder(),
          },
          flags: {},
        });
        await runSync(config, { mode: 'sync', wait_ms: 0 });
      }
      before?.(place);
      if (known && before !== undefined)
        await openRuntimeRegistry({
          config: place.config({ CATALOG_CACHE_DIR: temporaryFolder() }),
        }).loadArtifact({ id: NOTE.id });
      attack(place);
      const expected =
        misuse.unreadable_load === true && surface !== 'sync'
          ? { code: 'network.registry_unreachable' }
          : { code, details: { reason } };
      await expect(deliver(place), surface).rejects.toMatchObject(expected);
      expect(Object.keys(readTree(place.work, ['.catalog']))).toEqual([]);
    },
  );
});
