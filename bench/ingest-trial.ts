/**
 * One ingest of a folder by a real registry, from the request to register it to the end of the job;
 * prints what it cost as JSON. With receivers of webhooks, to the last of their deliveries.
 *
 * node ingest-trial.ts <folder> <home> [<certificate folder> <receivers> <event>]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { IngestJobs } from '@catalog/contract/records/ingest';
import type { WebhookReceiver } from '@catalog/contract/records/webhook';
import { startRegistryProcess } from './registry-process.ts';

/** Seldom enough that being asked costs the registry nothing that counts. */
const LOOK_MS = 100;

const [folder = '', home = '', certificates, receivers = '0', event] = process.argv.slice(2);

const receiver = certificates === undefined ? undefined : await startReceiver(certificates);
const registry = await startRegistryProcess(home, { env: receiver?.env ?? {} });
if (receiver !== undefined) {
  const id = await subscribe(receiver.url);
  // Not a cost of the ingest: the first connection of a process loads the certificate authorities.
  await post(`/v1/webhooks/${id}/test`);
  await receiver.waitFor(1);
}
const began = performance.now();
const cpu = registry.cpuMs();
await post('/v1/layers', { id: 'catalogue', source_type: 'local', local_path: folder });
const report = await waitForReport();
if (receiver !== undefined) await receiver.waitFor(1 + countMatching() * Number(receivers));
const wall_ms = performance.now() - began;
const cpu_ms = registry.cpuMs() - cpu;
await registry.stop();
receiver?.close();
process.stdout.write(JSON.stringify({ wall_ms, cpu_ms, accepted: report.accepted }));

async function waitForReport(): Promise<{ accepted: number }> {
  for (;;) {
    await delay(LOOK_MS);
    const answer = await fetch(`${registry.url}/v1/layers/ingests?id=catalogue`);
    const { ingests }: IngestJobs = JSON.parse(await answer.text());
    // The first is the one that was asked for; what a watched folder asks for comes after it.
    const first = ingests.at(-1);
    if (first?.state === 'failed') throw new Error(first.error?.message);
    if (first?.report !== undefined) return first.report;
  }
}

async function post(path: string, body?: object): Promise<string> {
  const response = await fetch(`${registry.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Adds receivers of one event, or of all. Returns the id of the last one. */
async function subscribe(url: string): Promise<string> {
  const event_filter = event === undefined ? null : [event];
  let last: Pick<WebhookReceiver, 'id'> = { id: '' };
  for (let index = 0; index < Number(receivers); index += 1) {
    last = JSON.parse(await post('/v1/webhooks', { url, event_filter }));
  }
  return last.id;
}

/** Counts the events that each receiver gets. */
function countMatching(): number {
  const path = join(home, '.catalog/standalone/catalog.db');
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database
    .prepare("SELECT count(*) AS events FROM outbox WHERE ? IS NULL OR body->>'event' = ?")
    .get(event ?? null, event ?? null);
  database.close();
  return Number(row?.['events']);
}

/** Starts a receiver with the files that `issueFiles` and `writeCert` of a certificate authority wrote. */
async function startReceiver(certificate_folder: string) {
  const file = join(import.meta.dirname, 'webhook-rate/receiver-process.ts');
  const names = ['localhost.cert.pem', 'localhost.key.pem'];
  const child = fork(
    file,
    names.map((name) => join(certificate_folder, name)),
    { execArgv: [] },
  );
  const [{ port }]: [{ port: number }] = await once(child, 'message').then(([first]) => [first]);
  return {
    url: `https://localhost:${port}/hook`,
    env: {
      CATALOG_CA_FILE: join(certificate_folder, 'ca.pem'),
      CATALOG_WEBHOOK_ALLOWED_TARGETS: 'localhost,127.0.0.0/8',
    },
    async waitFor(count: number) {
      child.send(count);
      await once(child, 'message');
    },
    close: () => void child.kill(),
  };
}
