import type { Observation } from '../program.ts';
import { withConversation, type Conversation, type Message } from '../run-sealed.ts';

export async function queryAppServer(
  asking: Observation,
  whose: 'repo' | 'user',
): Promise<{ skills: string[]; hooks: string[]; complaints: string[] }> {
  return inAppServer(asking, async ({ send, waitForMessage: hear, receivedMessages: received }) => {
    const { workspace } = asking;
    const cwds = [workspace];
    send({ id: 2, method: 'skills/list', params: { cwds } });
    send({ id: 3, method: 'hooks/list', params: { cwds } });
    const { skills, errors } = firstOf(await hear(({ id }) => id === 2));
    const { hooks, errors: hookErrors } = firstOf(await hear(({ id }) => id === 3));
    const warnings = received.filter(
      ({ method, params }) =>
        method === 'configWarning' && JSON.stringify(params).includes(workspace),
    );
    return {
      skills: [
        ...skills.filter(({ scope }) => scope === whose).map(({ name }) => name),
        ...errors.map((error) => JSON.stringify(error)),
      ],
      hooks: [
        ...hooks.map(({ eventName }) => eventName),
        ...hookErrors.map((error) => JSON.stringify(error)),
      ],
      complaints: warnings.map(({ params }) => JSON.stringify(params)),
    };
  });
}

export function listConnectedServers(asking: Observation): Promise<string[]> {
  return inAppServer(asking, async ({ send, waitForMessage: hear }) => {
    send({ id: 2, method: 'thread/start', params: { cwd: asking.workspace } });
    const { result } = await hear(({ id }) => id === 2);
    const threadId: unknown = Object(result)['thread']['id'];
    await hear(({ method, params }) => method === STARTUP && Object(params).status !== 'starting');
    send({ id: 3, method: 'mcpServerStatus/list', params: { threadId } });
    const { result: listed } = await hear(({ id }) => id === 3);
    const servers: { name: string; runtimeStatus: string }[] = Object(listed)['data'];
    return servers
      .filter(({ runtimeStatus }) => runtimeStatus === 'connected')
      .map(({ name }) => name);
  });
}

const STARTUP = 'mcpServer/startupStatus/updated';

function inAppServer<T>(
  { program, workspace, home, server }: Observation,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const words = [...program.words, 'app-server'];
  return withConversation(
    { words, cwd: workspace, home, env: server.env },
    async (conversation) => {
      const { send, waitForMessage: hear } = conversation;
      const clientInfo = { name: 'catalog', version: '1' };
      const capabilities = { experimentalApi: true };
      send({ id: 1, method: 'initialize', params: { clientInfo, capabilities } });
      await hear(({ id }) => id === 1);
      send({ method: 'initialized' });
      return talk(conversation);
    },
  );
}

interface Listing {
  skills: { name: string; scope: string }[];
  hooks: { eventName: string }[];
  errors: unknown[];
}

function firstOf({ result }: Message): Listing {
  const data: Listing[] = Object(result)['data'];
  return data[0] ?? { skills: [], hooks: [], errors: [result] };
}
