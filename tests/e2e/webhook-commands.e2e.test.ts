import { listWebhooks } from '@catalog/contract/endpoints/webhooks';
import { startDeliveryReceiver, type DeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './terminal.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

interface Place extends Workspace {
  server: RegistryServer;
  receiver: DeliveryReceiver;
  at: string;
}

async function openPlace(): Promise<Place> {
  const receiver = await startDeliveryReceiver();
  const server = await startRegistry({ settings: receiver.settings });
  return { ...openWorkspace(), server, receiver, at: `--registry ${server.url}` };
}

interface Created {
  id: string;
  secret: string;
}

async function create(place: Place, flags = ''): Promise<Created> {
  const { stdout } = await place.ok(`webhook create ${place.receiver.url}${flags} ${place.at}`);
  const [, secret = ''] =
    /^Secret: (\S+)\nStore it now\. It is not shown again\.$/m.exec(stdout) ?? [];
  const [, id = ''] = /`catalog webhook test (\S+)`/.exec(stdout) ?? [];
  return { id, secret };
}

function sign(secret: string, { id, headers, text }: DeliveryReceiver['taken'][number]): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const time = String(headers['webhook-timestamp']);
  return `v1,${createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')}`;
}

describe('catalog webhook', () => {
  test('creates, tests, lists, shows and deletes a receiver', async () => {
    const place = await openPlace();
    const empty = await place.ok(`webhook list ${place.at}`);
    expect(empty.stdout).toContain('No webhook receivers.');
    const { id, secret } = await create(place, ' --event layer.ingested --debounce 90s --ordered');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const tested = await place.ok(`webhook test ${id} ${place.at}`);
    expect(tested.stdout).toMatch(/^delivered: 204 in \d+ ms\n$/);
    const [delivery] = await place.receiver.waitFor(1);
    expect(delivery?.body.event).toBe('webhook.test');
    expect(delivery?.headers['webhook-signature']).toBe(delivery && sign(secret, delivery));
    const listed = await place.ok(`webhook list ${place.at}`);
    expect(listed.stdout).toMatch(new RegExp(`^${id} .* layer\\.ingested +active +\\d{4}-`, 'm'));
    const shown = await place.ok(`webhook show ${id} ${place.at}`);
    expect(shown.stdout).toMatch(/^ {2}debounce +1m30s$/m);
    expect(shown.stdout).toMatch(/^ {2}order +of the events, one at a time$/m);
    expect(listed.stdout + shown.stdout + tested.stdout).not.toContain(secret);
    await place.ok(`webhook delete ${id} --yes ${place.at}`);
    expect(await place.server.call(listWebhooks)).toEqual({ receivers: [] });
    const gone = await place.error(`webhook show ${id} ${place.at}`);
    expect(gone).toMatchObject({ code: 1, error: { code: 'registry.not_found' } });
  });

  test.skipIf(!hasTerminal)(
    'delete prompts in a terminal, and keeps the receiver unless confirmed',
    async () => {
      const place = await openPlace();
      const { id } = await create(place);
      const question = new RegExp(`Delete ${id}`);
      const line = `webhook delete ${id} ${place.at}`;
      const kept = await runInTerminal(line, [{ to: question, keys: '\r' }], {
        cwd: place.root,
        home: place.home,
      });
      expect(kept.code).toBe(1);
      expect(kept.screen).toContain(`${id} was not deleted`);
      expect((await place.server.call(listWebhooks)).receivers).toHaveLength(1);
      const deleted = await runInTerminal(line, [{ to: question, keys: 'y' }], {
        cwd: place.root,
        home: place.home,
      });
      expect(deleted.code).toBe(0);
      expect(await place.server.call(listWebhooks)).toEqual({ receivers: [] });
    },
  );

  test('create reports why the registry rejects a URL', async () => {
    const place = await openPlace();
    const { error } = await place.error(`webhook create http://ci.example.com/ ${place.at}`);
    expect(error.code).toBe('registry.invalid_argument');
    expect(error.message).toContain('ci.example.com');
    const { code } = await place.error(
      `webhook create ${place.receiver.url} --debounce soon ${place.at}`,
    );
    expect(code).not.toBe(0);
  });

  test('update disables, enables and rotates the secret, which signs in addition to the old one', async () => {
    const place = await openPlace();
    const { id, secret } = await create(place);
    const disabled = await place.ok(`webhook update ${id} --disable ${place.at}`);
    expect(disabled.stdout).toContain('disabled by an admin');
    const refused = await place.error(`webhook test ${id} ${place.at}`);
    expect(refused.error.message).toContain(`catalog webhook update ${id} --enable`);
    await place.ok(`webhook update ${id} --enable --all-events --no-debounce ${place.at}`);
    const rotated = await place.ok(`webhook update ${id} --rotate-secret ${place.at}`);
    const [, next = ''] = /^Secret: (\S+)$/m.exec(rotated.stdout) ?? [];
    await place.ok(`webhook test ${id} ${place.at}`);
    const [delivery] = await place.receiver.waitFor(1);
    const signatures = delivery && [sign(next, delivery), sign(secret, delivery)];
    expect(delivery?.headers['webhook-signature']).toBe(signatures?.join(' '));
  });

  test('deliveries shows failures with their reasons; redeliver and recover send again', async () => {
    const place = await openPlace();
    const { id } = await create(place);
    place.receiver.respondWith({ status: 500, body: 'disk full' });
    const failed = await place.run(`webhook test ${id} ${place.at}`);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^failed: 500\b.* \d+ ms\nresponse\n {2}disk full\nNext: /);
    const listFailed = async (): Promise<string> =>
      (await place.ok(`webhook deliveries ${id} --state failed ${place.at}`)).stdout;
    const lastAttempt = { timeout: 15_000 };
    await expect.poll(listFailed, lastAttempt).not.toContain('No failed');
    const list = await listFailed();
    const [, delivery = ''] = /(msg_\S+) +webhook\.test +failed +1 +500/.exec(list) ?? [];
    const shown = await place.ok(`webhook deliveries ${id} --delivery ${delivery} ${place.at}`);
    expect(shown.stdout).toContain('"event": "webhook.test"');
    expect(shown.stdout).toContain(`\`catalog webhook redeliver ${id} ${delivery}\``);
    place.receiver.respondWith(204);
    const before = place.receiver.taken.length;
    await place.ok(`webhook redeliver ${id} ${delivery} ${place.at}`);
    const taken = await place.receiver.waitFor(before + 1);
    expect(new Set(taken.map((each) => each.id))).toEqual(new Set([delivery]));
    const none = await place.ok(`webhook recover ${id} --since 1h ${place.at}`);
    expect(none.stdout).toContain('No deliveries have failed since');

    place.receiver.respondWith(500);
    await place.run(`webhook test ${id} ${place.at}`);
    await expect.poll(listFailed, lastAttempt).not.toContain('No failed');
    place.receiver.respondWith(204);
    const recovered = await place.ok(`webhook recover ${id} --since 1h ${place.at}`);
    expect(recovered.stdout).toContain('Queued 1 failed delivery since');
  });

  test('a receiver that does not run is reported with the next step', async () => {
    const place = await openPlace();
    const { id } = await create(place);
    place.receiver.respondWith('reset');
    const { code, stdout } = await place.run(`webhook test ${id} ${place.at}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed: .* after \d+ ms\nNext: check that the registry can reach/);
  });
});

describe('catalog webhook listen', () => {
  test('forwards the published events, and ends with a summary', async () => {
    const server = await startRegistry();
    const local = await startFakeServer((_, response) => void response.writeHead(204).end());
    const workspace = openWorkspace({}, { 'secret.txt': 'whsec_c2VjcmV0\n' });
    const running = workspace.start(
      `webhook listen --forward ${local.url}/hook --secret-file secret.txt --registry ${server.url}`,
    );
    await running.waitFor(
      'stderr',
      /Forwarding events of http.* to http.*\/hook\. To stop, press Ctrl-C\./,
    );
    await server.ingest(skill('a/one'));
    await running.waitFor('stdout', /artifact\.published a\/one -> 204 in \d+ ms/);
    await running.waitFor('stdout', /layer\.ingested base -> 204 in \d+ ms/);
    const taken = local.requests.find(({ body }) => body.includes('layer.ingested'));
    const { headers = {}, body = '' } = taken ?? {};
    const signed = sign('whsec_c2VjcmV0', {
      id: String(headers['webhook-id']),
      headers,
      text: body,
      body: JSON.parse(body),
      at: 0,
    });
    expect(headers['webhook-signature']).toBe(signed);
    running.signal('SIGINT');
    const { code } = await running.ended;
    expect(code).toBe(0);
    expect(running.output().stdout).toMatch(/Forwarded \d+ events: \d+ accepted, 0 failed\n$/);
  });
});
