import { createHmac } from 'node:crypto';
import { acceptedIngest } from '@catalog/contract/records/ingest';
import { openStream } from '@catalog/testkit/http-exchange';
import type { GitRepository } from '@catalog/testkit/git-repository';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { sendRequest } from './client.ts';
import { lastCursor, readEventLine, type History, type LayerState } from './history.ts';
import { pinOf, writeArtifact, type Edition, type Editions } from './source.ts';

export interface WorkloadState {
  random: SeededRandom;
  history: History;
  editions: Editions;
  folder: string;
  repository: GitRepository;
  /** Webhook of the git layer, from the response to its registration. */
  webhook: { path: string; secret: string };
  /** Responses that a kill does not explain. */
  unexpected: string[];
  /** Checks an acknowledged change immediately on other processes, if any. */
  onIngested?: (edition: Edition) => Promise<void>;
  onLayerChanged?: (id: string, state: LayerState) => Promise<void>;
}

export const LOCAL_LAYER = 'folder';
export const GIT_LAYER = 'pushed';
const PASSING_LAYERS = ['passing-1', 'passing-2', 'passing-3'];

export async function workUntilKilled(url: string, surroundings: WorkloadState): Promise<void> {
  await Promise.all([
    followEvents(url, surroundings.history),
    repeat(() => editAndIngest(url, surroundings)),
    repeat(() => pushAndDeliver(url, surroundings)),
    repeat(() => changeLayer(url, surroundings)),
  ]);
}

async function repeat(step: () => Promise<boolean>): Promise<void> {
  while (await step());
}

/** Reads the stream from the last cursor until it breaks; ignores a truncated line. */
export async function followEvents(url: string, history: History): Promise<void> {
  const path = `/v1/events?since=${lastCursor(history)}`;
  const stream = await openStream(url, path).catch(() => undefined);
  for (;;) {
    const line = await stream?.next().catch(() => undefined);
    if (line === undefined) return;
    const event = readEventLine(line);
    if (event !== undefined) history.events.push(event);
  }
}

export async function editAndIngest(
  url: string,
  { editions, folder, history, unexpected, onIngested }: WorkloadState,
): Promise<boolean> {
  const edition = editions.next('local');
  writeArtifact(folder, edition.path, edition.files);
  const answer = await sendRequest(`${url}/v1/layers/reingest?id=${LOCAL_LAYER}`, {
    method: 'POST',
  });
  if (answer === undefined) return false;
  if (answer.status !== 200) {
    unexpected.push(`reingest answered ${JSON.stringify(answer)}`);
    return true;
  }
  history.published.add(pinOf(edition));
  await onIngested?.(edition);
  return true;
}

export async function pushAndDeliver(
  url: string,
  { editions, repository, webhook, history, unexpected }: WorkloadState,
): Promise<boolean> {
  const edition = editions.next('git');
  const files = Object.entries(edition.files);
  repository.commit(
    Object.fromEntries(files.map(([name, text]) => [`${edition.path}/${name}`, text])),
  );
  const id = `delivery of ${pinOf(edition)}`;
  const answer = await deliver(url, webhook, id);
  if (answer === undefined) return false;
  if (answer.status !== 202) {
    unexpected.push(`a delivery answered ${JSON.stringify(answer)}`);
    return true;
  }
  const { job } = acceptedIngest.parse(answer.body);
  history.deliveries.push({ id, job, edition });
  history.jobs.add(job);
  return true;
}

/** Sends a delivery; the same id identifies the same delivery (SPEC-30). */
export function deliver(
  url: string,
  { path, secret }: WorkloadState['webhook'],
  id: string,
): ReturnType<typeof sendRequest> {
  const json = { ref: 'refs/heads/main' };
  const signature = createHmac('sha256', secret).update(JSON.stringify(json)).digest('hex');
  return sendRequest(`${url}${path}`, {
    method: 'POST',
    json,
    headers: {
      'x-hub-signature-256': `sha256=${signature}`,
      'x-github-delivery': id,
      'x-github-event': 'push',
    },
  });
}

export async function changeLayer(
  url: string,
  { random, history, folder, unexpected, onLayerChanged }: WorkloadState,
): Promise<boolean> {
  const id = random.pick(PASSING_LAYERS);
  const [state = { kind: 'absent' }] = history.layers.get(id) ?? [];
  const change = chooseChange(random, id, state, `${folder}.empty`);
  history.layers.set(id, [state, change.after]);
  const answer = await sendRequest(url + change.path, change.request);
  if (answer === undefined) return false;
  if (answer.status !== change.status) {
    history.layers.set(id, [state]);
    unexpected.push(`${change.path} answered ${JSON.stringify(answer)}`);
    return true;
  }
  history.layers.set(id, [change.after]);
  await onLayerChanged?.(id, change.after);
  return true;
}

interface Change {
  path: string;
  request: { method: string; json?: unknown };
  status: number;
  after: LayerState;
}

function chooseChange(random: SeededRandom, id: string, state: LayerState, empty: string): Change {
  const makePublic = random.int(2) === 0;
  if (state.kind === 'absent' || (state.kind === 'deleted' && random.int(2) === 0)) {
    return {
      path: '/v1/layers',
      request: {
        method: 'POST',
        json: { id, source_type: 'local', local_path: empty, public: makePublic },
      },
      status: 201,
      after: { kind: 'live', public: makePublic },
    };
  }
  if (state.kind === 'deleted') {
    return {
      path: `/v1/layers/restore?id=${id}`,
      request: { method: 'POST' },
      status: 200,
      after: { kind: 'live', public: state.public },
    };
  }
  if (random.int(2) === 0) {
    return {
      path: `/v1/layers/update?id=${id}`,
      request: { method: 'POST', json: { public: makePublic } },
      status: 200,
      after: { kind: 'live', public: makePublic },
    };
  }
  return {
    path: `/v1/layers?id=${id}`,
    request: { method: 'DELETE' },
    status: 200,
    after: { kind: 'deleted', public: state.public },
  };
}
