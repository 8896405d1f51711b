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
  section: 'Deliver',
  summary: 'Write the artifacts of the registry into the harness.',
  description: [
    'Compares the registry with the files the last run wrote, then writes what is new or changed and removes what is gone. A file or entry that was there before catalog stays yours: it is never changed or deleted unless you hand it over with --take-over, and a different one in a needed place fails the run before anything is written. .catalog/sync.lock lists what catalog wrote.',
    'A run that would remove most of what is installed, or remove files because you are signed in as another user or not at all, changes nothing and says so; --allow-removal and --accept-identity proceed. `catalog undo` takes the last sync back.',
    'With --watch it stays and runs again whenever the registry or the overlay changes; under --json each run is then one document on one line.',
    'What an agent loaded over MCP stays until the selection takes it as well; --release takes it away, all of it or the ids after `=`.',
    'From an HTTP registry, it fails before anything is written if the registry serves different content under a version in sync.lock, or a lower version that it does not report as deprecated or withdrawn. --accept-changed and --allow-downgrade accept these changes.',
    'Executable content (hooks, MCP servers, allowed tools, inline commands, scripts) of a registry that only files of the workspace name is written after you approve it: in the prompt, or with --approve. An update that adds none passes. `executable_content` in sync.yaml sets the policy; `catalog trust list` shows your approvals.',
    'With --config it runs marketplace targets, too: their commands before, their rendering, their commands after. They run only from a file you trust: --trust says so for the file as it is now. Every target runs; the exit is 1 when one failed.',
  ],
  arguments: [],
  flags: {
    ...CONFIG_FLAGS,
    ...SELECTION_FLAGS,
    'dry-run': { type: 'switch', short: 'n', summary: 'Say what would change; write nothing.' },
    check: {
      type: 'switch',
      summary: 'Write nothing, and exit 1 when something would change: for CI.',
    },
    watch: { type: 'switch', short: 'w', summary: 'Stay, and run again on every change.' },
    poll: {
      type: 'switch',
      summary: 'With --watch: look every half second instead of waiting for file events.',
    },
    locked: {
      type: 'switch',
      summary: 'Deliver exactly what sync.lock names, or fail: for CI.',
    },
    remove: {
      type: 'switch',
      summary: 'Remove everything catalog wrote here, and nothing else.',
    },
    'take-over': {
      type: 'list',
      placeholder: 'glob',
      summary: 'Hand matching files of yours over to catalog; keeps a backup.',
    },
    recover: {
      type: 'switch',
      summary: 'Rebuild a lost sync.lock from the files that are there.',
    },
    'allow-removal': {
      type: 'switch',
      summary: 'Remove files even if most would go, or a harness is left out.',
    },
    'accept-identity': {
      type: 'switch',
      summary: 'Remove files that the current user cannot see.',
    },
    release: {
      type: 'optional',
      placeholder: 'id,...',
      summary: 'Take away what an agent loaded here over MCP: all of it, or these ids.',
    },
    ...RUNTIME_FLAGS,
    ...ACCEPT_FLAGS,
    ...APPROVE_FLAGS,
    'trust-lock': {
      type: 'switch',
      summary: 'With --locked: approve the executable content that sync.lock names.',
    },
    'skip-unsupported': {
      type: 'switch',
      summary: 'Report what the harness cannot take and go on, instead of failing.',
    },
    strict: {
      type: 'switch',
      summary: 'Fail if a harness would load an artifact differently than written.',
    },
    'on-clash': {
      type: 'text',
      values: ['fail', 'qualify'],
      summary: 'Two artifacts want one name: fail, or put the domain before it.',
      default: 'fail',
    },
    trust: {
      type: 'switch',
      summary: 'Trust the configuration file as it is now to run its commands.',
    },
    yes: {
      type: 'switch',
      short: 'y',
      summary: 'Agree to a first sync into the home folder, or to a recovery.',
    },
    quiet: { type: 'switch', short: 'q', summary: 'Print nothing but problems.' },
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
    { command: 'catalog sync', summary: 'deliver as .catalog/sync.yaml says' },
    {
      command: 'catalog sync --registry ./skills --harness harness-a',
      summary: 'deliver a folder without any configuration',
    },
    { command: 'catalog sync --check', summary: 'fail in CI when the workspace is behind' },
    {
      command: 'catalog sync --check --strict',
      summary: 'also fail in CI when a harness cannot keep what an artifact asks for',
    },
    { command: 'catalog sync --watch', summary: 'keep the workspace current while you write' },
    {
      command: "catalog sync --include 'ops/**' --type skill",
      summary: 'deliver only the skills of one domain',
    },
    {
      command: 'catalog sync --config publish.yaml --trust',
      summary: 'render and publish the marketplaces of a file you have read',
    },
    {
      command: 'catalog sync --release=ops/deploy/check',
      summary: 'take away one artifact an agent loaded',
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
    { command: 'catalog sync --remove', summary: 'take everything out again' },
  ],
  exit_one:
    'something would change (--check), an artifact of a folder registry cannot be read, or the run failed',
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
  summary: 'Artifacts, such as ops/deploy/check.',
  required: true,
  repeated: true,
} as const;

/** For the commands that switch artifacts on and off. */
export const SAVE_FLAGS = {
  save: {
    type: 'switch',
    summary: 'Save the choice in `sync.yaml`, so that every sync follows it.',
  },
} as const satisfies Record<string, FlagDefinition>;

const UNTIL_NEXT_SYNC =
  'Records the choice in sync.lock and runs a sync that keeps it. The choice lasts until the next plain `catalog sync`, which follows the configuration again and prints what it resets.';

export const syncEnableDefinition = {
  name: 'sync enable',
  section: 'Deliver',
  summary: 'Include artifacts that the current selection excludes.',
  description: [
    UNTIL_NEXT_SYNC,
    "With --save, removes the ids from `defaults.exclude` in the workspace's .catalog/sync.yaml (or the file --config names). If a pattern, another list or another file leaves an artifact out, nothing changes and the error names it.",
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
  section: 'Deliver',
  summary: 'Leave out artifacts that the current selection includes.',
  description: [
    UNTIL_NEXT_SYNC,
    "With --save, adds the ids to `defaults.exclude` in the workspace's .catalog/sync.yaml (or the file --config names), for all of its targets. The rest of the file stays as it is, comments and layout included.",
  ],
  arguments: [IDS_ARGUMENT],
  flags: { ...CONFIG_FLAGS, ...RUNTIME_FLAGS, ...SAVE_FLAGS, ...VERBOSE_FLAGS },
  examples: [
    {
      command: 'catalog sync disable ops/deploy/check',
      summary: 'leave one artifact out until the next plain sync',
    },
    {
      command: 'catalog sync disable --save ops/deploy/check',
      summary: 'leave it out of every sync',
    },
  ],
} as const satisfies CommandDefinition;
