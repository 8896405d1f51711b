import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Fixture {
  name: string;
  registry: string;
  skills: readonly string[];
  agents: readonly string[];
  commands: readonly string[];
  /** Text that a request to the model contains only if the first command was expanded. */
  command_text: string;
  rules: readonly FixtureRule[];
  contexts: readonly string[];
  hooks: readonly string[];
  servers: readonly string[];
  open_servers: readonly string[];
  /** File to which the `touched` rules apply; the prompt names it. */
  file: string;
}

export interface FixtureRule {
  name: string;
  /** Text that a request to the model contains only if the rule was loaded. */
  text: string;
  scope: 'always' | 'touched' | 'untouched';
  /** False if the author wrote `always`. */
  has_condition: boolean;
}

export const small: Fixture = {
  name: 'small',
  registry: join(ROOT, 'tests/fixtures/harness-programs/registry'),
  skills: ['alpha', 'beta'],
  agents: ['helper'],
  commands: ['greet'],
  command_text: 'COMMAND-GREET. Say hello to bob.',
  rules: [
    { name: 'always-on', text: 'RULE-ALWAYS', scope: 'always', has_condition: false },
    { name: 'by-name', text: 'RULE-EXPLICIT', scope: 'always', has_condition: true },
    { name: 'for-docs', text: 'RULE-DOCS', scope: 'untouched', has_condition: true },
    { name: 'for-source', text: 'RULE-SOURCE', scope: 'touched', has_condition: true },
    { name: 'when-asked', text: 'RULE-AUTO', scope: 'always', has_condition: true },
  ],
  contexts: [],
  hooks: ['guard'],
  servers: ['local', 'open', 'remote'],
  open_servers: ['open'],
  file: 'src/main.ts',
};

const EVERYTHING = join(ROOT, 'packages/testkit/fixtures/everything/registry');

/** The contents are read from the registry because the fixture grows. */
export const everything: Fixture = {
  name: 'everything',
  registry: EVERYTHING,
  skills: namesOf(EVERYTHING, 'skill'),
  agents: namesOf(EVERYTHING, 'agent'),
  commands: namesOf(EVERYTHING, 'command'),
  command_text: 'Ship bob. Fill in',
  rules: [
    {
      name: 'always-signed',
      text: 'is signed with a key of the team',
      scope: 'always',
      has_condition: false,
    },
    { name: 'archive', text: 'Old releases are archived', scope: 'always', has_condition: true },
    {
      name: 'incident-tone',
      text: 'Say what is known, then what is not',
      scope: 'always',
      has_condition: true,
    },
    {
      name: 'no-friday',
      text: 'Do not release on a Friday',
      scope: 'touched',
      has_condition: true,
    },
  ],
  contexts: namesOf(EVERYTHING, 'context').filter((name) => name !== 'raw-only'),
  hooks: namesOf(EVERYTHING, 'hook'),
  servers: ['metrics', 'tickets', 'wh'],
  open_servers: ['wh'],
  file: 'deploy/plan.txt',
};

function namesOf(registry: string, type: string): string[] {
  const folders = readdirSync(registry, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:ARTIFACT|SKILL)\.md$/.test(path))
    .filter((path) => typeOf(readFileSync(join(registry, path), 'utf8')) === type)
    .map((path) => basename(dirname(path)));
  return [...new Set(folders)].toSorted();
}

/** A `SKILL.md` has no type and is a skill, with or without a manifest. */
function typeOf(text: string): string {
  return text.match(/^type: (\S+)$/m)?.[1] ?? 'skill';
}
