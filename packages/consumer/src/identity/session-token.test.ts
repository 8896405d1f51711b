import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { sessionTokens } from './session-token.ts';

function open(env: Record<string, string | undefined>) {
  const cwd = temporaryFolder('catalog-session-');
  return sessionTokens(loadConfig({ cwd, home: cwd, env, flags: {} }).identity);
}

describe('session token of a runtime', () => {
  test('is read from an environment variable for each request', async () => {
    const env: Record<string, string> = { CATALOG_SESSION_TOKEN: 'one' };
    const source = open(env);
    expect(await source.token()).toBe('one');
    env['CATALOG_SESSION_TOKEN'] = 'two\n';
    expect(await source.token()).toBe('two');
    delete env['CATALOG_SESSION_TOKEN'];
    expect(await source.token()).toBeUndefined();
  });

  test('is read from a file if the file has changed, also behind a link', async () => {
    const folder = temporaryFolder('catalog-session-');
    const place = (name: string): string => join(folder, name);
    writeFileSync(place('first'), 'one\n');
    writeFileSync(place('second'), 'two\n');
    symlinkSync(place('first'), place('token'));
    const source = open({
      CATALOG_SESSION_TOKEN_FILE: place('token'),
      CATALOG_SESSION_TOKEN: 'not this one',
    });
    expect(await source.token()).toBe('one');
    symlinkSync(place('second'), place('next'));
    renameSync(place('next'), place('token'));
    expect(await source.token()).toBe('two');
    writeFileSync(place('second'), 'three');
    expect(await source.refused?.('two')).toBe('three');
    rmSync(place('second'));
    await expect(source.token()).rejects.toMatchObject({ code: 'config.invalid' });
  });
});
