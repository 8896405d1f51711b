import { expect, test } from 'vitest';
import { createRuntimePlace } from '@catalog/testkit/runtime-place';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { deviceTokens } from './device-tokens.ts';
import { removeTokens, saveTokens } from './token-store.ts';

const REGISTRY = 'http://127.0.0.1:9';

test('a long-running process sends the token of the user who is currently signed in', async () => {
  const config = createRuntimePlace(temporaryFolder('catalog-tokens-'), REGISTRY).configure();
  const { identity } = config;
  const source = deviceTokens(REGISTRY, config, {});
  const save = (access_token: string): Promise<void> => {
    const tokens = { access_token, token_endpoint: 'https://idp.test/token', client_id: 'cli' };
    return saveTokens(identity, REGISTRY, tokens, 'file');
  };
  expect(await source.token()).toBeUndefined();
  await save('of bob');
  expect(await source.token()).toBe('of bob');
  expect(await source.token()).toBe('of bob');
  await save('of alice');
  expect(await source.token()).toBe('of alice');
  await removeTokens(identity, REGISTRY);
  expect(await source.token()).toBeUndefined();
});
