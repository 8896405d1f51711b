import { z } from 'zod';

const sourceState = z.strictObject({
  /** Of everything the folder showed. */
  digest: z.string(),
  /** Keys of entries that may have changed again unseen. */
  racy: z.array(z.string()),
});

/** What the registry keeps of the last reading of a folder. */
export type SourceState = z.infer<typeof sourceState>;

/** Beyond this the folder was being written as it was read; it is read again instead. */
const MOST_RACY = 500;

export function readState(text: string): SourceState | undefined {
  const parsed = sourceState.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

export function writeState(digest: string, racy: readonly string[]): string {
  const state: SourceState =
    racy.length > MOST_RACY ? { digest: '', racy: [] } : { digest, racy: [...racy] };
  return JSON.stringify(state);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // another kind of source wrote it
  }
}
