/**
 * Preloaded into a program under test: appends every process that it starts to the file in
 * `CATALOG_TEST_PROCESSES`, as one line of JSON.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const log = process.env['CATALOG_TEST_PROCESSES'] ?? '';

function record(file: unknown, args: unknown): void {
  const words = Array.isArray(args) ? args : [];
  appendFileSync(log, `${JSON.stringify({ file, args: words })}\n`);
}

function recorded(
  owner: object,
  name: string,
  read: (given: unknown[]) => [unknown, unknown],
): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new TypeError(`There is no ${name}.`);
  Reflect.set(owner, name, function spy(this: unknown, ...given: unknown[]): unknown {
    record(...read(given));
    return Reflect.apply(original, this, given);
  });
}

// All asynchronous functions use this method.
recorded(ChildProcess.prototype, 'spawn', ([options]) =>
  typeof options === 'object' && options !== null
    ? [Reflect.get(options, 'file'), Reflect.get(options, 'args')]
    : [undefined, undefined],
);
for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
  recorded(childProcess, name, ([file, args]) => [file, args]);
}
syncBuiltinESMExports();
