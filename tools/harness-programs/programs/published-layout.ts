import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { nativeEvents, ruleFiles, serversWithoutSecrets } from '../expected.ts';
import type { Fixture } from '../fixtures.ts';
import type { HarnessProgram, Loaded } from '../program.ts';
import { openSkill } from '../schemas/agent-plugins.ts';
import { readFrontmatter, readJson } from '../read-files.ts';
import { editText } from '../workspace.ts';

export interface PublishedLayout extends Pick<
  HarnessProgram,
  'name' | 'title' | 'version' | 'profile'
> {
  stands_in: string;
  skills: string;
  /** One file per rule, or one file with all rules. */
  rules: { folder: string; frontmatter: z.ZodType; breaks: [from: string, to: string] } | string;
  agents?: { folder: string; frontmatter: z.ZodType; breaks: [from: string, to: string] };
  commands?: { folder: string; frontmatter: z.ZodType };
  hooks?: {
    read: (workspace: string) => string[];
    once?: true;
    breaks: (workspace: string) => void;
  };
  servers?: {
    file: string;
    container: string;
    entry: z.ZodType;
    secrets: boolean;
  };
}

function observe(layout: PublishedLayout, workspace: string, fixture: Fixture): Loaded {
  const { skills, agents, rules, commands, hooks, servers } = layout;
  return {
    skill: readdirSync(join(workspace, skills)).filter((name) => {
      const keys = readFrontmatter(join(workspace, skills, name, 'SKILL.md'));
      return openSkill.safeParse(keys).success && keys['name'] === name;
    }),
    rule:
      typeof rules === 'string'
        ? rulesIn(join(workspace, rules), fixture)
        : validFiles(join(workspace, rules.folder), rules.frontmatter),
    ...(agents && { agent: validFiles(join(workspace, agents.folder), agents.frontmatter) }),
    ...(commands && {
      command: validFiles(join(workspace, commands.folder), commands.frontmatter),
    }),
    ...(hooks && { hook: hooks.read(workspace) }),
    ...(servers && { 'mcp-server': validServers(workspace, servers) }),
  };
}

function rulesIn(path: string, { rules }: Fixture): string[] {
  const text = readFileSync(path, 'utf8');
  return rules.filter((rule) => text.includes(rule.text)).map(({ name }) => name);
}

function validFiles(folder: string, frontmatter: z.ZodType): string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === '.md')
    .filter((file) => frontmatter.safeParse(readFrontmatter(join(folder, file))).success)
    .map((file) => basename(file, '.md'));
}

function validServers(
  workspace: string,
  { file, container, entry }: NonNullable<PublishedLayout['servers']>,
): string[] {
  if (!existsSync(join(workspace, file))) return [];
  const settings = z
    .looseObject({ [container]: z.record(z.string(), z.unknown()) })
    .safeParse(readJson(join(workspace, file)));
  return Object.entries(settings.data?.[container] ?? {})
    .filter(([, server]) => entry.safeParse(server).success)
    .map(([name]) => name);
}

/** The small fixture has one hook, the full fixture one per event. */
function eventsOf(profile: string, { name, hooks }: Fixture, once: boolean): string[] {
  const events = nativeEvents(profile, name === 'small' ? ['pre-shell-execution'] : hooks);
  return once ? [...new Set(events)] : events;
}

export function publishedLayout(layout: PublishedLayout): HarnessProgram {
  const { skills, agents, rules, commands, hooks, servers } = layout;
  const { name, title, version, profile, stands_in } = layout;
  return {
    name,
    title,
    version,
    profile,
    stands_in,
    expects: (fixture) => ({
      skill: fixture.skills,
      rule: typeof rules === 'string' ? fixture.rules.map((rule) => rule.name) : ruleFiles(fixture),
      ...(agents && { agent: fixture.agents }),
      ...(commands && { command: fixture.commands }),
      ...(hooks && { hook: eventsOf(profile, fixture, hooks.once === true) }),
      ...(servers && {
        'mcp-server': servers.secrets ? fixture.servers : serversWithoutSecrets(fixture),
      }),
    }),
    observe: async ({ workspace, fixture }) => observe(layout, workspace, fixture),
    breaks: {
      skill: (workspace) => {
        editText(join(workspace, skills, 'alpha/SKILL.md'), (text) =>
          text.replace('name: alpha', 'name: omega'),
        );
      },
      rule: (workspace) => {
        const [file, from, to] =
          typeof rules === 'string'
            ? [rules, 'RULE-ALWAYS', 'RULE']
            : [`${rules.folder}/for-docs.md`, ...rules.breaks];
        editText(join(workspace, file), (text) => text.replace(from, to));
      },
      ...(agents && {
        agent: (workspace: string) => {
          const [from, to] = agents.breaks;
          editText(join(workspace, agents.folder, 'helper.md'), (text) => text.replace(from, to));
        },
      }),
      ...(hooks && { hook: hooks.breaks }),
      ...(commands && {
        command: (workspace: string) => {
          const command = join(workspace, commands.folder, 'greet');
          renameSync(`${command}.md`, `${command}.txt`);
        },
      }),
      ...(servers && {
        'mcp-server': (workspace: string) => {
          editText(join(workspace, servers.file), (text) =>
            text.replace(/"(?:url|serverUrl)"/, '"address"'),
          );
        },
      }),
    },
  };
}
