import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const loginDefinition = {
  name: 'login',
  section: 'Get started',
  summary: 'Sign in to a registry.',
  description: [
    'Prints a URL and a code. Open the URL in a browser on any machine and confirm the code. The registry advertises its identity provider; use the flags if it does not.',
    'The token is stored in the keychain, refreshed automatically until the session ends, and sent only to this registry.',
  ],
  arguments: [],
  flags: {
    registry: CONFIG_FLAGS.registry,
    issuer: {
      type: 'text',
      placeholder: 'url',
      summary: 'Identity provider URL, if the registry does not advertise one.',
    },
    'client-id': {
      type: 'text',
      placeholder: 'id',
      summary: 'OAuth client ID.',
      env: 'CATALOG_OAUTH_CLIENT_ID',
      default: 'advertised by the registry',
    },
    audience: {
      type: 'text',
      placeholder: 'name',
      summary: 'Audience of the token; needed if it is not a URL of the registry.',
      env: 'CATALOG_OAUTH_AUDIENCE',
      default: 'advertised by the registry, if it is a URL of the registry',
    },
    scopes: {
      type: 'text',
      placeholder: 'list',
      summary: 'OAuth scopes, separated by spaces or commas.',
      env: 'CATALOG_OAUTH_SCOPES',
      default: 'openid profile email groups offline_access',
    },
    'token-url': {
      type: 'text',
      placeholder: 'url',
      summary: 'Token endpoint URL, if it differs from the discovered one.',
      env: 'CATALOG_OAUTH_TOKEN_URL',
    },
    'no-browser': {
      type: 'switch',
      summary: 'Print the URL without opening a browser.',
      env: 'CATALOG_NO_BROWSER',
    },
    store: {
      type: 'text',
      values: ['keychain', 'file'],
      summary: 'Where to store the token; `file` is a file only you can read.',
      env: 'CATALOG_TOKEN_STORE',
      default: 'keychain',
    },
  },
  examples: [
    { command: 'catalog login', summary: 'sign in to the configured registry' },
    {
      command: 'catalog login --registry https://catalog.example.com --no-browser',
      summary: 'sign in on a machine without a browser',
    },
  ],
  known_as: { signin: 'login', auth: 'login' },
} as const satisfies CommandDefinition;

export const logoutDefinition = {
  name: 'logout',
  section: 'Get started',
  summary: 'Sign out of a registry and revoke the token.',
  description: [
    'Removes the token from the keychain or file, along with the cached view of the registry.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog logout', summary: 'sign out of the configured registry' }],
  known_as: { signout: 'logout' },
} as const satisfies CommandDefinition;

export const whoamiDefinition = {
  name: 'whoami',
  section: 'Get started',
  summary: 'Show the signed-in user and the source of the token.',
  description: [
    'Queries the registry. Exits with 4 if you are signed out or the registry rejects the token.',
  ],
  arguments: [],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [{ command: 'catalog whoami', summary: 'sign in to the configured registry' }],
} as const satisfies CommandDefinition;
