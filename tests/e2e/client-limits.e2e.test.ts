import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { openWorkspace } from './workspace.ts';

const MIB = 1024 * 1024;
/** A gzip member of 32 MiB of spaces, which JSON ignores; members can be concatenated. */
const MEMBER = gzipSync(Buffer.alloc(32 * MIB, ' '));

async function serveBomb(mib: number): Promise<string> {
  const { url } = await startFakeServer(async (_, response) => {
    response.on('error', () => undefined).setMaxListeners(0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    for (let sent = 0; sent < mib && !response.destroyed; sent += 32) {
      if (response.write(MEMBER)) continue;
      await new Promise((resolve) => {
        response.once('drain', resolve).once('close', resolve);
      });
    }
    response.end();
  });
  return url;
}

describe('a response that expands beyond its limit', () => {
  test('ends a sync before the manifest exhausts the memory', { timeout: 60_000 }, async () => {
    const workspace = openWorkspace();
    const registry = await serveBomb(3072);
    const { error } = await workspace.error(['sync', '--harness', 'cursor'], {
      CATALOG_REGISTRY: registry,
      CATALOG_TOKEN: 'x',
    });
    expect(error).toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining(`larger than the limit of ${512 * MIB} bytes`),
    });
  });

  test('ends any other request at 64 MiB', async () => {
    const workspace = openWorkspace();
    const registry = await serveBomb(96);
    const { error } = await workspace.error(['search', 'x'], { CATALOG_REGISTRY: registry });
    expect(error).toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining(`larger than the limit of ${64 * MIB} bytes`),
    });
  });
});
