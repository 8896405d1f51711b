import { EVENT_NAMES } from '@catalog/contract/event-names';
import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const ID = {
  name: 'id',
  summary: 'Receiver id, from `catalog webhook list`.',
  required: true,
} as const;

const DELIVERY = {
  name: 'delivery',
  summary: 'Delivery id, from `catalog webhook deliveries`.',
  required: true,
} as const;

const RECEIVER = '5b0e6d5c-8f0e-4d52-9f0b-2f6c0a7d1e34';
const MESSAGE = 'msg_c1f7a3d2-0b64-4c1e-8a59-7d3e5f2b9a10';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const EVENT_FLAG = {
  event: {
    type: 'list',
    placeholder: 'name',
    values: EVENT_NAMES,
    summary: 'Event to deliver; may be repeated.',
    default: 'every event',
  },
} as const satisfies Record<string, FlagDefinition>;

/** Flag with a file for the secret: other users and the shell history can read a command line. */
const SECRET_FLAG = {
  'secret-file': {
    type: 'text',
    placeholder: 'file',
    summary: 'File that contains the secret; - reads standard input.',
    completion: 'file',
  },
} as const satisfies Record<string, FlagDefinition>;

const DEBOUNCE_FLAG = {
  debounce: {
    type: 'text',
    placeholder: 'duration',
    summary: 'Collect events for this long and send one batch; 1s to 24h.',
  },
} as const satisfies Record<string, FlagDefinition>;

const ORDERED_FLAG = {
  ordered: {
    type: 'switch',
    summary: 'Send one delivery at a time, in the order of the events.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const webhookCreateDefinition = {
  name: 'webhook create',
  section: 'Serve',
  summary: 'Send events of the registry to a URL.',
  description: [
    'Creates a webhook receiver. The registry sends every matching event to the URL, signs it with the secret, and retries failed deliveries. The URL must use https and resolve to a public address, unless the operator allows its host.',
    'The registry generates a secret unless you pass --secret-file. The secret is shown once.',
  ],
  arguments: [{ name: 'url', summary: 'https URL of the receiver.', required: true }],
  flags: {
    ...REGISTRY_FLAG,
    ...EVENT_FLAG,
    ...DEBOUNCE_FLAG,
    ...ORDERED_FLAG,
    ...SECRET_FLAG,
    disabled: { type: 'switch', summary: 'Create the receiver without sending events to it.' },
  },
  examples: [
    {
      command: 'catalog webhook create https://ci.example.com/catalog --event layer.ingested',
      summary: 'send one kind of event',
    },
    {
      command: 'catalog webhook create https://chat.example.com/hook --debounce 5m',
      summary: 'send one batch for all events within five minutes',
    },
  ],
} as const satisfies CommandDefinition;

export const webhookListDefinition = {
  name: 'webhook list',
  section: 'Serve',
  summary: 'List webhook receivers and their state.',
  description: [],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog webhook list', summary: 'list all' }],
  known_as: { webhooks: 'webhook list', hooks: 'webhook list' },
} as const satisfies CommandDefinition;

export const webhookShowDefinition = {
  name: 'webhook show',
  section: 'Serve',
  summary: 'Show a webhook receiver.',
  description: ['The secret is not shown: the registry returns it only when it is created.'],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: `catalog webhook show ${RECEIVER}`, summary: 'one receiver' }],
} as const satisfies CommandDefinition;

export const webhookUpdateDefinition = {
  name: 'webhook update',
  section: 'Serve',
  summary: 'Change, enable or disable a webhook receiver.',
  description: [
    'Settings you do not pass stay unchanged.',
    '--rotate-secret generates a new secret and shows it once. For 24 hours, the registry signs each delivery with the new and the old secret.',
    '--enable also clears the failure count. A receiver that the registry disabled gets the events it missed, for up to 7 days; one that an admin disabled does not.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    url: { type: 'text', placeholder: 'url', summary: 'New https URL of the receiver.' },
    ...EVENT_FLAG,
    'all-events': { type: 'switch', summary: 'Deliver every event.' },
    ...DEBOUNCE_FLAG,
    'no-debounce': { type: 'switch', summary: 'Send each event on its own.' },
    ...ORDERED_FLAG,
    'no-ordered': { type: 'switch', summary: 'Send several deliveries at a time.' },
    enable: { type: 'switch', summary: 'Resume deliveries.' },
    disable: { type: 'switch', summary: 'Suspend deliveries.' },
    'rotate-secret': { type: 'switch', summary: 'Generate a new secret, shown once.' },
    ...SECRET_FLAG,
  },
  exclusive: [
    ['event', 'all-events'],
    ['debounce', 'no-debounce'],
    ['ordered', 'no-ordered'],
    ['enable', 'disable'],
    ['rotate-secret', 'secret-file'],
  ],
  examples: [
    {
      command: `catalog webhook update ${RECEIVER} --event artifact.published --event artifact.removed`,
      summary: 'deliver exactly these events',
    },
    { command: `catalog webhook update ${RECEIVER} --enable`, summary: 'resume deliveries' },
    {
      command: `catalog webhook update ${RECEIVER} --rotate-secret`,
      summary: 'replace the secret',
    },
  ],
} as const satisfies CommandDefinition;

export const webhookDeleteDefinition = {
  name: 'webhook delete',
  section: 'Serve',
  summary: 'Delete a webhook receiver and its deliveries.',
  description: ['This cannot be undone. To suspend deliveries, run `catalog webhook update`.'],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    yes: { type: 'switch', short: 'y', summary: 'Delete without asking.' },
  },
  examples: [{ command: `catalog webhook delete ${RECEIVER} --yes`, summary: 'one receiver' }],
} as const satisfies CommandDefinition;

export const webhookTestDefinition = {
  name: 'webhook test',
  section: 'Serve',
  summary: 'Send a test event to a webhook receiver.',
  description: [
    'Sends the event `webhook.test` at once, whatever the receiver filters and whatever else waits for it, and waits for the response. The event is not sent again.',
  ],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: `catalog webhook test ${RECEIVER}`, summary: 'one receiver' }],
  exit_one: 'the receiver did not accept the test event, or the command failed',
} as const satisfies CommandDefinition;

export const webhookDeliveriesDefinition = {
  name: 'webhook deliveries',
  section: 'Serve',
  summary: 'List recent deliveries of a webhook receiver.',
  description: [
    'Lists pending, failed and recent deliveries, newest first. --delivery shows one of them with its body and the start of the response.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    state: {
      type: 'text',
      values: ['pending', 'delivered', 'failed'],
      summary: 'List only deliveries in this state.',
    },
    limit: {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of deliveries.',
      default: '20',
    },
    delivery: { type: 'text', placeholder: 'delivery', summary: 'Show this delivery in full.' },
  },
  exclusive: [
    ['delivery', 'state'],
    ['delivery', 'limit'],
  ],
  examples: [
    { command: `catalog webhook deliveries ${RECEIVER}`, summary: 'list the newest' },
    {
      command: `catalog webhook deliveries ${RECEIVER} --state failed --limit 100`,
      summary: 'list failed deliveries',
    },
    {
      command: `catalog webhook deliveries ${RECEIVER} --delivery ${MESSAGE}`,
      summary: 'show one with its body',
    },
  ],
} as const satisfies CommandDefinition;

export const webhookRedeliverDefinition = {
  name: 'webhook redeliver',
  section: 'Serve',
  summary: 'Send a delivery again.',
  description: ['Sends the same id and body, with a new timestamp and signature.'],
  arguments: [ID, DELIVERY],
  flags: { ...REGISTRY_FLAG },
  examples: [
    { command: `catalog webhook redeliver ${RECEIVER} ${MESSAGE}`, summary: 'one delivery' },
  ],
} as const satisfies CommandDefinition;

export const webhookRecoverDefinition = {
  name: 'webhook recover',
  section: 'Serve',
  summary: 'Send failed deliveries again.',
  description: ['Queues every failed delivery that was created since a time.'],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    since: {
      type: 'text',
      placeholder: 'time',
      summary: 'Start, as a duration such as 2h or a time such as 2026-11-01T09:30:00Z.',
    },
  },
  examples: [
    { command: `catalog webhook recover ${RECEIVER} --since 2h`, summary: 'of the last two hours' },
  ],
} as const satisfies CommandDefinition;

export const webhookListenDefinition = {
  name: 'webhook listen',
  section: 'Serve',
  summary: 'Forward events to a local URL, for development.',
  description: [
    'Follows the event stream of the registry, signs each event as the registry does, and posts it to the URL. No receiver is created, and failed deliveries are not retried. Events that occur while the connection is down are forwarded after it is restored.',
    'The secret comes from --secret-file. Without it, the command generates a secret and prints it at the start.',
    'With --json, each delivery is one JSON document on one line. Ctrl-C stops the command and prints a summary.',
  ],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    forward: {
      type: 'text',
      placeholder: 'url',
      summary: 'http or https URL to post events to.',
    },
    ...EVENT_FLAG,
    ...SECRET_FLAG,
  },
  examples: [
    {
      command: 'catalog webhook listen --forward http://localhost:3000/webhooks',
      summary: 'forward every event',
    },
    {
      command:
        'catalog webhook listen --forward http://localhost:3000/ --event layer.ingested --secret-file secret.txt',
      summary: 'forward one kind of event, with your own secret',
    },
  ],
  long_lived: true,
} as const satisfies CommandDefinition;
