import { readdirSync, renameSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { z } from 'zod';
import { nativeEvents, ruleFiles } from '../expected.ts';
import { cursorMarketplaceCheck } from '../marketplaces/cursor.ts';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { openSkill } from '../schemas/agent-plugins.ts';
import { cursorAgent, cursorHooks, cursorRule, cursorServers } from '../schemas/cursor.ts';
import { readFrontmatter, readJson, readPlainFrontmatter } from '../read-files.ts';
import { editText } from '../workspace.ts';

/** Uses the published schemas and documentation, because Cursor cannot be installed here. */
async function observe({ workspace }: Observation): Promise<Loaded> {
  const folder = join(workspace, '.cursor');
  const hooks = cursorHooks.safeParse(readJson(join(folder, 'hooks.json')));
  const servers = cursorServers.safeParse(readJson(join(folder, 'mcp.json')));
  return {
    skill: readdirSync(join(folder, 'skills')).filter((name) => {
      const keys = readFrontmatter(join(folder, 'skills', name, 'SKILL.md'));
      return openSkill.safeParse(keys).success && keys['name'] === name;
    }),
    agent: validNames(join(folder, 'agents'), cursorAgent),
    command: readdirSync(join(folder, 'commands')).map((file) => basename(file, '.md')),
    rule: validNames(join(folder, 'rules'), cursorRule),
    hook: hooks.success
      ? Object.entries(hooks.data.hooks).flatMap(([event, list]) => list.map(() => event))
      : [hooks.error.message],
    'mcp-server': servers.success ? Object.keys(servers.data.mcpServers) : [servers.error.message],
  };
}

function validNames(folder: string, schema: z.ZodType): string[] {
  return readdirSync(folder)
    .filter((file) => {
      const keys = readPlainFrontmatter(join(folder, file));
      return schema.safeParse(keys).success;
    })
    .map((file) => basename(file, extname(file)));
}

export const cursorSchema: HarnessProgram = {
  name: 'cursor-schema',
  title: 'Cursor, by its schemas',
  version: 'cursor/plugins 100d651c',
  profile: 'cursor',
  stands_in: 'Cursor is a desktop application and in no package registry',
  expects: (fixture) => ({
    skill: fixture.skills,
    agent: fixture.agents,
    command: fixture.commands,
    rule: ruleFiles(fixture),
    hook: nativeEvents(
      'cursor',
      fixture.name === 'small' ? ['pre-shell-execution'] : fixture.hooks,
    ),
    'mcp-server': fixture.servers,
  }),
  observe,
  marketplace: cursorMarketplaceCheck,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, '.cursor/skills/alpha/SKILL.md'), (text) =>
        text.replace('name: alpha', 'name: omega'),
      );
    },
    agent: (workspace) => {
      editText(join(workspace, '.cursor/agents/helper.md'), (text) =>
        text.replace('name: helper', 'name: helper\ncolour: red'),
      );
    },
    command: (workspace) => {
      renameSync(
        join(workspace, '.cursor/commands/greet.md'),
        join(workspace, '.cursor/commands/greet.toml'),
      );
    },
    rule: (workspace) => {
      editText(join(workspace, '.cursor/rules/for-docs.mdc'), (text) =>
        text.replace('globs:', 'paths:'),
      );
    },
    hook: (workspace) => {
      editText(join(workspace, '.cursor/hooks.json'), (text) =>
        text.replace('"beforeShellExecution"', '"PreToolUse"'),
      );
    },
    'mcp-server': (workspace) => {
      editText(join(workspace, '.cursor/mcp.json'), (text) => text.replace('"url"', '"address"'));
    },
  },
};
