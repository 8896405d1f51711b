import { PLACEHOLDER_PROSE, placeholderDescription } from '@catalog/core/artifact/placeholders';
import type {
  FirstClassType,
  HookEvent,
  RuleMode,
  Sensitivity,
} from '@catalog/core/artifact/types';
import { yamlList, yamlScalar } from '../yaml-scalar.ts';

export interface Start {
  type: FirstClassType;
  id: string;
  name: string;
  description: string | undefined;
  tags: readonly string[];
  sensitivity: Sensitivity | undefined;
  extends: string | undefined;
  rule_mode: RuleMode;
  rule_globs: string | undefined;
  rule_description: string | undefined;
  hook_event: HookEvent;
  hook_action: string | undefined;
  server_identifier: string | undefined;
}

export interface StartingFile {
  path: string;
  text: string;
  executable?: boolean;
}

const FIRST_VERSION = '0.1.0';

/** Keys with YAML values; undefined leaves out the key. */
type Keys = readonly (readonly [key: string, value: string | undefined])[];

export function startingFiles(start: Start): StartingFile[] {
  const body = BODIES[start.type](start);
  const name = ['name', yamlScalar(start.name)] as const;
  const description = ['description', describe(start)] as const;
  if (start.type === 'skill') {
    return [
      { path: 'ARTIFACT.md', text: manifest([['type', 'skill'], ...ownKeys(start)], '') },
      { path: 'SKILL.md', text: manifest([name, description], body) },
    ];
  }
  const keys: Keys = [
    ['type', start.type],
    name,
    ...ownKeys(start),
    description,
    ...typeKeys(start),
  ];
  const files: StartingFile[] = [{ path: 'ARTIFACT.md', text: manifest(keys, body) }];
  if (start.type === 'hook' && start.hook_action === undefined) {
    files.push({ path: scriptPath(start), text: HOOK_SCRIPT, executable: true });
  }
  return files;
}

function describe({ description, id, type }: Start): string {
  return yamlScalar(description ?? placeholderDescription(type, id));
}

function optionalScalar(text: string | undefined): string | undefined {
  return text === undefined ? undefined : yamlScalar(text);
}

function ownKeys({ tags, sensitivity, extends: parent }: Start): Keys {
  return [
    ['version', FIRST_VERSION],
    ['extends', optionalScalar(parent)],
    ['tags', tags.length === 0 ? undefined : yamlList(tags)],
    ['sensitivity', sensitivity],
  ];
}

function typeKeys(start: Start): Keys {
  if (start.type === 'rule') return ruleKeys(start);
  if (start.type === 'hook') {
    return [
      ['hook_event', start.hook_event],
      ['hook_action', yamlScalar(start.hook_action ?? `bash ${scriptPath(start)}`)],
    ];
  }
  if (start.type === 'mcp-server') {
    return [['server_identifier', optionalScalar(start.server_identifier)]];
  }
  return [];
}

function ruleKeys(start: Start): Keys {
  const { rule_mode, rule_globs, rule_description } = start;
  const keys: Keys = [['rule_mode', rule_mode]];
  if (rule_mode === 'glob') return [...keys, ['rule_globs', optionalScalar(rule_globs)]];
  if (rule_mode !== 'auto') return keys;
  return [...keys, ['rule_description', optionalScalar(rule_description) ?? describe(start)]];
}

function manifest(keys: Keys, body: string): string {
  const lines = keys.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
  return `---\n${lines.join('\n')}\n---\n${body === '' ? '' : `\n${body}`}`;
}

function scriptPath({ name }: Start): string {
  return `scripts/${name}.sh`;
}

const BODIES: Readonly<Record<FirstClassType, (start: Start) => string>> = {
  skill: ({ name }) => `# ${title(name)}

${PLACEHOLDER_PROSE.skill}

Put other files of the skill next to this one: scripts in scripts/, long documents in references/,
templates in assets/. Mention them here so the agent opens them when it needs them.
`,
  agent: ({ name }) => `You are ${title(name)}. ${PLACEHOLDER_PROSE.agent}
`,
  context: ({ name }) => `# ${title(name)}

${PLACEHOLDER_PROSE.context}
`,
  command: () => `${PLACEHOLDER_PROSE.command}
Its arguments: $ARGUMENTS
`,
  rule: () => `${PLACEHOLDER_PROSE.rule}
`,
  hook: () => `${PLACEHOLDER_PROSE.hook}
`,
  'mcp-server': () => `${PLACEHOLDER_PROSE['mcp-server']}
`,
};

const HOOK_SCRIPT = `#!/usr/bin/env bash
# Runs when the event happens. One JSON object describes it on stdin.
# Exit 0 to go on; exit 2 to stop, with the reason on stderr.
set -euo pipefail

event=$(cat)
`;

function title(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
