import { setTimeout as delay } from 'node:timers/promises';
import { artifactRecord } from '@catalog/contract/records/artifact';
import { searchResponse, syncManifest } from '@catalog/contract/records/discovery';
import { layerList } from '@catalog/contract/records/layer';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { sendRequest } from '../serve-kill/client.ts';

export interface FailedRead {
  began_ms: number;
  what: string;
}

/** Clients that only read, with sequential requests on their own connections. */
export interface Readers {
  answered: number;
  failed: FailedRead[];
  /** Responses that are invalid in every state. */
  wrong: string[];
  stop(): Promise<void>;
}

export const READERS = 8;
const PAUSE_MS = 5;

interface Question {
  path: string;
  findFault: (body: unknown) => string | undefined;
}

export function startReaders(url: string, paths: readonly string[], random: SeededRandom): Readers {
  const questions = listQuestions(paths);
  const stopping = new AbortController();
  const readers: Readers = {
    answered: 0,
    failed: [],
    wrong: [],
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
  async function read(name: number): Promise<void> {
    while (!stopping.signal.aborted) {
      const { path, findFault } = random.pick(questions);
      const began_ms = performance.now();
      const answer = await sendRequest(url + path.replace('SESSION', `${name}-${began_ms}`));
      if (answer?.status !== 200) {
        readers.failed.push({ began_ms, what: `${path}: ${JSON.stringify(answer ?? 'cut')}` });
      } else {
        readers.answered += 1;
        const fault = findFault(answer.body);
        if (fault !== undefined) readers.wrong.push(`${path}: ${fault}`);
      }
      await delay(PAUSE_MS);
    }
  }
  const loops = Array.from({ length: READERS }, (_, name) => read(name));
  return readers;
}

function listQuestions(paths: readonly string[]): Question[] {
  return [
    ...paths.flatMap((id) => [
      { path: `/v1/load_artifact?id=${id}`, findFault: findRecordFault },
      { path: `/v1/load_artifact?id=${id}&session_id=SESSION`, findFault: findRecordFault },
    ]),
    { path: '/v1/search_artifacts?query=case', findFault: findSearchFault },
    { path: '/v1/sync/manifest', findFault: findManifestFault },
    { path: '/v1/layers', findFault: (body) => void layerList.parse(body) },
  ];
}

function findRecordFault(body: unknown): string | undefined {
  const { version, manifest_body = '', resources } = artifactRecord.parse(body);
  if (!manifest_body.includes(`version: ${version}\n`)) return `${version} with another's text`;
  return resources['references/notes.md'] === `Notes of ${version}.\n`
    ? undefined
    : `${version} with another's files`;
}

function findSearchFault(body: unknown): string | undefined {
  const { results } = searchResponse.parse(body);
  return results.length > 0 ? undefined : 'nothing was found';
}

function findManifestFault(body: unknown): string | undefined {
  const { artifacts } = syncManifest.parse(body);
  return artifacts.length > 0 ? undefined : 'it is empty';
}
