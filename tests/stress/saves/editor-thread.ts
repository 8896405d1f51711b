/** An editor in its own thread, which repeatedly saves a file while syncs run. */
import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { EDITORS } from './editors.ts';

export interface EditorTask {
  path: string;
  seed: string;
  saves: number;
}

/** Successful saves, and saves whose text was missing in the file before the next save. */
export interface EditorReport {
  saved: number;
  missing: string[];
}

const MAX_PAUSE_MS = 12;
const POLL_INTERVAL_MS = 5;
const LOOKS = 100;

const { path, seed, saves }: EditorTask = workerData;
const random = seededRandom(`editor ${seed}`);
const clock = new Int32Array(new SharedArrayBuffer(4));
const report: EditorReport = { saved: 0, missing: [] };
let last: string | undefined;
for (let number = 1; number <= saves; number += 1) {
  Atomics.wait(clock, 0, 0, random.next() * MAX_PAUSE_MS);
  checkLastSave();
  const editor = random.pick(EDITORS);
  const opened = editor.open(path);
  const token = `save-${number}-of-${seed}-by-${EDITORS.indexOf(editor)}.`;
  if (opened.save(textWith(token))) {
    report.saved += 1;
    last = token;
  }
  opened.close();
}
checkLastSave();
parentPort?.postMessage(report, []);

/** Reads the file several times, because a sync may move it aside and restore it. */
function checkLastSave(): void {
  if (last === undefined) return;
  let isFound = false;
  for (let reads = 0; reads < LOOKS && !isFound; reads += 1) {
    isFound = read().includes(last);
    if (!isFound) Atomics.wait(clock, 0, 0, POLL_INTERVAL_MS);
  }
  if (!isFound) report.missing.push(last);
  last = undefined;
}

function read(): string {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Returns a line that keeps a JSON document valid. */
function textWith(token: string): string {
  return path.endsWith('.json') ? `\n{"mcpServers": {}} // ${token}\n` : `\n// ${token}\n`;
}
