import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const serveDefinition = {
  name: 'serve',
  section: 'Serve',
  summary: 'Run a registry server.',
  description: [
    'Runs without other services: metadata is stored in a SQLite file under ~/.catalog/standalone, large files in a folder next to it. The server listens on 127.0.0.1:8080 and serves all registered layers. --layer-path registers a folder first and serves every change in it.',
    'All settings can also come from ~/.catalog/registry.yaml or environment variables; `catalog config show --server` prints the effective values. Flags override environment variables, which override the file. The server refuses to start if a setting is invalid.',
    'Ctrl-C or SIGTERM shuts down gracefully: open requests complete, and jobs finish or resume at the next start. A second signal exits immediately.',
    'SIGHUP reloads the TLS certificate and the log level, unless the server was started from a terminal.',
    'On the first run, writes ~/.catalog/sync.yaml so that other commands find the registry. An existing file is never changed.',
  ],
  arguments: [],
  flags: {
    'layer-path': {
      type: 'text',
      placeholder: 'folder',
      summary: 'Serve artifacts from this folder.',
      env: 'CATALOG_LAYER_PATH',
      completion: 'folder',
    },
    bind: {
      type: 'text',
      placeholder: 'host:port',
      summary: 'Address to listen on.',
      env: 'CATALOG_BIND',
      default: '127.0.0.1:8080',
    },
    config: {
      ...CONFIG_FLAGS.config,
      summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
      env: 'CATALOG_CONFIG_FILE',
    },
    'public-mode': {
      type: 'switch',
      summary: 'Serve anonymous callers; only artifacts of low sensitivity.',
      env: 'CATALOG_PUBLIC_MODE',
    },
    'allow-public-bind': {
      type: 'switch',
      summary: 'Listen on a public address without authentication.',
      env: 'CATALOG_ALLOW_PUBLIC_BIND',
    },
    sign: {
      type: 'text',
      placeholder: 'mode',
      summary: 'Sign every served version: registry-key.',
      env: 'CATALOG_SIGN',
    },
    'web-ui': {
      type: 'switch',
      summary: 'Serve the web UI at /app/.',
      env: 'CATALOG_WEB_UI',
    },
    'web-ui-allow-public-bind': {
      type: 'switch',
      summary: 'Serve the web UI on a public address; requires an identity provider.',
      env: 'CATALOG_WEB_UI_ALLOW_PUBLIC_BIND',
    },
    'web-ui-auth': {
      type: 'switch',
      summary: 'Enable browser sign-in for the web UI.',
      env: 'CATALOG_WEB_UI_AUTH',
    },
    'no-embeddings': {
      type: 'switch',
      summary: 'Disable embeddings; search by words only.',
      env: 'CATALOG_NO_EMBEDDINGS',
    },
    dev: {
      type: 'switch',
      summary: 'Serve edits to an unchanged version as <version>+dev.<n>.',
    },
  },
  examples: [
    { command: 'catalog serve', summary: 'serve the registered layers' },
    { command: 'catalog serve --layer-path .', summary: 'serve this folder as you edit it' },
    {
      command: 'catalog serve --config registry.yaml',
      summary: 'use a configuration file',
    },
  ],
  long_lived: true,
  known_as: { start: 'serve', server: 'serve', run: 'serve' },
} as const satisfies CommandDefinition;
