import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { SETTINGS } from '@catalog/server/config/settings';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readDockerfile } from '../../tools/image/read-dockerfile.ts';
import { freePort, listenOn } from '../../tools/services/free-port.ts';
import { runProgram } from '../../tools/services/run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');

async function checkHealth(bind: string): Promise<void> {
  const { healthcheck, copies } = readDockerfile(DOCKERFILE);
  const [, ...words] = healthcheck.map((word) => {
    const copy = copies.find(({ to }) => to === word);
    return copy === undefined ? word : join(ROOT, copy.from);
  });
  await runProgram(process.execPath, words, { env: { CATALOG_BIND: bind } });
}

describe('the health check of the image', () => {
  test('succeeds for a registry with and without TLS', async () => {
    const plain = await startRegistry();
    await checkHealth(new URL(plain.url).host);
    const folder = temporaryFolder();
    writeTree(folder, { 'cert.pem': CERT, 'key.pem': KEY });
    const tls = { 'tls.cert': join(folder, 'cert.pem'), 'tls.key': join(folder, 'key.pem') };
    const encrypted = await startRegistry({ settings: tls });
    expect(encrypted.url).toMatch(/^https:/);
    await checkHealth(new URL(encrypted.url).host);
    expect(encrypted.log).toEqual([]);
  });

  test('fails if no process listens on the port, or a different server does', async () => {
    await expect(checkHealth(`127.0.0.1:${await freePort()}`)).rejects.toThrow('healthcheck');
    const port = await freePort();
    const server = createServer((_, response) => response.writeHead(503).end());
    await listenOn(server, port);
    onTestFinished(() => void server.close());
    await expect(checkHealth(`127.0.0.1:${port}`)).rejects.toThrow('healthcheck');
  });

  test('succeeds for a registry that waits for its database', () => {
    const seconds = Number(/--start-period=(\d+)s /.exec(DOCKERFILE)?.[1]);
    expect(seconds).toBeGreaterThan(SETTINGS.startup_timeout.default);
  });
});
