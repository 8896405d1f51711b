import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../tools/seeded-random.ts';
import type { StressResult, StressTest } from '../stress-test.ts';
import { attack, ATTACKS } from './attacks.ts';
import { openHistory, type History } from './history.ts';

const MAX_STEPS = 30;
/** One history in this many backs up the registry and restores it. */
const RESTORE_INTERVAL = 8;

export const auditTamper: StressTest = {
  name: 'audit-tamper',
  summary:
    'Plays random histories of an audit log with erasures, restarts, recoveries and restores, and verifies them: no finding is allowed. Then an attacker with the database, but neither key nor checkpoints, changes records and recomputes all hashes: the verification must name the first changed record.',
  n: 1_000,
  small_n: 20,
  open: (folder) => ({
    play: async (seed) => {
      mkdirSync(folder, { recursive: true });
      const own = mkdtempSync(join(folder, 'history-'));
      try {
        return await play(own, seed);
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
    },
  }),
};

async function play(folder: string, seed: string): Promise<StressResult> {
  const random = seededRandom(`audit-tamper ${seed}`);
  const history = openHistory(folder, random);
  const counts: Record<string, number> = { histories: 1 };
  try {
    const restores = random.int(RESTORE_INTERVAL) === 0;
    const steps = 5 + random.int(MAX_STEPS);
    for (let step = 0; step < steps; step += 1) {
      const name = random.pick(STEPS);
      await history[name]();
    }
    if (restores) {
      await history.restore();
      counts['restores'] = 1;
      for (const name of ['append', 'sign', 'append'] as const) await history[name]();
    }
    const honest = await history.verify();
    counts['records'] = honest.records;
    counts['reopenings'] = honest.reopenings.length;
    const problems = honest.findings.map(
      ({ tenant, position, kind }) => `false alarm: ${kind} at record ${position} of ${tenant}`,
    );
    if (problems.length > 0) return { counts, problems };
    return await playAttack(history, seed, counts);
  } finally {
    await history.stop();
  }
}

const STEPS = [
  'append',
  'append',
  'append',
  'append',
  'sign',
  'sign',
  'redact',
  'restart',
  'restart',
  'recover',
] as const satisfies (keyof History)[];

async function playAttack(
  history: History,
  seed: string,
  counts: Record<string, number>,
): Promise<StressResult> {
  const random = seededRandom(`audit-tamper attack ${seed}`);
  const tenant = 1 + random.int(2);
  const signed = await history.listSigned(tenant);
  const named = new Set<number>();
  for (const one of signed) if (await history.isNamed(tenant, one)) named.add(one);
  await history.stop();
  const kind = random.pick(ATTACKS);
  const position = attack(kind, { path: history.path, tenant, signed }, random);
  if (position === undefined) return { counts, problems: [] };
  counts['attacks'] = 1;
  counts[kind] = 1;
  // A new leader must not make the change look signed.
  if (random.int(2) === 0) await history.sign().catch(() => undefined);
  const report = await history.verify();
  const own = report.findings.filter((found) => found.tenant === tenant);
  const first = own.find((found) => (position === 0 ? true : found.position > 0));
  if (first?.position === position) return { counts, problems: [] };
  // The attack can begin at a record that is only covered together with others.
  const next = signed.find((one) => one > position && named.has(one));
  const isBefore = (found: number): boolean =>
    found > position && next !== undefined && found <= next;
  if (!named.has(position) && first !== undefined && isBefore(first.position)) {
    counts['covered_together'] = 1;
    return { counts, problems: [] };
  }
  const found = first === undefined ? 'nothing' : `${first.kind} at ${first.position}`;
  return {
    counts,
    problems: [`${kind} at record ${position} of tenant ${tenant}: found ${found}`],
  };
}
