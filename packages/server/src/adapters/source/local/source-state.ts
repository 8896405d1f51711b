import { z } from 'zod';

const sourceState = z.strictObject({
  digest: z.string(),
  racy: z.array(z.string()),
});

export type SourceState = z.infer<typeof sourceState>;

/** If more files than this changed during the read, the folder is read again. */
const MAX_RACY = 500;

export function readState(text: string): SourceState | undefined {
  const parsed = sourceState.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

export function writeState(digest: string, racy: readonly string[]): string {
  const state: SourceState =
    racy.length > MAX_RACY ? { digest: '', racy: [] } : { digest, racy: [...racy] };
  return JSON.stringify(state);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
