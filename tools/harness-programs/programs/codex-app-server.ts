import type { Asking } from '../program.ts';
import { converse, type Message } from '../run-sealed.ts';

/** What the program lists of a project or of its person, and what it complains about. */
export async function askAppServer(
  asking: Asking,
  whose: 'repo' | 'user',
): Promise<{ skills: string[]; hooks: string[]; complaints: string[] }> {
  const { program, workspace, home } = asking;
  const command = { words: [...program.words, 'app-server'], cwd: workspace, home };
  return converse(command, async ({ send, hear, heard }) => {
    const cwds = [workspace];
    const clientInfo = { name: 'catalog', version: '1' };
    const capabilities = { experimentalApi: true };
    send({ id: 1, method: 'initialize', params: { clientInfo, capabilities } });
    await hear(({ id }) => id === 1);
    send({ method: 'initialized' });
    send({ id: 2, method: 'skills/list', params: { cwds } });
    send({ id: 3, method: 'hooks/list', params: { cwds } });
    const { skills, errors } = firstOf(await hear(({ id }) => id === 2));
    const { hooks, errors: hookErrors } = firstOf(await hear(({ id }) => id === 3));
    const warnings = heard.filter(
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

/** Of the answers to `skills/list` and `hooks/list`, for one folder. */
interface Listing {
  skills: { name: string; scope: string }[];
  hooks: { eventName: string }[];
  errors: unknown[];
}

function firstOf({ result }: Message): Listing {
  const data: Listing[] = Object(result)['data'];
  return data[0] ?? { skills: [], hooks: [], errors: [result] };
}
