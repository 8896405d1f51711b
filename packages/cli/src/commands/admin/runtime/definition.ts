import type { CommandDefinition } from '../../../command/definition.ts';

export const adminRuntimeRegisterDefinition = {
  name: 'admin runtime register',
  section: 'Operate',
  summary: 'Trust the session tokens that a runtime signs.',
  description: [
    'Adds the public key of a runtime to the file that `identity_provider.runtime_keys_path` (CATALOG_RUNTIME_KEYS_PATH) names, and makes the file where there is none. No registry is asked: each reads its file when it starts, so restart those that are to trust the key.',
    'A runtime that changes its key has two for a while. --replace leaves only the new one.',
    'An `act` claim in a session token must name the runtime. --require-act makes the claim mandatory for all keys of the runtime; registering the key again with --replace and without --require-act makes it optional.',
  ],
  arguments: [],
  flags: {
    'keys-file': {
      type: 'text',
      placeholder: 'file',
      summary: 'The file of trusted keys.',
      completion: 'file',
    },
    issuer: {
      type: 'text',
      placeholder: 'name',
      summary: 'What the runtime writes as `iss`, letter by letter.',
    },
    algorithm: {
      type: 'text',
      placeholder: 'name',
      summary: 'The one kind of signature the runtime makes.',
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
      summary: 'Its public key, in PEM.',
      completion: 'file',
    },
    replace: { type: 'switch', summary: 'Trust no other key of this runtime any more.' },
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
