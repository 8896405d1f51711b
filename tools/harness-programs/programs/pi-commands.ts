import type { Asking, Session } from '../program.ts';
import { converse, type SealedCommand } from '../run-sealed.ts';

/** Runs offline, without a saved session, and with the project's files approved. */
export function piCommand({ program, workspace, home }: Session, words: string[]): SealedCommand {
  const how = ['--offline', '--no-session', '--approve'];
  return { words: [...program.words, ...how, ...words], cwd: workspace, home };
}

interface Command {
  name: string;
  source: string;
}

export async function listCommands(asking: Asking): Promise<Command[]> {
  return converse(piCommand(asking, ['--mode', 'rpc']), async ({ send, hear }) => {
    send({ id: '1', type: 'get_commands' });
    const { data } = await hear(({ id }) => id === '1');
    return Object(data)['commands'];
  });
}
