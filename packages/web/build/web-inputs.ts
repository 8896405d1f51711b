import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export const DIST = join(ROOT, 'packages/web/dist');

/** File in `dist` with the hash of the build inputs. */
export const INPUTS_FILE = '.inputs';

export const MODULES_FILE = '.modules.json';

const INPUTS = [
  'package-lock.json',
  'packages/web/package.json',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'packages/web/build',
  'packages/web/src',
  'packages/contract/src',
  'packages/core/src',
  'packages/harness/src',
];

const BUNDLED = /\.(?:tsx?|css|png|html|json)$/;
const NOT_BUNDLED = /\.(?:test|conformance)\.tsx?$|\/(?:golden|fixtures|corpus)\//;

export function hashInputs(): string {
  const sum = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => listFiles(join(ROOT, input))).toSorted()) {
    sum
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return sum.digest('hex');
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => BUNDLED.test(file) && !NOT_BUNDLED.test(file));
}
