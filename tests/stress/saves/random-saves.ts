import { mkdirSync, rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { readStatus } from '@catalog/consumer/status';
import { seededRandom } from '../../../tools/seeded-random.ts';
import type { EditorReport, EditorTask } from './editor-thread.ts';
import {
  attempt,
  install,
  listMissing,
  openPlace,
  remove,
  RULES,
  SERVERS,
  SKILL,
  sync,
  undo,
} from './place.ts';

export async function saveAtRandom(
  folder: string,
  seed: string,
  saves: number,
): Promise<{ saves: number; runs: number; lost: string[] }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const place = openPlace(folder);
  await install(place);
  const random = seededRandom(`saves ${seed}`);
  const path = `${place.work}/${random.pick([SKILL, SERVERS, RULES])}`;
  const task: EditorTask = { path, seed, saves };
  const editor = new Worker(new URL('editor-thread.ts', import.meta.url), { workerData: task });
  const reports: EditorReport[] = [];
  editor.on('message', (report: EditorReport) => reports.push(report));
  let runs = 0;
  while (reports.length === 0) {
    runs += 1;
    place.publish(runs, random.next() < 0.2 ? ['law'] : undefined);
    await attempt(() => sync(place));
    if (random.next() < 0.1) await attempt(() => undo(place));
    if (random.next() < 0.05) await attempt(() => remove(place));
    // Lets the event loop process the message of the thread.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await attempt(() => readStatus(place.config(), {}));
  const saved = reports.reduce((sum, report) => sum + report.saved, 0);
  const missing = reports.flatMap((report) => report.missing);
  return { saves: saved, runs, lost: listMissing(place, missing) };
}
