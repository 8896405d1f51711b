import { join } from 'node:path';
import { runSession } from '../../run-sealed.ts';
import { writeText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

export const qwen: ContentProgram = {
  name: 'qwen',
  prepareHome: ({ home, workspace }) => {
    const trusted = { [workspace]: 'TRUST_FOLDER' };
    writeText(join(home, '.qwen/trustedFolders.json'), JSON.stringify(trusted));
  },
  prompt: async ({ program, workspace, home, recorder, server }, text) => {
    const how = ['--auth-type', 'openai', '--approval-mode', 'yolo', '-o', 'stream-json'];
    await runSession({
      words: [...program.words, ...how, text],
      cwd: workspace,
      home,
      env: {
        ...server.env,
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `${recorder.url}/v1`,
        OPENAI_MODEL: 'recorder',
      },
    });
  },
  command: (name, words) => `/${name} ${words}`,
  shell: (command) => ({
    name: 'run_shell_command',
    input: { command, description: 'x', is_background: false },
  }),
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  write: (file_path) => ({ name: 'write_file', input: { file_path, content: 'x' } }),
  mcp: { name: 'mcp__local__look', input: {} },
  agent: (subagent_type, prompt) => [
    {
      name: 'agent',
      input: { subagent_type, prompt, description: 'x', run_in_background: false },
    },
  ],
  skill: (skill) => ({ name: 'skill', input: { skill } }),
};
