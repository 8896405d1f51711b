import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const serveDefinition = {
  name: 'serve',
  section: 'Serve',
  summary: 'Run a registry on this machine.',
  description: [
    'Needs nothing else: metadata goes into one SQLite file under ~/.catalog/standalone, large resources into a folder beside it. It listens on 127.0.0.1:8080 and serves the layers that are registered; with --layer-path it registers a folder first, and serves every change you make in it.',
    'Everything can also be set in ~/.catalog/registry.yaml and by variables; `catalog config show --server` prints what is in force. A flag wins over a variable, a variable over the file. What cannot be understood stops the start.',
    'Ctrl-C or SIGTERM ends it in order: requests are answered to the end, jobs finished or left for the next start. A second signal ends it at once.',
    'The first time, it writes ~/.catalog/sync.yaml, so that the other commands find the registry without a flag. A file that is there is never changed.',
  ],
  arguments: [],
  flags: {
    'layer-path': {
      type: 'text',
      placeholder: 'folder',
      summary: 'Serve the artifacts in this folder.',
      env: 'CATALOG_LAYER_PATH',
      completion: 'folder',
    },
    bind: {
      type: 'text',
      placeholder: 'host:port',
      summary: 'Listen there.',
      env: 'CATALOG_BIND',
      default: '127.0.0.1:8080',
    },
    config: {
      ...CONFIG_FLAGS.config,
      summary: "The registry's configuration file, instead of ~/.catalog/registry.yaml.",
      env: 'CATALOG_CONFIG_FILE',
    },
    'public-mode': {
      type: 'switch',
      summary: 'Serve everybody anonymously; only artifacts of low sensitivity.',
      env: 'CATALOG_PUBLIC_MODE',
    },
    'allow-public-bind': {
      type: 'switch',
      summary: 'Listen beyond this machine although no caller is authenticated.',
      env: 'CATALOG_ALLOW_PUBLIC_BIND',
    },
    'web-ui': {
      type: 'switch',
      summary: 'Serve the web UI at /app/.',
      env: 'CATALOG_WEB_UI',
    },
    'web-ui-allow-public-bind': {
      type: 'switch',
      summary: 'Serve the web UI beyond this machine; needs an identity provider too.',
      env: 'CATALOG_WEB_UI_ALLOW_PUBLIC_BIND',
    },
    'web-ui-auth': {
      type: 'switch',
      summary: 'Let people sign in with the browser.',
      env: 'CATALOG_WEB_UI_AUTH',
    },
    'no-embeddings': {
      type: 'switch',
      summary: 'Make no vectors: searches find by words alone.',
      env: 'CATALOG_NO_EMBEDDINGS',
    },
    dev: {
      type: 'switch',
      summary: 'Serve an edit under an unchanged version as <version>+dev.<n>.',
    },
  },
  examples: [
    { command: 'catalog serve', summary: 'what is registered' },
    { command: 'catalog serve --layer-path .', summary: 'this folder, as you edit it' },
    {
      command: 'catalog serve --config registry.yaml',
      summary: 'as a file says',
    },
  ],
  long_lived: true,
  known_as: { start: 'serve', server: 'serve', run: 'serve' },
} as const satisfies CommandDefinition;
