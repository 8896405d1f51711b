import type { FileTree } from '@catalog/testkit/temporary-folder';

export const TYPES = [
  'skill',
  'agent',
  'context',
  'command',
  'rule',
  'hook',
  'mcp-server',
] as const;
export type SampleType = (typeof TYPES)[number];

export const IDS: Readonly<Record<SampleType, string>> = {
  skill: 'ops/check',
  agent: 'ops/triager',
  context: 'ops/terms',
  command: 'ops/ship',
  rule: 'ops/no-friday',
  hook: 'ops/log-stop',
  'mcp-server': 'ops/warehouse',
};

export const SKILL =
  '---\nname: check\ndescription: Verify a release before it goes out.\n---\nRun scripts/check.sh.\n';
export const AGENT =
  '---\ntype: agent\nname: triager\nversion: 1.0.0\ndescription: Sorts incidents by weight.\n---\nRank with scripts/rank.py.\n';
export const CONTEXT =
  '---\ntype: context\nname: terms\nversion: 1.0.0\ndescription: The words we use.\n---\nTerms.\n';
export const COMMAND =
  '---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Starts a release.\n---\nShip $ARGUMENTS as in templates/note.md.\n';
export const RULE = 'Do not release on a Friday.\n';
export const HOOK_ACTION = 'bash scripts/log.sh';

export function rule(mode: string, keys: string = ''): string {
  const own = 'rule_globs: "deploy/**"\nrule_description: When shipping.\n';
  return `---\ntype: rule\nname: no-friday\nversion: 1.0.0\ndescription: Keeps Fridays quiet.\nrule_mode: ${mode}\n${own}${keys}---\n${RULE}`;
}

export function hook(event: string, keys: string = ''): string {
  return `---\ntype: hook\nname: log-stop\nversion: 1.0.0\ndescription: Writes down what happens.\nhook_event: ${event}\nhook_action: ${HOOK_ACTION}\n${keys}---\n`;
}

const SERVER =
  '---\ntype: mcp-server\nname: wh\nversion: 1.0.0\ndescription: Access to the warehouse.\nserver_identifier: npx:wh-mcp\nenv: {KEY: "${secret:WH_KEY}"}\n---\n';

const FILES: Readonly<Record<SampleType, FileTree>> = {
  skill: {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': SKILL,
    'scripts/check.sh': { x: '#!/bin/sh\n' },
    'references/policy.md': 'Never on Fridays.\n',
    'assets/form.txt': 'Form.\n',
  },
  agent: { 'ARTIFACT.md': AGENT, 'scripts/rank.py': 'rank()\n' },
  context: { 'ARTIFACT.md': CONTEXT, 'more.md': 'More.\n' },
  command: { 'ARTIFACT.md': COMMAND, 'templates/note.md': 'Note.\n' },
  rule: { 'ARTIFACT.md': rule('always'), 'calendar.txt': 'Friday\n' },
  hook: { 'ARTIFACT.md': hook('stop'), 'scripts/log.sh': { x: '#!/bin/sh\n' } },
  'mcp-server': { 'ARTIFACT.md': SERVER, 'docs/setup.md': 'Setup.\n' },
};

export function catalogOf(...types: readonly SampleType[]): FileTree {
  return Object.fromEntries(
    types.flatMap((type) =>
      Object.entries(FILES[type]).map(([path, content]) => [`${IDS[type]}/${path}`, content]),
    ),
  );
}
