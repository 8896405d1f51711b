import { decodeCheckpoints, type SignedTree } from '@catalog/core/audit/checkpoint-file';
import {
  checkpointsName,
  checkpointsNumber,
  type AuditObjects,
} from '@catalog/core/ports/audit-objects';

export interface NumberedTrees {
  number: number;
  /** Undefined if the object is damaged. */
  trees: readonly SignedTree[] | undefined;
}

const NAMES_AT_ONCE = 1000;

/** Yields the checkpoints after a number, in the order in which they were signed. */
export async function* readSignedTrees(
  objects: Pick<AuditObjects, 'read' | 'list'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<NumberedTrees> {
  let last = checkpointsName(after);
  for (;;) {
    const names = await objects.list({ after: last, limit: NAMES_AT_ONCE }, signal);
    for (const name of names) {
      const number = checkpointsNumber(name);
      if (number === undefined) continue;
      const bytes = await objects.read(name, signal);
      yield { number, trees: bytes && decodeCheckpoints(bytes)?.trees };
    }
    const end = names.at(-1);
    if (end === undefined || names.length < NAMES_AT_ONCE) return;
    last = end;
  }
}
