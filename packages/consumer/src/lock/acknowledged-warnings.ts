import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LocalState } from './local-state.ts';
import { makeStateFolder } from './state-folder.ts';

const NAME = 'acknowledged-warnings.json';

export function readAcknowledged(state: LocalState): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(state.read(NAME)?.toString('utf8') ?? '[]');
    return new Set(Array.isArray(value) ? value.filter((hash) => typeof hash === 'string') : []);
  } catch {
    return new Set();
  }
}

export function writeAcknowledged(state: LocalState, hashes: ReadonlySet<string>): void {
  if (hashes.size === 0) {
    state.remove(NAME);
    return;
  }
  makeStateFolder(state.directory);
  const sorted = [...hashes].toSorted(compareBytes);
  state.write(NAME, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
