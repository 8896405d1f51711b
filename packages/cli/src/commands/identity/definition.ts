import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const loginDefinition = {
  name: 'login',
  section: 'Start',
  summary: 'Sign in to a registry, and keep the token in the keychain.',
  description: [
    'Shows an address and a code; you confirm the code in a browser, on this machine or another. The registry says where people sign in; the flags are for those that do not.',
    'The token is renewed by itself until the identity provider ends the sign-in. It is sent to this registry and to nobody else.',
  ],
  arguments: [],
  flags: {
    registry: CONFIG_FLAGS.registry,
    issuer: {
      type: 'text',
      placeholder: 'address',
      summary: 'The identity provider, where the registry does not name it.',
    },
    'client-id': {
      type: 'text',
      placeholder: 'id',
      summary: 'The public client to sign in with.',
      env: 'CATALOG_OAUTH_CLIENT_ID',
      default: 'what the registry says',
    },
    audience: {
      type: 'text',
      placeholder: 'name',
      summary: 'Audience of the token; needed if it is not a URL of the registry.',
      env: 'CATALOG_OAUTH_AUDIENCE',
      default: 'what the registry advertises, if it is a URL of the registry',
    },
    scopes: {
      type: 'text',
      placeholder: 'list',
      summary: 'What to ask for, separated by spaces or commas.',
      env: 'CATALOG_OAUTH_SCOPES',
      default: 'openid profile email groups offline_access',
    },
    'token-url': {
      type: 'text',
      placeholder: 'address',
      summary: 'The token endpoint, where it is not the discovered one.',
      env: 'CATALOG_OAUTH_TOKEN_URL',
    },
    'no-browser': {
      type: 'switch',
      summary: 'Show the address and open nothing.',
      env: 'CATALOG_NO_BROWSER',
    },
    store: {
      type: 'text',
      values: ['keychain', 'file'],
      summary: 'Where the token is kept; `file` is a file that only you can read.',
      env: 'CATALOG_TOKEN_STORE',
      default: 'keychain',
    },
  },
  examples: [
    { command: 'catalog login', summary: 'to the configured registry' },
    {
      command: 'catalog login --registry https://catalog.example.com --no-browser',
      summary: 'on a machine without a browser',
    },
  ],
  known_as: { signin: 'login', auth: 'login' },
} as const satisfies CommandDefinition;

export const logoutDefinition = {
  name: 'logout',
  section: 'Start',
  summary: 'Sign out of a registry: forget its token, and have it revoked.',
  description: [
    'Removes the token and everything that belongs to it from the keychain or the file, and what was cached of what you see in the registry.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog logout', summary: 'of the configured registry' }],
  known_as: { signout: 'logout' },
} as const satisfies CommandDefinition;

export const whoamiDefinition = {
  name: 'whoami',
  section: 'Start',
  summary: 'Say who the registry takes you for, and where the token came from.',
  description: [
    'Asks the registry. Exit 4 means that you are signed out, or that it refuses the token.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog whoami', summary: 'to the configured registry' }],
} as const satisfies CommandDefinition;
