import { createServer } from 'node:net';
import { once } from 'node:events';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Store } from '@catalog/core/ports/store';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { expect, onTestFinished, test } from 'vitest';
import { openLog, type Log } from '../../observe/log.ts';
import { openWhenAvailable } from './open-when-available.ts';
import { openPostgresStore } from './postgres/open-store.ts';
import { freePort } from '../../../../../tools/services/free-port.ts';

function openLines(): { log: Log; messages: () => string[] } {
  const lines: string[] = [];
  const output = { write: (text: string) => void lines.push(text) };
  const { log } = openLog({ level: 'info', format: 'json', output });
  return { log, messages: () => lines.map((line) => String(JSON.parse(line).msg)) };
}

async function silentPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const unavailable = new CatalogError('registry.unavailable', 'The database is unreachable.');

test.for([
  ['refuses connections', freePort],
  ['does not respond', silentPort],
] as const)('openWhenAvailable waits for a database that initially %s', async ([, openPort]) => {
  const { dsn } = await temporaryDatabase();
  const unreachable = new URL(dsn);
  unreachable.port = String(await openPort());
  const { log, messages } = openLines();
  const dsns = [unreachable.href, dsn];
  const open = (): Promise<Store> => openPostgresStore({ dsn: dsns.shift() ?? dsn });
  const store = await openWhenAvailable({ open, timeout_ms: 60_000, log });
  onTestFinished(() => store.close());
  await store.probe();
  expect(messages()).toEqual([
    'the database is unavailable; retrying',
    'the database has recovered',
  ]);
});

test('openWhenAvailable fails after the timeout, and immediately if it is 0', async () => {
  const { log, messages } = openLines();
  let attempts = 0;
  const open = async (): Promise<Store> => {
    attempts += 1;
    throw unavailable;
  };
  await expect(openWhenAvailable({ open, timeout_ms: 0, log })).rejects.toBe(unavailable);
  expect(attempts).toBe(1);
  expect(messages()).toEqual([]);
  await expect(openWhenAvailable({ open, timeout_ms: 1200, log })).rejects.toBe(unavailable);
  expect(attempts).toBeGreaterThanOrEqual(3);
  expect(messages()).toEqual(['the database is unavailable; retrying']);
});

test('openWhenAvailable fails immediately on a permanent error', async () => {
  const { log, messages } = openLines();
  const error = new CatalogError('config.invalid', 'PostgreSQL rejected the connection.');
  const open = (): Promise<Store> => Promise.reject(error);
  await expect(openWhenAvailable({ open, timeout_ms: 60_000, log })).rejects.toBe(error);
  expect(messages()).toEqual([]);
});

test('openWhenAvailable stops waiting when the signal aborts', async () => {
  const { log } = openLines();
  const open = (): Promise<Store> => Promise.reject(unavailable);
  const signal = AbortSignal.timeout(100);
  const started = openWhenAvailable({ open, timeout_ms: 60_000, log, signal });
  await expect(started).rejects.toMatchObject({ name: 'AbortError' });
});
