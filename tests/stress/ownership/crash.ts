import {
  interceptFileOperations,
  writeHalf,
  type FileOperation,
} from '../sync-kill/file-operations.ts';

/** The call that changes files at which a process dies. */
export interface Crash {
  at: number;
  how: 'before' | 'half-way' | 'after';
}

class Died extends Error {}

interface Watch {
  under: string;
  crash: Crash | undefined;
  /** Called once, immediately after the journal of a sync was written. */
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

/** Simulates death: every later call that changes files fails, in `finally` blocks too. */
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

/** Runs a function as if the process died in the middle; returns true if it did. */
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
