import { join } from 'node:path';
import { runSession } from '../../run-sealed.ts';
import { writeText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

export const claudeCode: ContentProgram = {
  name: 'claude-code',
  // Project servers start only after the user trusted the folder and approved the servers.
  prepareHome: ({ home, workspace }) => {
    const projects = { [workspace]: { hasTrustDialogAccepted: true } };
    writeText(join(home, '.claude.json'), JSON.stringify({ projects }));
    const settings = { enableAllProjectMcpServers: true };
    writeText(join(home, '.claude/settings.json'), JSON.stringify(settings));
  },
  prompt: async ({ program, workspace, home, recorder, server }, text) => {
    const allowed = 'Bash,Read,Write,Grep,Skill,Task,mcp__local__look';
    const how = ['-p', '--output-format', 'stream-json', '--verbose', '--allowedTools', allowed];
    await runSession({
      words: [...program.words, ...how, '--', text],
      cwd: workspace,
      home,
      env: { ...server.env, ANTHROPIC_BASE_URL: recorder.url, ANTHROPIC_API_KEY: 'none' },
    });
  },
  command: (name, words) => `/${name} ${words}`,
  shell: (command) => ({ name: 'Bash', input: { command, description: 'x' } }),
  read: (file_path) => ({ name: 'Read', input: { file_path } }),
  write: (file_path) => ({ name: 'Write', input: { file_path, content: 'x' } }),
  mcp: { name: 'mcp__local__look', input: {} },
  agent: (subagent_type, prompt) => [
    { name: 'Agent', input: { subagent_type, prompt, description: 'x', run_in_background: false } },
  ],
  skill: (skill) => ({ name: 'Skill', input: { skill } }),
};
