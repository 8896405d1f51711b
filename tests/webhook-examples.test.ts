import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createSigningKey, signDispatch } from '@catalog/core/webhook/sign-dispatch';
import { newWebhookSecret } from '@catalog/server/adapters/id';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../tools/services/free-port.ts';
import { installOnce } from '../tools/services/install-once.ts';
import { runProgram } from '../tools/services/run-program.ts';

const EXAMPLES = join(import.meta.dirname, '../examples/webhooks');

interface Program {
  command: string[];
  env?: Record<string, string>;
}

const receivers: Readonly<Record<string, () => Promise<Program>>> = {
  node: async () => ({ command: [process.execPath, join(EXAMPLES, 'node/receiver.mjs')] }),
  python: async () => ({
    command: ['python3', join(EXAMPLES, 'python/receiver.py')],
    env: { PYTHONPATH: await installPythonLibrary() },
  }),
  go: async () => ({ command: [join(await buildGoReceiver(), 'receiver')] }),
};

function installPythonLibrary(): Promise<string> {
  const list = join(EXAMPLES, 'python/requirements.txt');
  return installOnce({
    key: `webhook-receiver-python-${hashFiles(list)}`,
    build: async (folder) => {
      const how = ['--quiet', '--no-deps', '--only-binary', ':all:', '--target', folder];
      await runProgram('python3', ['-m', 'pip', 'install', ...how, '-r', list]);
    },
  });
}

function buildGoReceiver(): Promise<string> {
  const source = join(EXAMPLES, 'go');
  const files = ['main.go', 'go.mod', 'go.sum'].map((name) => join(source, name));
  return installOnce({
    key: `webhook-receiver-go-${hashFiles(...files)}`,
    build: async (folder) => {
      cpSync(source, folder, { recursive: true });
      const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
      await runProgram('go', ['build', '-o', 'receiver', '.'], { cwd: folder, env });
    },
  });
}

function hashFiles(...paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}

async function startReceiver(
  { command: [file = '', ...words], env = {} }: Program,
  secret: string,
): Promise<{ url: string; lines: AsyncIterator<string> }> {
  const port = await freePort();
  const child = spawn(file, words, {
    env: { ...process.env, ...env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: `listening on port ${port}` });
  return { url: `http://127.0.0.1:${port}/`, lines };
}

test.each(Object.entries(receivers))(
  'the %s receiver accepts exactly the requests that the registry signed',
  async (_, install) => {
    const secret = newWebhookSecret();
    const other = newWebhookSecret();
    const { url, lines } = await startReceiver(await install(), secret);
    const body = JSON.stringify({ event: 'layer.ingested', data: { layer: 'équipe' } });
    const timestamp = Math.floor(Date.now() / 1000);
    const dispatch = { id: 'dispatch-1', timestamp, body: Buffer.from(body) };
    const post = async (headers: Record<string, string>, sent = body): Promise<number> => {
      const { status } = await fetch(url, { method: 'POST', headers, body: sent });
      return status;
    };
    const [key, other_key] = [createSigningKey(secret), createSigningKey(other)];
    const signed = signDispatch(dispatch, [key]);
    expect(await post(signed)).toBe(204);
    expect(await lines.next()).toMatchObject({ value: 'dispatch-1 layer.ingested' });
    // During a rotation, a receiver that has either of the secrets accepts the dispatch.
    expect(await post(signDispatch(dispatch, [key, other_key]))).toBe(204);
    expect(await post(signDispatch(dispatch, [other_key, key]))).toBe(204);
    expect(await post(signDispatch(dispatch, [other_key]))).toBe(400);
    expect(await post(signed, body.replace('équipe', 'other'))).toBe(400);
    expect(await post({ ...signed, 'webhook-id': 'dispatch-2' })).toBe(400);
    expect(await post({})).toBe(400);
    const old = { ...dispatch, timestamp: timestamp - 600 };
    expect(await post(signDispatch(old, [key]))).toBe(400);
  },
  300_000,
);
