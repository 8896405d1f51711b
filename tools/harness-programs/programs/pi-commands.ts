import type { Observation, Session } from '../program.ts';
import { withConversation, type SealedCommand } from '../run-sealed.ts';

/** Runs offline, without a saved session, and with the project's files approved. */
export function piCommand({ program, workspace, home }: Session, words: string[]): SealedCommand {
  const how = ['--offline', '--no-session', '--approve'];
  return { words: [...program.words, ...how, ...words], cwd: workspace, home };
}

interface Command {
  name: string;
  source: string;
}

export async function listCommands(asking: Observation): Promise<Command[]> {
  return withConversation(
    piCommand(asking, ['--mode', 'rpc']),
    async ({ send, waitForMessage: hear }) => {
      send({ id: '1', type: 'get_commands' });
      const { data } = await hear(({ id }) => id === '1');
      return Object(data)['commands'];
    },
  );
}
