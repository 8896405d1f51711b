import { piCommand } from '../../programs/pi-commands.ts';
import { piHome } from '../../programs/pi.ts';
import { runSession } from '../../run-sealed.ts';
import type { ContentProgram } from '../content-program.ts';

/** Pi has no agents and does not offer server tools to the model: scripts call them. */
export const pi: ContentProgram = {
  name: 'pi',
  prepareHome: piHome,
  prompt: async (session, text) => {
    const model = ['--provider', 'recorder', '--model', 'recorder'];
    const { env } = session.server;
    await runSession({ ...piCommand(session, [...model, '-p', text]), env });
  },
  command: (name, words) => `/${name} ${words}`,
  shell: (command) => ({ name: 'bash', input: { command } }),
  read: (path) => ({ name: 'read', input: { path } }),
  write: (path) => ({ name: 'write', input: { path, content: 'x' } }),
};
