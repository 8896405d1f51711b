import { startDeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { expect, test } from 'vitest';
import { openReader } from './follow-page.ts';
import { openStandardBackend } from './standard-backend.ts';
import { DEFAULT_PORT_TIMEOUT_MS } from './default-port.ts';
import { openPage, succeed, untilReady, variableOf } from './walk-page.ts';

const REGISTRY = 'http://127.0.0.1:8080';

interface Caller {
  secret?: string;
  subject: string;
  organization?: string;
}

function headersOf({ secret = 'let-me-in', subject, organization }: Caller) {
  return {
    'X-Catalog-Proxy-Secret': secret,
    'X-Catalog-User-Sub': subject,
    ...(organization !== undefined && { 'X-Catalog-User-Org': organization }),
  };
}

test(
  'administrators follow the pages about roles, tenants, quotas, receivers and directories',
  { timeout: DEFAULT_PORT_TIMEOUT_MS + 120_000 },
  async () => {
    const { env: backend, owner } = await openStandardBackend();
    const receiver = await startDeliveryReceiver();
    const reader = openReader({
      env: {
        ...backend,
        CATALOG_CA_FILE: receiver.settings.ca_file ?? '',
        CATALOG_WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8 localhost',
      },
    });
    const runAs = async (caller: Caller, block: string): Promise<string> => {
      const { url } = await startProxy(REGISTRY, undefined, headersOf(caller));
      const outputs: string[] = [];
      for (const line of block.split('\n')) {
        outputs.push(await succeed(reader, `CATALOG_REGISTRY=${url} ${line}`));
      }
      return outputs.join('\n');
    };
    const quotaOf = async (caller: Caller, registry = REGISTRY): Promise<Response> =>
      fetch(`${registry}/v1/quota`, { headers: headersOf(caller) });
    const alice = { subject: 'alice', organization: 'acme' };
    await succeed(
      reader,
      `CATALOG_POSTGRES_MIGRATION_DSN='${owner['CATALOG_POSTGRES_MIGRATION_DSN']}' catalog admin migrate`,
    );

    const tenants = openPage('tenants.md', reader);
    tenants.skip(
      'yaml',
      'the registry of the page has several tenants, and an administrator in one',
    );
    const grant = tenants.next('sh');
    const explain = tenants.next('sh');
    await tenants.follow('yaml');
    await tenants.follow('terminal');
    tenants.skip('yaml', 'names a directory of the reader; declare-layers.test.ts declares one');
    tenants.skip(
      'yaml',
      'has a credential of the reader; git-credentials.http.test.ts reads with one',
    );
    await tenants.follow('console');
    tenants.end();
    expect(await runAs(alice, grant)).toMatch(/bob[^]*alice[^]*bob/);
    expect((await quotaOf({ subject: 'bob', organization: 'acme' })).status).toBe(200);
    expect(await runAs(alice, explain)).toContain('alice');

    const quotas = openPage('quotas.md', reader);
    await runAs({ subject: 'olga' }, quotas.next('sh'));
    expect(await (await quotaOf(alice)).json()).toMatchObject({ limits: { search_qps: 100 } });
    quotas.end();

    const runbook = openPage('runbook.md', reader);
    const created = await runAs(alice, `catalog webhook create ${receiver.url}`);
    const [, id = ''] = /`catalog webhook test (\S+)`/.exec(created) ?? [];
    await runAs(alice, `catalog webhook update ${id} --disable`);
    expect(await runAs(alice, runbook.next('sh').replaceAll('<id>', id))).toContain('delivered');
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.body.event).toBe('webhook.test');
    runbook.skip(
      'sh',
      'no layer of this registry has an artifact; leaked-secret.servers.test.ts purges one from two processes',
    );
    runbook.end();

    const audit = openPage('audit.md', reader);
    expect(await runAs(alice, audit.next('sh'))).toMatch(/admin\.granted +alice +action: grant/);
    expect(await runAs(alice, audit.next('sh'))).toContain('webhook.receiver_changed');
    await runAs(alice, audit.next('sh'));
    const exported = await runAs(alice, 'catalog audit export');
    expect(exported.split('\n')[0]).toMatch(/^\{"position":1,"record":/);
    audit.skip('sh', 'no layer of this registry has an artifact; audit.test.ts lists its readers');
    await runAs(alice, audit.next('sh'));
    audit.end();

    const freeze = openPage('freeze.md', reader);
    expect(await runAs(alice, freeze.next('sh'))).toMatch(/release[^]*weekend/);
    freeze.skip('yaml', 'the windows of the file; freeze-window.test.ts reads one');
    freeze.skip(
      'sh',
      'needs a frozen layer and two commits; freeze.http.test.ts approves an ingest',
    );
    freeze.end();
    for (const name of ['release', 'weekend']) await runAs(alice, `catalog freeze remove ${name}`);

    const signing = openPage('signing.md', reader);
    await succeed(reader, signing.next('sh'));
    const other =
      'has paths of the reader; signing-commands.e2e.test.ts signs, rotates and retires';
    for (const language of ['yaml', 'sh', 'yaml', 'sh', 'sh']) signing.skip(language, other);
    signing.end();

    // Adding a directory token and changing the proxy secret both need a restart.
    const scim = openPage('scim.md', reader);
    const rotation = openPage('rotate-secrets.md', reader);
    const token = await succeed(reader, scim.next('sh'));
    rotation.inline(/^identity_provider\.previous_proxy_secret$/);
    const previous = `${variableOf('identity_provider.previous_proxy_secret')}=let-me-in`;
    const serve = `catalog serve --config registry.yaml --bind 127.0.0.1:8081`;
    const scimTokens = `CATALOG_SCIM_TOKENS=acme=${token}`;
    const both = await reader.start(`env PROXY_SECRET=changed ${previous} ${scimTokens} ${serve}`, [
      '...',
    ]);
    await untilReady(8081);
    const restarted = 'http://127.0.0.1:8081';
    expect((await quotaOf(alice, restarted)).status).toBe(200);
    expect((await quotaOf({ ...alice, secret: 'changed' }, restarted)).status).toBe(200);
    expect((await quotaOf({ ...alice, secret: 'wrong' }, restarted)).status).toBe(401);
    const request = scim.next('sh').replace(/https:\/\/catalog\.example\.com/, restarted);
    expect(await succeed(reader, `CATALOG_SCIM_TOKENS=${token}; ${request}`)).toContain(
      'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
    );
    scim.end();
    expect(await both.stop()).toBe(0);
    const one = await reader.start(`env PROXY_SECRET=changed ${serve}`, ['...']);
    await untilReady(8081);
    expect((await quotaOf({ ...alice, secret: 'changed' }, restarted)).status).toBe(200);
    expect((await quotaOf(alice, restarted)).status).toBe(401);
    expect(await one.stop()).toBe(0);
  },
);
