import { setTimeout as delay } from 'node:timers/promises';
import { getEnvelope } from '@catalog/contract/errors/read-envelope';
import { layerList } from '@catalog/contract/records/layer';
import { sendRequest, sendAndExpect, type Answer } from '../serve-kill/client.ts';
import { pinOf, writeArtifact, type Editions } from '../serve-kill/source.ts';
import { LOCAL_LAYER } from '../serve-kill/workload.ts';

export interface Acknowledged {
  /** Last acknowledged and last sent number of each layer. */
  numbers: Map<string, { answered: number; sent: number }>;
  /** `id@version` of everything that a response reported as ingested. */
  published: Set<string>;
}

export interface Refusal {
  began_ms: number;
  ended_ms: number;
  status: number;
  code: string;
}

export interface Writers {
  done: number;
  refusals: Refusal[];
  stop(): Promise<void>;
}

export const NUMBERED = ['numbered-1', 'numbered-2', 'numbered-3'];
const PAUSE_MS = 20;

export function startWriters(
  url: string,
  folder: string,
  editions: Editions,
  acknowledged: Acknowledged,
): Writers {
  const stopping = new AbortController();
  const writers: Writers = {
    done: 0,
    refusals: [],
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
  async function repeat(write: () => Promise<Answer | undefined>): Promise<void> {
    while (!stopping.signal.aborted) {
      const began_ms = performance.now();
      const answer = await write();
      if (answer?.status === 200) writers.done += 1;
      else writers.refusals.push(toRefusal(answer, began_ms));
      await delay(PAUSE_MS);
    }
  }
  const loops = [
    ...NUMBERED.map((id) => repeat(() => writeNumber(url, id, acknowledged))),
    repeat(() => editAndIngest(url, folder, editions, acknowledged)),
  ];
  return writers;
}

function toRefusal(answer: Answer | undefined, began_ms: number): Refusal {
  const code = getEnvelope(answer?.body)?.code ?? '';
  return { began_ms, ended_ms: performance.now(), status: answer?.status ?? 0, code };
}

async function writeNumber(
  url: string,
  id: string,
  { numbers }: Acknowledged,
): Promise<Answer | undefined> {
  const known = numbers.get(id) ?? { answered: 0, sent: 0 };
  numbers.set(id, known);
  const number = known.sent + 1;
  known.sent = number;
  const json = { users: [`u${number}`] };
  const answer = await sendRequest(`${url}/v1/layers/update?id=${id}`, { method: 'POST', json });
  if (answer?.status === 200) known.answered = number;
  return answer;
}

async function editAndIngest(
  url: string,
  folder: string,
  editions: Editions,
  { published }: Acknowledged,
): Promise<Answer | undefined> {
  const edition = editions.next('local');
  writeArtifact(folder, edition.path, edition.files);
  const answer = await sendRequest(`${url}/v1/layers/reingest?id=${LOCAL_LAYER}`, {
    method: 'POST',
  });
  if (answer?.status === 200) published.add(pinOf(edition));
  return answer;
}

export async function findLosses(url: string, acknowledged: Acknowledged): Promise<string[]> {
  const losses: string[] = [];
  const { layers } = await sendAndExpect(`${url}/v1/layers`, [200, layerList]);
  for (const [id, { answered, sent }] of acknowledged.numbers) {
    const [user = 'u0'] = layers.find((layer) => layer.id === id)?.users ?? [];
    const found = Number(user.slice(1));
    if (found < answered || found > sent) {
      losses.push(`${id} has ${found}; ${answered} was acknowledged, ${sent} was sent`);
    }
  }
  for (const pin of acknowledged.published) {
    const [id, version] = pin.split('@');
    const answer = await sendRequest(`${url}/v1/load_artifact?id=${id}&version=${version}`);
    if (answer?.status !== 200) losses.push(`${pin} was acknowledged and is gone`);
  }
  return losses;
}
