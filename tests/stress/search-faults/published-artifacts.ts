import { setTimeout as delay } from 'node:timers/promises';
import { ingestReport } from '@catalog/contract/records/ingest';
import { registeredLayer } from '@catalog/contract/records/layer';
import { untilIngested } from '../../../bench/registry-process.ts';
import { sendAndExpect } from '../serve-kill/client.ts';
import { artifactFiles, writeArtifact } from '../serve-kill/source.ts';
import { search } from './searchers.ts';

export interface SearchedLayer {
  id: string;
  folder: string;
}

/** Writes `count` rules about cases, which every search for a case finds. */
export function writeCases({ folder }: SearchedLayer, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const { 'ARTIFACT.md': manifest = '' } = artifactFiles(index, 1);
    writeArtifact(folder, `cases/rule-${index}`, { 'ARTIFACT.md': manifest });
  }
}

export async function register(url: string, { id, folder }: SearchedLayer): Promise<void> {
  await sendAndExpect(`${url}/v1/layers`, [201, registeredLayer], {
    method: 'POST',
    json: { id, source_type: 'local', local_path: folder },
  });
  await untilIngested(url);
}

/** Publishes an artifact that contains the word, and returns the duration of its ingest in ms. */
export async function publish(
  url: string,
  { id, folder }: SearchedLayer,
  word: string,
): Promise<number> {
  const manifest = `---\ntype: rule\nversion: 1.0.0\nrule_mode: always\ndescription: What ${word} is for.\n---\nUse it.\n`;
  writeArtifact(folder, newsOf(word), { 'ARTIFACT.md': manifest });
  const began = performance.now();
  await sendAndExpect(`${url}/v1/layers/reingest?id=${id}`, [200, ingestReport], {
    method: 'POST',
  });
  return performance.now() - began;
}

function newsOf(word: string): string {
  return `news/${word}`;
}

export async function isFoundByWords(url: string, word: string): Promise<boolean> {
  const { answer } = await search(url, word);
  return answer?.results[0]?.id === newsOf(word);
}

/** Returns the ms until it is embedded and searches are not degraded; undefined after a minute. */
export async function waitForVectorHit(url: string, word: string): Promise<number | undefined> {
  const began = performance.now();
  for (let tries = 0; performance.now() - began < TIMEOUT_MS; tries += 1) {
    // Uses a different query each time, so that its vector is not cached.
    const { answer } = await search(url, `${word} again${tries}`, { explain: 'true' });
    const found = answer?.results.find(({ id }) => id === newsOf(word));
    const similarity = found?.explanation?.similarity;
    if (answer?.degraded !== true && typeof similarity === 'number') {
      return performance.now() - began;
    }
    await delay(PAUSE_MS);
  }
  return undefined;
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;
