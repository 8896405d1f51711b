import {
  interceptFileOperations,
  writeHalf,
  type FileOperation,
} from '../sync-kill/file-operations.ts';

/** Where a process dies: at the nth call that changes files. */
export interface Crash {
  at: number;
  how: 'before' | 'half-way' | 'after';
}

class Died extends Error {}

interface Watch {
  under: string;
  crash: Crash | undefined;
  /** Called once, right after the journal of a run is in place. */
  onJournal: (() => void) | undefined;
  operations: number;
  dead: boolean;
}

let watch: Watch | undefined;

interceptFileOperations(
  () => watch?.under ?? '\0',
  (operation, perform) => {
    if (watch === undefined) return perform();
    if (watch.dead) throw new Died();
    watch.operations += 1;
    if (watch.operations === watch.crash?.at) return die(watch, watch.crash, operation, perform);
    const result = perform();
    const { onJournal } = watch;
    if (onJournal !== undefined && isJournal(operation)) {
      watch.onJournal = undefined;
      onJournal();
    }
    return result;
  },
);

/** After its death a process changes nothing any more: every later call fails, in `finally` as well. */
function die(
  watched: Watch,
  { how }: Crash,
  operation: FileOperation,
  perform: () => unknown,
): never {
  watched.dead = true;
  if (how === 'after' || (how === 'half-way' && !writeHalf(operation))) perform();
  throw new Died();
}

function isJournal({ name, values }: FileOperation): boolean {
  return name === 'renameSync' && String(values[1]).endsWith('/.catalog/state/journal.json');
}

/** Runs something as if the process died on the way; tells whether it did. */
export async function withCrash<T>(
  under: string,
  { crash, onJournal }: { crash?: Crash | undefined; onJournal?: (() => void) | undefined },
  run: () => Promise<T>,
): Promise<{ died: true } | { died: false; result: T }> {
  const mine: Watch = { under, crash, onJournal, operations: 0, dead: false };
  watch = mine;
  try {
    const result = await run();
    return mine.dead ? { died: true } : { died: false, result };
  } catch (error) {
    if (mine.dead) return { died: true };
    throw error;
  } finally {
    watch = undefined;
  }
}
