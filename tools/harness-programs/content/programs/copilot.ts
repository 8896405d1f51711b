import { join } from 'node:path';
import { runCopilot } from '../../programs/copilot.ts';
import { writeText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

export const copilot: ContentProgram = {
  name: 'copilot',
  prepareHome: ({ home, workspace }) => {
    const trusted = { trusted_folders: [workspace] };
    writeText(join(home, '.copilot/config.json'), JSON.stringify(trusted));
  },
  prompt: async (session, text) => {
    await runCopilot(session, ['-p', text, '--allow-all-tools']);
  },
  command: (name, words) => `/${name} ${words}`,
  loadCommand: (skill) => ({ name: 'skill', input: { skill } }),
  shell: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
  read: (path) => ({ name: 'view', input: { path } }),
  write: (path) => ({ name: 'create', input: { path, file_text: 'x' } }),
  mcp: { name: 'local-look', input: {} },
  agent: (agent_type, prompt) => [
    { name: 'task', input: { agent_type, prompt, description: 'x', name: 'x', mode: 'sync' } },
  ],
  skill: (skill) => ({ name: 'skill', input: { skill } }),
};
