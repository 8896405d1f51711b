import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { readStatus } from '@catalog/consumer/status';
import { interceptFileOperations } from '../sync-kill/file-operations.ts';
import type { Editor } from './editors.ts';
import { attempt, listMissing, openPlace, ownText } from './place.ts';
import type { Scenario } from './scenarios.ts';

const SAVED = 'saved-by-the-editor';
const SAVED_AGAIN = 'saved-once-more';

interface Watch {
  under: string;
  calls: number;
  /** Number of the first call that writes the journal; 0 before it. */
  journal: number;
  /** Number of the call before which the editor saves the file. */
  at: number;
  save: () => void;
  /** The file that the editor saves, and the number of times that the sync has moved it since. */
  path: string;
  moves: number;
  /** Saves again before the sync moves the file a second time to restore the user's version. */
  saveAgain: () => void;
}

let watch: Watch | undefined;
let isInstalled = false;

function countCalls(): void {
  if (isInstalled) return;
  isInstalled = true;
  interceptFileOperations(
    () => watch?.under ?? '\0',
    ({ name, values }, perform) => {
      const current = watch;
      if (current === undefined) return perform();
      current.calls += 1;
      const isJournal =
        name === 'renameSync' && /\/(?:journal|record)\.json$/.test(String(values[1]));
      if (isJournal) current.journal ||= current.calls;
      const isMove = name === 'renameSync' && values[0] === current.path;
      if (isMove && current.calls >= current.at) current.moves += 1;
      watch = undefined;
      if (current.calls === current.at) current.save();
      if (isMove && current.moves === 2) current.saveAgain();
      watch = current;
      return perform();
    },
    { reads: true },
  );
}

/**
 * Runs a scenario once for each file system call after the start of the journal, and for the three
 * calls before it, with a save before that call. All earlier calls only read.
 */
export async function enumerateCalls(
  folder: string,
  scenario: Scenario,
  editor: Editor,
): Promise<{ saves: number; lost: string[] }> {
  countCalls();
  const template = `${folder}/template`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(template, { recursive: true });
  await scenario.prepare(openPlace(template));
  const { calls, journal } = await play(folder, scenario, editor, Infinity);
  if (journal < 2) throw new Error(`${scenario.name}: no journal was written`);
  const planning = [1, Math.floor(journal / 2), journal - 1];
  const applying = Array.from({ length: calls - journal + 1 }, (_, index) => journal + index);
  const lost: string[] = [];
  for (const at of [...planning, ...applying]) {
    const played = await play(folder, scenario, editor, at);
    for (const text of played.lost) {
      lost.push(`${scenario.name}, the editor ${editor.name} before call ${at}: lost ${text}`);
    }
  }
  return { saves: planning.length + applying.length, lost };
}

async function play(
  folder: string,
  { file, run }: Scenario,
  editor: Editor,
  at: number,
): Promise<{ calls: number; journal: number; lost: string[] }> {
  const root = `${folder}/place`;
  rmSync(root, { recursive: true, force: true });
  cpSync(`${folder}/template`, root, { recursive: true });
  const place = openPlace(root);
  const path = `${place.work}/${file}`;
  const opened = editor.open(path);
  const before = read(path);
  const own = ownText(file);
  const texts: string[] = [];
  const current: Watch = {
    under: place.work,
    calls: 0,
    journal: 0,
    at,
    path,
    moves: 0,
    saveAgain: () => {
      appendFileSync(path, `// ${SAVED_AGAIN}\n`);
      texts.push(SAVED_AGAIN);
    },
    save: () => {
      if (opened.save(`// ${SAVED}\n`)) texts.push(SAVED);
      // An editor that appends does not know the rest of the file, so the rest must be kept too.
      if (before.includes(own) && (editor.keeps || read(path).includes(own))) texts.push(own);
    },
  };
  watch = current;
  try {
    await attempt(() => run(place));
  } finally {
    watch = undefined;
    opened.close();
  }
  let lost = listMissing(place, texts);
  if (lost.length > 0) {
    // The next command moves bytes that arrived late to `.catalog/kept`.
    await attempt(() => readStatus(place.config(), {}));
    lost = listMissing(place, texts);
  }
  return { calls: current.calls, journal: current.journal, lost };
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
