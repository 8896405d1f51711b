export interface Suite {
  version: string;
  revision: string;
  passes: readonly string[];
  /** Scenarios that do not apply, by reason. */
  left_out: Readonly<Record<string, readonly string[]>>;
}

const NO_COMPLETION =
  'catalog-mcp completes nothing: an id is found by a search, and a command takes free text';
const NO_WATCHED_RESOURCES =
  'a host is told that the list has changed, not that one artifact has: a version never does';
const TEXT_PROMPTS =
  'a prompt is the text of a command with one argument, `arguments`; it has no others, no images and no files';
const NO_PROMPT_ELICITATION = 'a prompt asks its host for nothing';
const NO_SAMPLING = 'catalog-mcp never asks the model of the host for anything';
const NO_LOGGING = 'catalog-mcp writes its log to stderr, as revision 2026-07-28 asks for';
const NO_SESSIONS =
  'over HTTP, requests before revision 2026-07-28 are independent: without a session, the server cannot send a request to the host. Over stdio it can; tests/e2e/mcp-tools.e2e.test.ts checks that';
const NO_STATE =
  'catalog-mcp keeps no state with the host: a call that comes again says all there is';

const SURFACES = [
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
];

const OTHER_PROMPTS = [
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

const TOOLS = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'dns-rebinding-protection',
];

export const suites: readonly Suite[] = [
  {
    version: '0.1.16',
    revision: '2025-11-25',
    passes: ['server-initialize', 'ping', ...TOOLS, ...SURFACES],
    left_out: {
      [NO_COMPLETION]: ['completion-complete'],
      [NO_WATCHED_RESOURCES]: ['resources-subscribe', 'resources-unsubscribe'],
      [TEXT_PROMPTS]: OTHER_PROMPTS,
      [NO_LOGGING]: ['logging-set-level', 'tools-call-with-logging'],
      [NO_SAMPLING]: ['tools-call-sampling'],
      [NO_SESSIONS]: [
        'tools-call-elicitation',
        'elicitation-sep1034-defaults',
        'elicitation-sep1330-enums',
        'server-sse-polling',
        'server-sse-multiple-streams',
      ],
    },
  },
  {
    version: '0.2.0-alpha.12',
    revision: '2026-07-28',
    passes: [
      ...TOOLS,
      ...SURFACES,
      'caching',
      'server-stateless',
      'server-sse-multiple-streams',
      'sep-2164-resource-not-found',
      'http-header-validation',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-missing-input-response',
      'input-required-result-result-type',
      'input-required-result-unsupported-methods',
      'input-required-result-ignore-extra-params',
      'input-required-result-validate-input',
    ],
    left_out: {
      [NO_COMPLETION]: ['completion-complete'],
      [TEXT_PROMPTS]: OTHER_PROMPTS,
      [NO_PROMPT_ELICITATION]: ['input-required-result-non-tool-request'],
      [NO_SAMPLING]: [
        'input-required-result-basic-sampling',
        'input-required-result-multiple-input-requests',
        'input-required-result-capability-check',
      ],
      [NO_STATE]: [
        'input-required-result-request-state',
        'input-required-result-multi-round',
        'input-required-result-tampered-state',
      ],
      'No argument of the four tools is to be read from a header': [
        'http-custom-header-server-validation',
      ],
    },
  },
];
