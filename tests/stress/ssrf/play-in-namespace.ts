/** Plays histories in its own process, inside the network namespace. */
import { resolveHost } from '@catalog/server/adapters/egress/check-address';
import { toWebhookRules } from '@catalog/server/adapters/webhook/webhook-rules';
import { openWebhookSender } from '@catalog/server/adapters/webhook/webhook-sender';
import type { WebhookSender } from '@catalog/core/ports/webhook-sender';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import type { StressResult } from '../stress-test.ts';
import { expectStep, toPolicy, type Policy } from './expect-step.ts';
import { ZONE, type History, type Step } from './history.ts';
import { PROXY_PORT, startListeners } from './listeners.ts';
import { startNameServer } from './name-server.ts';
import { NAME_SERVER } from './namespace.ts';

const [folder = ''] = process.argv.slice(2);
const authority = await createCertificateAuthority();
const ca_file = authority.writeCert(folder);
const listeners = await startListeners(await authority.issue([`*.${ZONE}`, `*.lab.${ZONE}`]));
const names = await startNameServer(NAME_SERVER);
const BODY = Buffer.from('{"event":"layer.ingested"}');
const LIVE = new AbortController().signal;

process.on('message', (history: History) => {
  void play(history).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ counts: {}, problems: [String(error)] }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function play(history: History): Promise<StressResult> {
  names.play(history.names);
  listeners.proxy = history.proxy;
  listeners.takeConnections();
  const proxy = history.proxy === 'none' ? undefined : `http://127.0.0.1:${PROXY_PORT}`;
  const sender = openWebhookSender({
    rules: toWebhookRules(
      { allowed_hosts: [], proxy: { http: undefined, https: proxy, except: [] }, ca_file },
      history.allowed_targets,
    ),
    resolve: resolveHost,
    monotonicMs: () => performance.now(),
    now: () => new Date(),
  });
  const counts = { steps: 0, reached: 0, refused: 0, connections: 0 };
  const problems: string[] = [];
  const policy = toPolicy(history);
  try {
    for (const step of history.steps) {
      listeners.play(step.response);
      const expected = expectStep(history, step, policy);
      const { outcome, reason } = await runStep(sender, step);
      const connections = listeners.takeConnections();
      counts.steps += 1;
      counts.connections += connections.length;
      counts.reached += Number(outcome === 'reached');
      counts.refused += Number(outcome === 'refused');
      if (expected !== 'open' && outcome !== expected) {
        problems.push(`${step.action} ${step.url} was ${outcome}, not ${expected} ${reason}`);
      }
      if (step.action === 'check' || outcome === 'refused' || !step.is_valid) {
        for (const { address, port } of connections) {
          problems.push(
            `${step.action} ${step.url} (${outcome}) connected to ${address} port ${port}`,
          );
        }
      }
      for (const { address, port } of connections) {
        if (isAllowed(policy, step, address)) continue;
        problems.push(`${step.url} led to ${address} port ${port}`);
      }
      if (problems.length > 0) break;
    }
  } finally {
    await sender.close();
  }
  return { counts, problems };
}

function isAllowed(policy: Policy, { host, port }: Step, address: string): boolean {
  return policy.isAllowedAddress(address) || policy.isListedHost(host, port);
}

interface StepResult {
  outcome: 'reached' | 'refused' | 'failed';
  /** Empty unless the sender returns one. */
  reason: string;
}

/** Counts a receiver without a certificate for its address as `reached`. */
async function runStep(sender: WebhookSender, { action, url }: Step): Promise<StepResult> {
  if (action === 'check') {
    return sender.check(url, LIVE).then(
      (): StepResult => ({ outcome: 'reached', reason: '' }),
      (error: unknown): StepResult => ({ outcome: 'refused', reason: `(${String(error)})` }),
    );
  }
  const result = await sender.send(url, { 'webhook-id': 'msg_1' }, BODY, LIVE);
  if (result.kind === 'responded') return { outcome: 'reached', reason: '' };
  const reason = `(${result.reason}, after ${result.duration_ms} ms)`;
  if (result.kind === 'refused') return { outcome: 'refused', reason };
  const isReached = result.reason.startsWith('the certificate is not valid');
  return { outcome: isReached ? 'reached' : 'failed', reason };
}
