import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { closedFolder } from './unprivileged-user.ts';

test('closedFolder returns the outermost folder that other users cannot enter', () => {
  const folder = temporaryFolder();
  const inner = join(folder, 'a/b');
  mkdirSync(inner, { recursive: true });
  chmodSync(folder, 0o700);
  expect(closedFolder(inner)).toBe(folder);
  chmodSync(folder, 0o711);
  expect(closedFolder(inner)).toBeUndefined();
  chmodSync(inner, 0o770);
  expect(closedFolder(join(inner, 'not-there-yet'))).toBe(inner);
});
