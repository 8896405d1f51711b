import type { ConfigFlags, ConfigInput } from '@catalog/consumer/config/types';
import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import type { FlagDefinition, FlagValues } from '../command/definition.ts';
import type { Session } from '../command/session.ts';

export const CONFIG_FLAGS = {
  registry: {
    type: 'text',
    placeholder: 'path-or-url',
    summary: 'Registry to read: a folder or a server URL.',
    env: 'CATALOG_REGISTRY',
    completion: 'folder',
  },
  harness: {
    type: 'text',
    placeholder: 'name,...',
    alias: 'agent',
    summary: 'Harnesses to write for, separated by commas; see `catalog harness list`.',
    env: 'CATALOG_HARNESS',
    default: 'none',
    completion: 'harness',
  },
  target: {
    type: 'text',
    placeholder: 'folder',
    summary: 'Folder to write into.',
    default: 'the workspace',
    completion: 'folder',
  },
  profile: {
    type: 'text',
    placeholder: 'name',
    summary: 'Named profile in `sync.yaml`.',
  },
  config: {
    type: 'optional',
    placeholder: 'file',
    summary: "Run all configured targets, from this file or from the workspace's own.",
    completion: 'file',
  },
  overlay: {
    type: 'text',
    placeholder: 'folder',
    summary: 'Folder with your own artifacts, layered over the registry.',
    env: 'CATALOG_OVERLAY_PATH',
    default: '.catalog/overlay, if it exists',
    completion: 'folder',
  },
  scope: {
    type: 'text',
    values: ['workspace', 'user'],
    value_slips: { global: 'user', home: 'user', project: 'workspace', local: 'workspace' },
    summary: 'Scope of the sync: this workspace, or your home folder (`user`).',
    default: 'workspace',
  },
} as const satisfies Record<string, FlagDefinition>;

export const RUNTIME_FLAGS = {
  'ignore-runtime': {
    type: 'switch',
    summary: 'Install artifacts this machine cannot run, to prepare another one.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const ACCEPT_FLAGS = {
  'accept-changed': {
    type: 'list',
    placeholder: 'id',
    summary: 'Accept new content under a version already in sync.lock; may be repeated.',
  },
  'allow-downgrade': {
    type: 'switch',
    summary: 'Allow the registry to replace locked versions with lower ones.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const APPROVE_FLAGS = {
  approve: {
    type: 'list',
    placeholder: 'id-or-glob',
    summary: 'Approve the executable content of matching artifacts; may be repeated.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const VERBOSE_FLAGS = {
  verbose: { type: 'switch', summary: 'List every file and every warning.' },
} as const satisfies Record<string, FlagDefinition>;

export function toAcceptOptions(
  flags: FlagValues<typeof ACCEPT_FLAGS>,
): Pick<SyncOptions, 'accept_changed' | 'allow_downgrade'> {
  return {
    accept_changed: flags['accept-changed'],
    allow_downgrade: flags['allow-downgrade'],
  };
}

export const SELECTION_FLAGS = {
  include: {
    type: 'list',
    placeholder: 'glob',
    summary: 'Install only matching ids; may be repeated.',
  },
  exclude: {
    type: 'list',
    placeholder: 'glob',
    summary: 'Exclude matching ids; may be repeated.',
  },
  type: {
    type: 'list',
    placeholder: 'type',
    summary: 'Install only artifacts of this type; may be repeated.',
    completion: 'artifact-type',
  },
} as const satisfies Record<string, FlagDefinition>;

type Given = Partial<FlagValues<typeof CONFIG_FLAGS> & FlagValues<typeof SELECTION_FLAGS>>;

const NAMES = [
  'registry',
  'harness',
  'target',
  'profile',
  'config',
  'overlay',
  'scope',
  'include',
  'exclude',
  'type',
] as const satisfies (keyof Given & keyof ConfigFlags)[];

export function toConfigFlags(given: Given): ConfigFlags {
  const entries = NAMES.map((name) => [name, given[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export function toConfigInput({ cwd, home, env }: Session, flags: ConfigFlags): ConfigInput {
  return { cwd, home, env, flags };
}
