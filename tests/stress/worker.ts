/** Plays histories in its own process, sequentially by seed. */
import { rmSync } from 'node:fs';
import { allStressTests } from './all-stress-tests.ts';
import { killDescendants } from './kill-descendants.ts';

const [name = '', folder = '', size = ''] = process.argv.slice(2);
const test = allStressTests.find((known) => known.name === name);
if (test === undefined) throw new Error(`Unknown stress test: ${name}`);
const session = test.open(folder, Number(size));
process.on('message', (seed: string) => {
  void session.play(seed).then(
    (result) => send({ seed, ...result }),
    (error: unknown) => send({ seed, counts: {}, problems: [describe(error)] }),
  );
});
process.on('disconnect', () => void end(0));

try {
  await session.opened;
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  await end(1);
}
process.send?.('ready');

/** Sends a result unless the run was stopped and the parent has disconnected. */
function send(result: object): void {
  if (process.connected) process.send?.(result);
}

/** Exits. A session that failed to open cannot close, but may have started some of its servers. */
async function end(code: number): Promise<never> {
  await session.close?.().catch(() => undefined);
  killDescendants(process.pid);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
