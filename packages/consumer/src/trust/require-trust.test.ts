import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { requireTrust, type TrustRequest } from './require-trust.ts';

const WANTS = ['publish: ./push.sh'];

function place(): { trust_file: string } {
  return { trust_file: `${temporaryFolder()}/.catalog/trust.json` };
}

const FILE = { path: '/work/.catalog/sync.yaml', hash: 'sha256:one' };
const CHANGED = { ...FILE, hash: 'sha256:two' };

describe('file that runs code', () => {
  test('is rejected until the user trusts it, with its commands and advice', async () => {
    await expect(requireTrust(place(), FILE, WANTS, {})).rejects.toMatchObject({
      code: 'config.untrusted',
      message: expect.stringContaining('/work/.catalog/sync.yaml is not trusted yet'),
      details: { file: FILE.path, wants: WANTS, changed: false },
      suggested_action: expect.stringContaining('--trust'),
    });
  });

  test('cannot inject a line into the message for the user', async () => {
    const wants = ['publish: true\n  nothing else\nerror: none\r\u001B[2K', 'after\u2028hidden'];
    const error: unknown = await requireTrust(place(), FILE, wants, {}).catch((cause) => cause);
    expect(error).toMatchObject({ code: 'config.untrusted', details: { wants } });
    const { message } = error instanceof Error ? error : new Error('nothing was thrown');
    expect(message.split('\n').slice(1)).toEqual([
      '  publish: true\\n  nothing else\\nerror: none\\r\\u{1b}[2K',
      '  after\\u{2028}hidden',
    ]);
  });

  test('remains trusted, and the record is readable only by its owner', async () => {
    const config = place();
    await requireTrust(config, FILE, WANTS, { trust: true });
    await requireTrust(config, FILE, WANTS, {});
    expect(statSync(config.trust_file).mode & 0o777).toBe(0o600);
  });

  test('is no longer trusted after any change', async () => {
    const config = place();
    await requireTrust(config, FILE, WANTS, { trust: true });
    await expect(requireTrust(config, CHANGED, WANTS, {})).rejects.toMatchObject({
      message: expect.stringContaining('has changed since you trusted it'),
      details: { changed: true },
    });
  });

  test('is trusted only if the user confirms the prompt', async () => {
    const config = place();
    const requests: TrustRequest[] = [];
    const answer = (yes: boolean) => (request: TrustRequest) => {
      requests.push(request);
      return Promise.resolve(yes);
    };
    await expect(
      requireTrust(config, FILE, WANTS, { confirmTrust: answer(false) }),
    ).rejects.toMatchObject({ code: 'config.untrusted' });
    await requireTrust(config, FILE, WANTS, { confirmTrust: answer(true) });
    await requireTrust(config, FILE, WANTS, { confirmTrust: answer(false) });
    expect(requests).toEqual([
      { file: FILE.path, wants: WANTS, changed: false },
      { file: FILE.path, wants: WANTS, changed: false },
    ]);
  });

  test('does not remove the trust in another file', async () => {
    const config = place();
    const other = { path: '/other/sync.yaml', hash: 'sha256:three' };
    await requireTrust(config, other, WANTS, { trust: true });
    await requireTrust(config, FILE, WANTS, { trust: true });
    await requireTrust(config, other, WANTS, {});
    expect(JSON.parse(readFileSync(config.trust_file, 'utf8'))).toEqual({
      version: 1,
      files: { '/other/sync.yaml': 'sha256:three', [FILE.path]: FILE.hash },
    });
  });

  test('is not trusted if the record is malformed', async () => {
    const config = { trust_file: `${temporaryFolder()}/trust.json` };
    writeFileSync(config.trust_file, '{"files": ["/work/.catalog/sync.yaml"');
    await expect(requireTrust(config, FILE, WANTS, {})).rejects.toMatchObject({
      code: 'config.untrusted',
    });
  });

  test('is rejected with advice if the trust cannot be recorded', async () => {
    const config = place();
    mkdirSync(config.trust_file, { recursive: true });
    await expect(requireTrust(config, FILE, WANTS, { trust: true })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(`${config.trust_file} cannot be written`),
      suggested_action: expect.stringContaining('HOME'),
    });
  });
});
