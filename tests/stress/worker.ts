/** Plays histories in its own process, one seed after the other. */
import { rmSync } from 'node:fs';
import { allStressTests } from './all-stress-tests.ts';

const [name = '', folder = ''] = process.argv.slice(2);
const test = allStressTests.find((known) => known.name === name);
if (test === undefined) throw new Error(`Unknown stress test: ${name}`);
const session = test.open(folder);
process.on('message', (seed: string) => {
  void session.play(seed).then(
    (result) => process.send?.({ seed, ...result }),
    (error: unknown) => process.send?.({ seed, counts: {}, problems: [describe(error)] }),
  );
});
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
process.send?.('ready');

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
