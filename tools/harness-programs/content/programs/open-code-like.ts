import { join } from 'node:path';
import { runSession } from '../../run-sealed.ts';
import { writeProgram, writeText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

interface OpenCodeLike {
  name: string;
  folder: string;
  /** Relative to the home folder. */
  user_config: string;
  env_prefix: string;
}

const PROJECT_TOOL = 'survey';

export function openCodeLike(product: OpenCodeLike): ContentProgram {
  const { name, folder, user_config, env_prefix } = product;
  return {
    name,
    prepareHome: ({ home, recorder }) => {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${recorder.url}/v1`, apiKey: 'none' },
        models: { recorder: { name: 'recorder', tool_call: true } },
      };
      const model = 'recorder/recorder';
      const config = { model, small_model: model, provider: { recorder: provider } };
      writeText(join(home, user_config), JSON.stringify(config));
      // OpenCode lists the files of a skill with ripgrep, which it would otherwise download.
      writeProgram(join(home, 'bin/rg'), '#!/bin/sh\nexec find . -type f\n');
    },
    prompt: async ({ program, workspace, home, server }, text) => {
      const [, command, words = ''] = text.match(/^\/(\w+) (.*)$/) ?? [];
      const what = command === undefined ? [text] : ['--command', command, ...words.split(' ')];
      await runSession({
        words: [...program.words, 'run', '--format', 'json', ...what],
        cwd: workspace,
        home,
        env: {
          ...server.env,
          PATH: `${join(home, 'bin')}:${server.env.PATH}`,
          [`${env_prefix}_DISABLE_MODELS_FETCH`]: '1',
          [`${env_prefix}_DISABLE_AUTOUPDATE`]: '1',
        },
      });
    },
    command: (command, words) => `/${command} ${words}`,
    shell: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
    read: (filePath) => ({ name: 'read', input: { filePath } }),
    write: (filePath) => ({ name: 'write', input: { filePath, content: 'x' } }),
    mcp: { name: 'local_look', input: {} },
    project_tool: {
      write: ({ workspace }, done) =>
        writeText(join(workspace, folder, 'tool', `${PROJECT_TOOL}.js`), projectTool(done)),
      call: () => ({ name: PROJECT_TOOL, input: {} }),
    },
    agent: (subagent_type, prompt) => [
      { name: 'task', input: { subagent_type, prompt, description: 'x' } },
    ],
    skill: (skill) => ({ name: 'skill', input: { name: skill } }),
  };
}

function projectTool(done: string): string {
  return `import { writeFileSync } from 'node:fs';

export default {
  description: 'Survey the project.',
  args: {},
  async execute(input, { agent }) {
    writeFileSync(${JSON.stringify(`${done}/`)} + agent, '');
    return 'SURVEYED';
  },
};
`;
}
