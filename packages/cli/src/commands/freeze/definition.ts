import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const NAME = { name: 'name', summary: 'Name of the window.', required: true } as const;

const OVERRIDE_FLAGS = {
  justification: {
    type: 'text',
    placeholder: 'text',
    summary: 'Reason; required to weaken an active window.',
  },
  approver: {
    type: 'list',
    placeholder: 'subject',
    summary: 'Admin who approved; may be repeated.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const freezeListDefinition = {
  name: 'freeze list',
  section: 'Administer',
  summary: 'List the freeze windows.',
  description: [
    "Windows with the source `file` come from the server's configuration and cannot be changed here.",
  ],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog freeze list', summary: 'list all' }],
} as const satisfies CommandDefinition;

export const freezeSetDefinition = {
  name: 'freeze set',
  section: 'Administer',
  summary: 'Create or replace a freeze window.',
  description: [
    'While a window is active, the registry ingests no layer. It ingests the layers that changed when the window ends.',
    'A window has one period, from --start to --end, or repeats: --starts and --ends are cron expressions with five fields in --time-zone.',
    'To end an active window earlier, two admins run `catalog freeze approve --window`, and are then named with --approver.',
  ],
  arguments: [NAME],
  flags: {
    ...REGISTRY_FLAG,
    start: { type: 'text', placeholder: 'time', summary: 'Start of the period.' },
    end: { type: 'text', placeholder: 'time', summary: 'End of the period.' },
    starts: { type: 'text', placeholder: 'cron', summary: 'Times at which a period starts.' },
    ends: { type: 'text', placeholder: 'cron', summary: 'Times at which a period ends.' },
    'time-zone': {
      type: 'text',
      placeholder: 'zone',
      summary: 'Time zone of --starts and --ends, such as Europe/Berlin.',
    },
    block: {
      type: 'list',
      placeholder: 'what',
      values: ['ingest', 'layer-config'],
      summary: 'Blocked action; may be repeated. Defaults to ingest.',
    },
    ...OVERRIDE_FLAGS,
  },
  examples: [
    {
      command: 'catalog freeze set release --start 2026-12-18T18:00:00Z --end 2027-01-04T06:00:00Z',
      summary: 'over the holidays',
    },
    {
      command:
        "catalog freeze set weekend --starts '0 18 * * 5' --ends '0 6 * * 1' --time-zone Europe/Berlin",
      summary: 'every weekend',
    },
  ],
} as const satisfies CommandDefinition;

export const freezeRemoveDefinition = {
  name: 'freeze remove',
  section: 'Administer',
  summary: 'Remove a freeze window.',
  description: [
    'To remove an active window, two admins run `catalog freeze approve --window`, and are then named with --approver.',
  ],
  arguments: [NAME],
  flags: { ...REGISTRY_FLAG, ...OVERRIDE_FLAGS },
  examples: [{ command: 'catalog freeze remove weekend', summary: 'one window' }],
} as const satisfies CommandDefinition;

export const freezeStatusDefinition = {
  name: 'freeze status',
  section: 'Administer',
  summary: 'Show active freeze windows, frozen layers, and approvals.',
  description: [
    'Frozen layers have changes that a window blocked. The registry ingests them when no window is active.',
  ],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog freeze status', summary: 'the current state' }],
} as const satisfies CommandDefinition;

export const freezeApproveDefinition = {
  name: 'freeze approve',
  section: 'Administer',
  summary: 'Approve an exception from a freeze window.',
  description: [
    'Approves the ingest of one commit of a layer, or a change that weakens a window. An approval is valid for one hour and used once, and two different admins must approve.',
    'The reference is the full commit id; `catalog layer ingests` shows the one that was blocked. For a layer that reads a folder, it is `*`.',
  ],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    layer: { type: 'text', placeholder: 'id', summary: 'Layer to ingest.' },
    reference: { type: 'text', placeholder: 'commit', summary: 'Commit to ingest.' },
    window: { type: 'text', placeholder: 'name', summary: 'Window to weaken or remove.' },
    justification: { type: 'text', placeholder: 'text', summary: 'Reason, for the audit log.' },
  },
  exclusive: [
    ['layer', 'window'],
    ['reference', 'window'],
  ],
  examples: [
    {
      command:
        'catalog freeze approve --layer team --reference 3d52ddb6abfe8cfa4a15aef2e5f6b1cd5b3b1a0f',
      summary: 'ingest one commit',
    },
    { command: 'catalog freeze approve --window release', summary: 'weaken a window' },
  ],
} as const satisfies CommandDefinition;
