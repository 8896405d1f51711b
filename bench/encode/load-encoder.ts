import { DATA_FOLDER } from '@catalog/embedder/read-data';
import { encode } from '@catalog/embedder/encode';
import { StaticEncoder } from '../baselines/reference-encoder.mjs';

/** What the first text costs that a process encodes. */
export interface LoadCost {
  cpu_ms: number;
  /** What stays in memory once garbage is collected. */
  mebibytes: number;
}

/**
 * A process of its own, which must start with `--expose-gc`: prints what it costs to have the encoder
 * it is told to load, `builtin` or `reference`.
 */
const [which] = process.argv.slice(2);
let kept: StaticEncoder | undefined;
const held = heldBytes();
const before = process.cpuUsage();
if (which === 'builtin') encode('first');
else (kept = StaticEncoder.load(DATA_FOLDER)).encode('first');
const { user, system } = process.cpuUsage(before);
const cost: LoadCost = {
  cpu_ms: (user + system) / 1000,
  mebibytes: (heldBytes() - held) / 1_048_576,
};
process.stdout.write(JSON.stringify(cost));
kept?.encode('last');

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
