import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { artifactRecord } from '@catalog/contract/records/artifact';
import { ingestReport } from '@catalog/contract/records/ingest';
import { registeredLayer } from '@catalog/contract/records/layer';
import {
  startRegistryProcess,
  untilKilled,
  type RegistryProcess,
} from '../../../bench/registry-process.ts';
import { sendRequest, sendAndExpect, type Answer } from './client.ts';
import { artifactFiles, writeArtifact } from './source.ts';

const DISK_MEGABYTES = 24;
const ARTIFACTS_TOO_MANY = 60;
const MAX_SMALL_WRITES = 500;

/** Runs a registry on a separate disk that fills up and is freed again. Returns the faults. */
export async function findFullDiskFaults(folder: string): Promise<string[]> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'catalog', disk]);
  try {
    return await serveOn(disk, join(folder, 'full-source'));
  } catch (error) {
    return [String(error)];
  } finally {
    execFileSync('umount', [disk]);
  }
}

async function serveOn(disk: string, source: string): Promise<string[]> {
  const faults: string[] = [];
  writeArtifact(source, 'first', artifactFiles(1, 1));
  const home = join(disk, 'home');
  mkdirSync(home);
  const start = (): Promise<RegistryProcess> => startRegistryProcess(home);
  faults.push(...(await untilKilled(start, ({ url }) => fillAndFree(url, disk, source))));
  await untilKilled(start, ({ url }) =>
    sendAndExpect(`${url}/v1/load_artifact?id=more/rule-0`, [200, artifactRecord]),
  );
  return faults;
}

async function fillAndFree(url: string, disk: string, source: string): Promise<string[]> {
  const faults: string[] = [];
  const reingest = `${url}/v1/layers/reingest?id=full`;
  await sendAndExpect(`${url}/v1/layers`, [201, registeredLayer], {
    method: 'POST',
    json: { id: 'full', source_type: 'local', local_path: source },
  });
  await sendAndExpect(reingest, [200, ingestReport], { method: 'POST' });

  const ballast = join(disk, 'ballast');
  fillUp(disk, ballast);
  for (let index = 0; index < ARTIFACTS_TOO_MANY; index += 1) {
    writeArtifact(source, `more/rule-${index}`, artifactFiles(index, 1));
  }
  faults.push(...(await writeUntilRefused(url)));
  const queued = await sendRequest(`${reingest}&wait=false`, { method: 'POST' });
  if (queued?.status !== 202 && !isUnavailable(queued)) {
    faults.push(`an ingest was answered with ${JSON.stringify(queued)}`);
  }
  await sendAndExpect(`${url}/v1/load_artifact?id=first`, [200, artifactRecord]);

  rmSync(ballast);
  const report = await sendAndExpect(reingest, [200, ingestReport], { method: 'POST' });
  if (report.accepted + report.idempotent !== ARTIFACTS_TOO_MANY + 1) {
    faults.push(`after space was freed: ${JSON.stringify(report)}`);
  }
  return faults;
}

/** Writes until the first error, because the log may have space for some small writes. */
async function writeUntilRefused(url: string): Promise<string[]> {
  for (let write = 0; write < MAX_SMALL_WRITES; write += 1) {
    const answer = await sendRequest(`${url}/v1/layers/update?id=full`, {
      method: 'POST',
      json: { owner: `owner ${write}` },
    });
    if (isUnavailable(answer)) return [];
    if (answer?.status !== 200) return [`a write was answered with ${JSON.stringify(answer)}`];
  }
  return [`${MAX_SMALL_WRITES} writes found room on a full disk`];
}

function isUnavailable(answer: Answer | undefined): boolean {
  return errorEnvelope.safeParse(answer?.body).data?.code === 'registry.unavailable';
}

/** Fills the disk. Space that the registry used in the meantime is missing in the ballast. */
function fillUp(disk: string, ballast: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
