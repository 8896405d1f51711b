import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation, HarnessProgram } from '../program.ts';
import { agentPlugin, openSkill } from '../schemas/agent-plugins.ts';
import { readFrontmatter, readJson } from '../read-files.ts';
import { editText } from '../workspace.ts';

const PLUGIN = 'agent-plugins/demo';

async function observe({ workspace }: Observation): Promise<string[]> {
  const folder = join(workspace, PLUGIN);
  const manifest = agentPlugin.safeParse(readJson(join(folder, 'plugin.json')));
  const skills = readdirSync(join(folder, 'skills')).filter((name) => {
    const keys = readFrontmatter(join(folder, 'skills', name, 'SKILL.md'));
    return openSkill.safeParse(keys).success && keys['name'] === name;
  });
  return [
    ...(manifest.success ? ['the manifest is valid'] : []),
    ...skills.map((name) => `skill: ${name}`),
  ];
}

/** Uses the schema, because the standard has no program. */
export const agentPluginsSchema: HarnessProgram = {
  name: 'agent-plugins-schema',
  title: 'Agent Plugins, by its schemas',
  version: '1.0.0',
  profile: 'agents-md',
  stands_in: 'Agent Plugins is a standard, and has no program',
  expects: () => ({}),
  observe: async () => ({}),
  breaks: {},
  marketplace: {
    harnesses: ['agent-plugins'],
    expects: ['the manifest is valid', 'skill: alpha', 'skill: beta'],
    observe,
    breaks: (folder) => {
      editText(join(folder, PLUGIN, 'plugin.json'), (text) =>
        text.replace('"version"', '"revision"'),
      );
    },
  },
};
