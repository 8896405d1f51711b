import { join } from 'node:path';
import { geminiHome, runGemini } from '../../programs/gemini-cli.ts';
import { editText } from '../../workspace.ts';
import type { ContentProgram } from '../content-program.ts';

export const geminiCli: ContentProgram = {
  name: 'gemini-cli',
  prepareHome: geminiHome,
  prompt: async (session, text) => {
    // Names the model, because Gemini CLI otherwise requests a model choice from another model.
    const how = ['--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '-o', 'stream-json'];
    await runGemini(session, [...how, '-p', text]);
  },
  // Hook output at session start precedes the prompt, and then Gemini CLI does not expand commands.
  beforeCommands: ({ home }) =>
    editText(join(home, '.gemini/settings.json'), (text) =>
      JSON.stringify({ ...JSON.parse(text), hooksConfig: { enabled: false } }),
    ),
  command: (name, words) => `/${name} ${words}`,
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'x' } }),
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  write: (file_path) => ({ name: 'write_file', input: { file_path, content: 'x' } }),
  mcp: { name: 'mcp_local_look', input: {} },
  agent: (agent_name, prompt) => [{ name: 'invoke_agent', input: { agent_name, prompt } }],
  skill: (name) => ({ name: 'activate_skill', input: { name } }),
};
