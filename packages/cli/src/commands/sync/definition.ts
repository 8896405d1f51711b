import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import {
  ACCEPT_FLAGS,
  APPROVE_FLAGS,
  CONFIG_FLAGS,
  RUNTIME_FLAGS,
  SELECTION_FLAGS,
  VERBOSE_FLAGS,
} from '../config-flags.ts';

export const syncDefinition = {
  name: 'sync',
  section: 'Install',
  summary: 'Install artifacts from the registry into your harnesses.',
  description: [
    'Installs new and changed artifacts and removes files of artifacts that are gone. Your own files are never changed or deleted: a file that existed before stays yours unless you pass --take-over, and if its content conflicts with an artifact, the sync fails before writing anything. .catalog/sync.lock lists the managed files.',
    'A sync that would remove most managed files, or remove files because you are signed out or signed in as another user, changes nothing and fails. To proceed, pass --allow-removal or --accept-identity. To revert the last sync, run `catalog undo`.',
    'Prints one line per harness. --verbose lists every file and warning. `catalog warnings` lists the warnings and acknowledges them.',
    '--watch keeps running and syncs whenever the registry or the overlay changes. With --json, each run prints one document on one line.',
    'From an HTTP registry, the sync fails before writing anything if the registry serves different content under a version in sync.lock, or a lower version although the locked one is not deprecated or withdrawn. To accept these changes, pass --accept-changed or --allow-downgrade.',
    'If only files of the workspace name the registry, you must approve its executable content (hooks, MCP servers, allowed tools, inline commands, scripts) in the prompt or with --approve. Updates that add no executable content need no approval. `executable_content` in sync.yaml sets the policy; `catalog trust list` shows your approvals.',
    'With --config, also renders marketplace targets and runs their commands, but only from a file you trust; --trust trusts its current content. All targets run; if one fails, the exit code is 1.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    ...SELECTION_FLAGS,
    'dry-run': {
      type: 'switch',
      short: 'n',
      summary: 'Show what would change without writing it.',
    },
    check: {
      type: 'switch',
      summary: 'Write nothing and exit with 1 if anything would change; for CI.',
    },
    watch: { type: 'switch', short: 'w', summary: 'Keep running and sync on every change.' },
    poll: {
      type: 'switch',
      summary: 'With --watch: poll every half second instead of using file events.',
    },
    locked: {
      type: 'switch',
      summary: 'Install exactly the versions in sync.lock, or fail; for CI.',
    },
    remove: {
      type: 'switch',
      summary: 'Remove everything catalog installed here.',
    },
    'take-over': {
      type: 'list',
      placeholder: 'glob',
      summary: 'Let catalog manage matching files of yours; keeps a backup.',
    },
    recover: {
      type: 'switch',
      summary: 'Rebuild a lost sync.lock from the existing files.',
    },
    'allow-removal': {
      type: 'switch',
      summary: 'Allow removing most files, or all files of a harness.',
    },
    'accept-identity': {
      type: 'switch',
      summary: 'Allow removing files the current user cannot access.',
    },
    release: {
      type: 'optional',
      placeholder: 'id,...',
      summary: 'Remove artifacts an agent loaded over MCP: all, or these ids.',
    },
    ...RUNTIME_FLAGS,
    ...ACCEPT_FLAGS,
    ...APPROVE_FLAGS,
    'trust-lock': {
      type: 'switch',
      summary: 'With --locked: approve the executable content listed in sync.lock.',
    },
    'skip-unsupported': {
      type: 'switch',
      summary: 'Skip artifacts the harness does not support instead of failing.',
    },
    strict: {
      type: 'switch',
      summary: 'Fail if a harness cannot load an artifact as written.',
    },
    'on-clash': {
      type: 'text',
      values: ['fail', 'qualify'],
      summary: 'If two artifacts have the same name: fail, or prefix the domain.',
      default: 'fail',
    },
    trust: {
      type: 'switch',
      summary: 'Trust the current content of the configuration file to run commands.',
    },
    yes: {
      type: 'switch',
      short: 'y',
      summary: 'Confirm a first sync into the home folder, or a recovery.',
    },
    quiet: { type: 'switch', short: 'q', summary: 'Print only problems.' },
    ...VERBOSE_FLAGS,
  },
  exclusive: [
    ['quiet', 'verbose'],
    ['dry-run', 'check', 'watch'],
    ['remove', 'check', 'watch'],
    ['remove', 'locked', 'watch'],
    ['release', 'remove', 'watch'],
    ['take-over', 'remove', 'watch'],
    ['recover', 'remove', 'watch'],
    ['allow-removal', 'remove', 'watch'],
    ['accept-identity', 'remove', 'watch'],
    ['accept-changed', 'locked', 'remove', 'watch'],
    ['allow-downgrade', 'locked', 'remove', 'watch'],
    ['approve', 'remove', 'watch'],
    ['trust-lock', 'remove', 'watch'],
    ['strict', 'remove'],
  ],
  examples: [
    { command: 'catalog sync', summary: 'sync as configured in .catalog/sync.yaml' },
    {
      command: 'catalog sync --registry ./skills --harness claude-code',
      summary: 'sync a folder without configuration',
    },
    { command: 'catalog sync --check', summary: 'fail in CI if the workspace is out of date' },
    {
      command: 'catalog sync --check --strict',
      summary: 'also fail if a harness cannot load an artifact as written',
    },
    { command: 'catalog sync --watch', summary: 'sync while you edit' },
    {
      command: "catalog sync --include 'ops/**' --type skill",
      summary: 'install only the skills of one domain',
    },
    {
      command: 'catalog sync --config publish.yaml --trust',
      summary: 'publish the marketplaces of a file you trust',
    },
    {
      command: 'catalog sync --release=ops/deploy/check',
      summary: 'remove one artifact an agent loaded',
    },
    {
      command: "catalog sync --take-over '.claude/skills/review/**'",
      summary: 'let catalog manage a skill you wrote by hand',
    },
    {
      command: 'catalog sync --accept-changed ops/deploy/check',
      summary: 'accept content the registry changed without a new version',
    },
    {
      command: "catalog sync --approve 'ops/**'",
      summary: 'approve the executable content of one domain',
    },
    { command: 'catalog sync --remove', summary: 'remove everything' },
  ],
  exit_one: 'something would change (--check), an artifact is invalid, or the sync failed',
  known_as: {
    install: 'sync',
    add: 'sync enable',
    pull: 'sync',
    apply: 'sync',
    remove: 'sync --remove',
    uninstall: 'sync --remove',
    watch: 'sync --watch',
    check: 'sync --check',
    enable: 'sync enable',
    disable: 'sync disable',
    recover: 'sync --recover',
    'take-over': 'sync --take-over',
  },
} as const satisfies CommandDefinition;

const IDS_ARGUMENT = {
  name: 'id',
  summary: 'Artifact ids, such as ops/deploy/check.',
  required: true,
  repeated: true,
} as const;

export const SAVE_FLAGS = {
  save: {
    type: 'switch',
    summary: 'Save the choice in `sync.yaml` for every sync.',
  },
} as const satisfies Record<string, FlagDefinition>;

const UNTIL_NEXT_SYNC =
  'Records the choice in sync.lock and runs a sync. The choice lasts until the next plain `catalog sync`, which follows the configuration again and prints what it resets.';

export const syncEnableDefinition = {
  name: 'sync enable',
  section: 'Install',
  summary: 'Include artifacts that the current selection excludes.',
  description: [
    UNTIL_NEXT_SYNC,
    'With --save, removes the ids from `defaults.exclude` in .catalog/sync.yaml or the --config file. If a pattern, another list or another file excludes an artifact, nothing changes and the error names it.',
  ],
  arguments: [IDS_ARGUMENT],
  flags: { ...CONFIG_FLAGS, ...RUNTIME_FLAGS, ...SAVE_FLAGS, ...VERBOSE_FLAGS },
  examples: [
    {
      command: 'catalog sync enable ops/deploy/check',
      summary: 'include one artifact until the next plain sync',
    },
    {
      command: 'catalog sync enable --save ops/deploy/check',
      summary: 'undo `sync disable --save`',
    },
  ],
} as const satisfies CommandDefinition;

export const syncDisableDefinition = {
  name: 'sync disable',
  section: 'Install',
  summary: 'Exclude artifacts that the current selection includes.',
  description: [
    UNTIL_NEXT_SYNC,
    'With --save, adds the ids to `defaults.exclude` in .catalog/sync.yaml or the --config file, for all of its targets. The rest of the file, including comments and layout, stays unchanged.',
  ],
  arguments: [IDS_ARGUMENT],
  flags: { ...CONFIG_FLAGS, ...RUNTIME_FLAGS, ...SAVE_FLAGS, ...VERBOSE_FLAGS },
  examples: [
    {
      command: 'catalog sync disable ops/deploy/check',
      summary: 'exclude one artifact until the next plain sync',
    },
    {
      command: 'catalog sync disable --save ops/deploy/check',
      summary: 'exclude it from every sync',
    },
  ],
} as const satisfies CommandDefinition;
