import type { LayerRecord } from '@catalog/core/ports/layers';
import { z } from 'zod';

const sourceState = z.strictObject({
  repo: z.string(),
  ref: z.string(),
  root: z.string(),
  /** What was read. */
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /**
   * The keys of entries that are links: what they lead to may change while they do not, so they are
   * read every time. Null when there are too many to keep.
   */
  links: z.array(z.string()).nullable(),
});

/** What the registry keeps of the last reading of a git layer. */
export type SourceState = z.infer<typeof sourceState>;

/** Beyond this, reading everything costs less than keeping track. */
const MOST_LINKS = 500;

/** The state of the last reading, if it was of the same place. */
export function readState(layer: LayerRecord): SourceState | undefined {
  if (layer.source_state === null) return undefined;
  const parsed = sourceState.safeParse(parseJson(layer.source_state));
  if (!parsed.success) return undefined;
  const { repo, ref, root } = parsed.data;
  const same = repo === layer.repo && ref === layer.ref && root === layer.root;
  return same ? parsed.data : undefined;
}

export function writeState(
  { repo, ref, root }: LayerRecord,
  commit: string,
  links: ReadonlySet<string>,
): string {
  const kept = links.size > MOST_LINKS ? null : [...links];
  return JSON.stringify({ repo, ref, root, commit, links: kept } satisfies SourceState);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // another kind of source wrote it
  }
}
