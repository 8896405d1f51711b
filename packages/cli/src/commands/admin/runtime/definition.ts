import type { CommandDefinition } from '../../../command/definition.ts';

export const adminRuntimeRegisterDefinition = {
  name: 'admin runtime register',
  section: 'Administer',
  summary: 'Trust session tokens signed by a runtime.',
  description: [
    'Adds the public key of a runtime to the file in `identity_provider.runtime_keys_path` (CATALOG_RUNTIME_KEYS_PATH), and creates the file if needed. Servers read this file at startup: restart them to apply the change.',
    'During key rotation, a runtime can have two keys. --replace removes the old one.',
    'An `act` claim in a session token must name the runtime. --require-act makes the claim mandatory for all keys of the runtime; registering the key again with --replace and without --require-act makes it optional.',
  ],
  arguments: [],
  flags: {
    'keys-file': {
      type: 'text',
      placeholder: 'file',
      summary: 'File of trusted keys.',
      completion: 'file',
    },
    issuer: {
      type: 'text',
      placeholder: 'name',
      summary: 'Exact `iss` claim of the runtime.',
    },
    algorithm: {
      type: 'text',
      placeholder: 'name',
      summary: 'Signature algorithm of the runtime.',
      values: [
        'RS256',
        'RS384',
        'RS512',
        'PS256',
        'PS384',
        'PS512',
        'ES256',
        'ES384',
        'ES512',
        'EdDSA',
      ],
    },
    'public-key-file': {
      type: 'text',
      placeholder: 'file',
      summary: 'Public key of the runtime, in PEM.',
      completion: 'file',
    },
    replace: { type: 'switch', summary: 'Remove all other keys of this runtime.' },
    'require-act': {
      type: 'switch',
      summary: 'Reject session tokens of this runtime without an `act` claim.',
    },
  },
  examples: [
    {
      command:
        'catalog admin runtime register --keys-file /etc/catalog/runtime-keys.json --issuer https://runtime.example.com --algorithm ES256 --public-key-file runtime.pub.pem',
      summary: 'trust a runtime',
    },
  ],
} as const satisfies CommandDefinition;
