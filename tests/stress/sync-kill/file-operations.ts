import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface FileOperation {
  name: string;
  values: unknown[];
}

const BY_PATH = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
  'truncateSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
] as const;
const BY_DESCRIPTOR = [
  'fchmodSync',
  'fsyncSync',
  'ftruncateSync',
  'futimesSync',
  'writeSync',
] as const;

const READS = ['lstatSync', 'readdirSync', 'readFileSync', 'statSync'] as const;

export const original = { writeFileSync: fs.writeFileSync, writeSync: fs.writeSync };

/**
 * Passes every call that changes files in a folder to a handler, which performs the call or replaces
 * it. With `reads`, the handler also receives calls that read files.
 */
export function interceptFileOperations(
  under: () => string,
  handle: (operation: FileOperation, perform: () => unknown) => unknown,
  { reads = false }: { reads?: boolean } = {},
): void {
  const opened = new Set<unknown>();
  for (const name of reads ? [...BY_PATH, ...READS] : BY_PATH)
    wrap(name, (values) => concerns(name, values));
  for (const name of BY_DESCRIPTOR) wrap(name, ([descriptor]) => opened.has(descriptor));
  wrap('closeSync', ([descriptor]) => {
    opened.delete(descriptor);
    return false;
  });
  syncBuiltinESMExports();

  function concerns(name: string, values: readonly unknown[]): boolean {
    if (name === 'openSync' && (values[1] ?? 'r') === 'r' && !reads) return false;
    return values
      .slice(0, 2)
      .some((value) => typeof value === 'string' && value.startsWith(under()));
  }

  function wrap(name: string, counted: (values: unknown[]) => boolean): void {
    const function_: unknown = Reflect.get(fs, name);
    if (typeof function_ !== 'function') throw new TypeError(`node:fs has no ${name}`);
    Reflect.set(fs, name, (...values: unknown[]): unknown => {
      const perform = (): unknown => {
        const result: unknown = Reflect.apply(function_, fs, values);
        if (name === 'openSync') opened.add(result);
        return result;
      };
      if (counted(values)) return handle({ name, values }, perform);
      return Reflect.apply(function_, fs, values);
    });
  }
}

/** Returns false if the operation writes no bytes. */
export function writeHalf({ name, values: [target, content] }: FileOperation): boolean {
  if (!(content instanceof Uint8Array) && typeof content !== 'string') return false;
  const bytes = Buffer.from(content);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (name === 'writeFileSync' && typeof target === 'string') original.writeFileSync(target, half);
  else if (name === 'writeSync' && typeof target === 'number') original.writeSync(target, half);
  else return false;
  return true;
}
