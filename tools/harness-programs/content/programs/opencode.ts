import { join } from 'node:path';
import { runSealed } from '../../run-sealed.ts';
import { writeProgram, writeText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

export const opencode: ContentProgram = {
  name: 'opencode',
  prepareHome: ({ home, recorder }) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${recorder.url}/v1`, apiKey: 'none' },
      models: { recorder: { name: 'recorder', tool_call: true } },
    };
    const model = 'recorder/recorder';
    const config = { model, small_model: model, provider: { recorder: provider } };
    writeText(join(home, '.config/opencode/opencode.json'), JSON.stringify(config));
    // It lists the files of a skill with ripgrep, which it would download.
    writeProgram(join(home, 'bin/rg'), '#!/bin/sh\nexec find . -type f\n');
  },
  prompt: async ({ program, workspace, home, server }, text) => {
    // A command is named in an option; its arguments are the prompt.
    const [, name, words = ''] = text.match(/^\/(\w+) (.*)$/) ?? [];
    const what = name === undefined ? [text] : ['--command', name, ...words.split(' ')];
    await runSealed({
      words: [...program.words, 'run', '--format', 'json', ...what],
      cwd: workspace,
      home,
      env: {
        ...server.env,
        PATH: `${join(home, 'bin')}:${server.env.PATH}`,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
    });
  },
  command: (name, words) => `/${name} ${words}`,
  shell: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  read: (filePath) => ({ name: 'read', input: { filePath } }),
  write: (filePath) => ({ name: 'write', input: { filePath, content: 'x' } }),
  mcp: { name: 'local_look', input: {} },
  agent: (subagent_type, prompt) => [
    { name: 'task', input: { subagent_type, prompt, description: 'x' } },
  ],
  skill: (name) => ({ name: 'skill', input: { name } }),
};
