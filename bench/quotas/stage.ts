import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCaller, PROXY_SECRET } from '@catalog/testkit/callers';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { startRegistryProcess, untilIngested, type RegistryProcess } from '../registry-process.ts';
import { withDatabase } from '../replicas/standard-store.ts';

/** Two tenants: one is limited, the other is what it was. */
export const LIMITED = 'acme';
export const OTHER = 'globex';

/** Processes of one registry with two tenants, each with an artifact to search for. */
export interface Stage {
  processes: readonly RegistryProcess[];
  /** What a member of the tenant sends with every request. */
  headersOf(tenant: string): Readonly<Record<string, string>>;
}

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

/** Works on as many processes on one PostgreSQL; LIMITED may search so often in a second. */
export async function withStage<Result>(
  folder: string,
  { count, search_qps }: { count: number; search_qps: number },
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async (database) => {
    const env = {
      ...database,
      CATALOG_IDENTITY_PROVIDER: 'trusted-headers',
      CATALOG_TRUSTED_PROXY_SECRET: PROXY_SECRET,
      CATALOG_MULTI_TENANT: 'true',
      CATALOG_OPERATOR_ADMINS: 'op',
      CATALOG_BOOTSTRAP_ADMINS: `${LIMITED}=ada,${OTHER}=ada`,
    };
    const processes: RegistryProcess[] = [];
    try {
      const home = join(folder, 'home');
      mkdirSync(home, { recursive: true });
      const flags = ['--config', writeConfiguration(folder)];
      while (processes.length < count) {
        processes.push(await startRegistryProcess(home, { env, flags }));
      }
      const [{ url } = { url: '' }] = processes;
      await prepareTenants(url, search_qps);
      return await work({ processes, headersOf });
    } finally {
      for (const process of processes) await process.kill();
    }
  });
}

function headersOf(tenant: string): Record<string, string> {
  return asCaller({ subject: 'ada', org: tenant });
}

/** Both tenants read one folder, which only the configuration may name (SPEC-77). */
function writeConfiguration(folder: string): string {
  const path = join(folder, 'layer');
  writeTree(path, { 'greet/ARTIFACT.md': RULE });
  const layers = [LIMITED, OTHER].map((tenant) => ({
    id: 'base',
    tenant,
    source: { local: { path } },
  }));
  const file = join(folder, 'registry.yaml');
  writeFileSync(file, JSON.stringify({ registry: { layers } }));
  return file;
}

async function prepareTenants(url: string, search_qps: number): Promise<void> {
  for (const tenant of [LIMITED, OTHER]) await untilIngested(url, headersOf(tenant));
  const operator = asCaller({ subject: 'op' });
  const answer = await send(`${url}/v1/admin/tenants`, 'GET', operator);
  const { tenants }: { tenants: { id: string; name: string }[] } = JSON.parse(answer);
  const limited = tenants.find(({ name }) => name === LIMITED);
  const quota = { search_qps };
  await send(`${url}/v1/admin/tenants/${limited?.id}`, 'PATCH', operator, { quota });
}

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<string> {
  const answer = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return text;
}
