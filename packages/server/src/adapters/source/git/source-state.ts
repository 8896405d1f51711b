import type { LayerRecord } from '@catalog/core/ports/layers';
import { z } from 'zod';

const sourceState = z.strictObject({
  repo: z.string(),
  ref: z.string(),
  root: z.string(),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** Paths of links, which are read every time because their targets may change; null if there are too many. */
  links: z.array(z.string()).nullable(),
});

export type SourceState = z.infer<typeof sourceState>;

/** Above this number of links, a full read costs less than storing them. */
const MAX_LINKS = 500;

/** Returns the stored state of a layer; undefined if the source of the layer has changed since. */
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
  const kept = links.size > MAX_LINKS ? null : [...links];
  return JSON.stringify({ repo, ref, root, commit, links: kept } satisfies SourceState);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
