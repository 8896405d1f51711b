import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import {
  checkUserFolder,
  makePrivateFolder,
  readUserFile,
  userFolder,
  USER_FOLDER_ENTRIES,
} from './user-folder.ts';

function openHome(): { home: string; folder: string } {
  const home = temporaryFolder();
  const folder = userFolder(home);
  makePrivateFolder(folder);
  for (const name of USER_FOLDER_ENTRIES) {
    const path = `${folder}/${name}`;
    if (name.includes('.')) writeFileSync(path, 'content', { mode: 0o600 });
    else mkdirSync(path, { mode: 0o700 });
  }
  return { home, folder };
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const isRoot = process.geteuid?.() === 0;
const ANOTHER_USER = 12_345;

describe('user folder', () => {
  test('is created with access for its owner only', () => {
    const folder = userFolder(temporaryFolder());
    makePrivateFolder(`${folder}/credentials`);
    expect([modeOf(folder), modeOf(`${folder}/credentials`)]).toEqual([0o700, 0o700]);
  });

  test('may be missing', () => {
    const home = temporaryFolder();
    checkUserFolder(home);
    expect(existsSync(userFolder(home))).toBe(false);
  });

  test.each([0o755, 0o750, 0o705, 0o711])('becomes private if its mode is %o', (mode) => {
    const { home, folder } = openHome();
    chmodSync(folder, mode);
    checkUserFolder(home);
    expect(modeOf(folder)).toBe(0o700);
  });

  test.each([0o775, 0o770, 0o757, 0o777, 0o702])(
    'is rejected unchanged if its mode is %o',
    (mode) => {
      const { home, folder } = openHome();
      chmodSync(folder, mode);
      for (const use of [
        () => checkUserFolder(home),
        () => makePrivateFolder(folder),
        () => readUserFile(`${folder}/trust.json`, 100),
      ]) {
        expect(use).toThrow(
          expect.objectContaining({
            code: 'config.unsafe_workspace',
            message: expect.stringContaining(`${folder} (mode ${mode.toString(8)})`),
            suggested_action: expect.stringContaining(`\`chmod -R go-w ${folder}\``),
          }),
        );
      }
      expect(modeOf(folder)).toBe(mode);
    },
  );

  test.each(USER_FOLDER_ENTRIES)('is rejected if other users can change %s', (name) => {
    const { home, folder } = openHome();
    const path = `${folder}/${name}`;
    const own = modeOf(path);
    checkUserFolder(home);
    for (const writable of [0o020, 0o002, 0o022]) {
      chmodSync(path, own | writable);
      expect(() => checkUserFolder(home)).toThrow(`Other users can change ${path} (mode`);
    }
    chmodSync(path, own | 0o044);
    checkUserFolder(home);
  });

  test.runIf(isRoot).each(['', ...USER_FOLDER_ENTRIES])(
    'is rejected if another user owns its entry "%s"',
    (name) => {
      const { home, folder } = openHome();
      const path = name === '' ? folder : `${folder}/${name}`;
      chownSync(path, ANOTHER_USER, ANOTHER_USER);
      expect(() => checkUserFolder(home)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining(`${path} belongs to another user (uid ${ANOTHER_USER})`),
          details: { path, owner: ANOTHER_USER },
        }),
      );
    },
  );

  test('can be a link, whose target is checked', () => {
    const { home, folder } = openHome();
    const target = `${temporaryFolder()}/sync.yaml`;
    writeFileSync(target, 'content', { mode: 0o644 });
    const linked = userFolder(temporaryFolder());
    symlinkSync(folder, linked);
    symlinkSync(target, `${folder}/sync.local.yaml`);
    checkUserFolder(dirname(linked));
    chmodSync(folder, 0o770);
    expect(() => checkUserFolder(dirname(linked))).toThrow(`Other users can change ${linked}`);
    expect(() => checkUserFolder(home)).toThrow(`Other users can change ${folder}`);
  });

  test('returns files only if no other user can change them', () => {
    const { folder } = openHome();
    const path = `${folder}/state.key`;
    expect(readUserFile(path, 100).toString()).toBe('content');
    chmodSync(path, 0o660);
    expect(() => readUserFile(path, 100)).toThrow(
      expect.objectContaining({
        suggested_action: expect.stringContaining(`\`chmod go-w ${path}\``),
      }),
    );
    expect(() => readUserFile(`${folder}/missing`, 100)).toThrow('ENOENT');
  });
});
