export interface SideTimes {
  p50: number;
  p99: number;
  cpu_ms: number;
}

/** A hybrid search, and a search with each of its two parts alone. */
export interface Sides<Side> {
  hybrid: Side;
  words: Side;
  vectors: Side;
}

export const SIDES = ['hybrid', 'words', 'vectors'] as const;

/** Runs every query of each side in alternation, after a warm-up round that does not count. */
export async function timeSides(
  questions: readonly Sides<() => Promise<unknown>>[],
  requests: number,
): Promise<Sides<SideTimes>> {
  const costs: Sides<Cost[]> = { hybrid: [], words: [], vectors: [] };
  for (let at = 0; at < requests + questions.length; at += 1) {
    const question = questions[at % questions.length];
    if (question === undefined) break;
    const first = at % SIDES.length;
    for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
      const cost = await costOf(question[side]);
      if (at >= questions.length) costs[side].push(cost);
    }
  }
  return {
    hybrid: summarize(costs.hybrid),
    words: summarize(costs.words),
    vectors: summarize(costs.vectors),
  };
}

interface Cost {
  wall_ms: number;
  cpu_ms: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const wall_ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { wall_ms, cpu_ms: (user + system) / 1000 };
}

function summarize(costs: readonly Cost[]): SideTimes {
  const sorted = costs.map(({ wall_ms }) => wall_ms).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const cpu_ms = costs.reduce((sum, cost) => sum + cost.cpu_ms, 0) / costs.length;
  return { p50: at(0.5), p99: at(0.99), cpu_ms };
}
