import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const FILTER_FLAGS = {
  type: {
    type: 'list',
    placeholder: 'type',
    summary: 'Only records of this type, such as layer.config_changed; may be repeated.',
  },
  caller: { type: 'text', placeholder: 'user', summary: 'Only records of this caller.' },
  layer: { type: 'text', placeholder: 'layer', summary: 'Only records about this layer.' },
  since: {
    type: 'text',
    placeholder: 'time',
    summary: 'Start, as a duration such as 7d or a time such as 2026-11-01T09:30:00Z.',
  },
  until: { type: 'text', placeholder: 'time', summary: 'End, in the same forms as --since.' },
} as const satisfies Record<string, FlagDefinition>;

export const auditTailDefinition = {
  name: 'audit tail',
  section: 'Administer',
  summary: 'Show the newest records of the audit log.',
  description: [
    'Shows the newest records, oldest first. With --follow, waits for new records and shows them until you press Ctrl-C. Administrators only.',
  ],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    limit: {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of records.',
      default: '20',
    },
    follow: { type: 'switch', short: 'f', summary: 'Wait for new records.' },
  },
  examples: [
    { command: 'catalog audit tail', summary: 'the newest 20 records' },
    { command: 'catalog audit tail --follow', summary: 'and every new one' },
  ],
  long_lived: true,
  known_as: { audit: 'audit tail' },
} as const satisfies CommandDefinition;

export const auditSearchDefinition = {
  name: 'audit search',
  section: 'Administer',
  summary: 'Search the audit log, newest records first.',
  description: [
    'Lists the records that match all filters. The registry reads the log from its end, 1,000 records per request. --since limits how far it reads. Administrators only.',
  ],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    ...FILTER_FLAGS,
    limit: {
      type: 'text',
      placeholder: 'n',
      summary: 'Maximum number of records.',
      default: '50',
    },
  },
  examples: [
    { command: 'catalog audit search --caller alice --since 30d', summary: 'changes of one user' },
    {
      command: 'catalog audit search --type admin.granted',
      summary: 'who became an administrator, and who granted it',
    },
  ],
} as const satisfies CommandDefinition;

export const auditExportDefinition = {
  name: 'audit export',
  section: 'Administer',
  summary: 'Export the audit log as JSON lines.',
  description: [
    'Prints one JSON document per line, oldest record first: the position in the log, and the record. Administrators only.',
  ],
  arguments: [],
  flags: { ...REGISTRY_FLAG, ...FILTER_FLAGS },
  examples: [
    { command: 'catalog audit export > audit.jsonl', summary: 'the whole log' },
    {
      command: 'catalog audit export --since 2026-10-01 --until 2026-11-01',
      summary: 'one month',
    },
  ],
} as const satisfies CommandDefinition;

export const auditWhoDefinition = {
  name: 'audit who',
  section: 'Administer',
  summary: 'Show who loaded an artifact or a version.',
  description: [
    'Lists the users who loaded the artifact, with the versions, the layers, and the time of the first and last load. The registry records at most one load per user, version, and minute. Administrators only.',
  ],
  arguments: [
    { name: 'artifact', summary: 'Artifact id, optionally with an exact version.', required: true },
  ],
  flags: {
    ...REGISTRY_FLAG,
    since: { ...FILTER_FLAGS.since, default: '30d' },
    until: FILTER_FLAGS.until,
  },
  examples: [
    { command: 'catalog audit who ops/deploy', summary: 'the last 30 days' },
    {
      command: 'catalog audit who ops/deploy@1.2.0 --since 2026-10-01 --until 2026-11-01',
      summary: 'one version in one month',
    },
  ],
  known_as: { who: 'audit who <artifact>' },
} as const satisfies CommandDefinition;
