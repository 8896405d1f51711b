import { isDeepStrictEqual } from 'node:util';
import { readDomain } from '@catalog/core/domain/read-domain';
import { ledgerKey, ledgerVersion } from '@catalog/core/ingest/ledger-key';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { Objects } from '@catalog/core/ports/objects';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import { NO_TENANT, ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { toHead } from '../registry/ingest/choose-head.ts';
import { decideOwner } from '../registry/object-store/decide-owner.ts';
import { OWNER_PROBLEMS } from '../registry/object-store/owner-problems.ts';
import type { OperationHooks } from './operation-hooks.ts';
import { checkBytes, checkSizes, groupsOf } from './verify-bytes.ts';
import {
  checkLayerCounts,
  checkViewCounts,
  countHead,
  tallyOf,
  type LayerTally,
} from './verify-counts.ts';
import { checkDirectory } from './verify-directory.ts';
import { openFindings, type Finding, type Findings } from './verify-findings.ts';

/** Input for the verification of a store. */
export interface Verification {
  snapshot: StoreSnapshot;
  objects: Objects;
  /** If true, objects are not read; only their existence is checked. */
  fast: boolean;
}

/** Result of a verification: the number of checked items, and the problems. */
export interface VerificationReport {
  checked: {
    tenants: number;
    admin_grants: number;
    directory_resources: number;
    layers: number;
    versions: number;
    heads: number;
    files: number;
    bytes: number;
    events: number;
    audit_records: number;
  };
  findings: readonly Finding[];
  finding_count: number;
}

interface Walk extends Verification {
  hooks: OperationHooks;
  findings: Findings;
  checked: VerificationReport['checked'];
  tallies: ReadonlyMap<string, LayerTally>;
  used: Map<Tenant, Series>;
}

const SERIES = ['ingest_order', 'event_sequence', 'audit_position'] as const;
type Series = Record<(typeof SERIES)[number], number>;

/**
 * Verifies a snapshot of a store: the bytes of every version exist and match their hash, the ledger and the heads are
 * consistent, and all counters are correct.
 */
export async function verifyStore(
  verification: Verification,
  hooks: OperationHooks,
): Promise<VerificationReport> {
  const findings = openFindings();
  const walk: Walk = {
    ...verification,
    hooks,
    findings,
    checked: {
      tenants: 0,
      admin_grants: 0,
      directory_resources: 0,
      layers: 0,
      versions: 0,
      heads: 0,
      files: 0,
      bytes: 0,
      events: 0,
      audit_records: 0,
    },
    tallies: await readTallies(verification.snapshot),
    used: new Map(),
  };
  await checkPendingRestore(walk);
  await checkOwner(walk);
  await checkTenants(walk);
  walk.checked.directory_resources = await checkDirectory(walk.snapshot, findings);
  await checkVersions(walk);
  await checkEvents(walk);
  await checkSeries(walk);
  await checkCounts(walk);
  return { checked: walk.checked, findings: findings.list(), finding_count: findings.count() };
}

async function checkPendingRestore({ snapshot, findings }: Walk): Promise<void> {
  if ((await snapshot.reads.archive.getPendingRestore()) === undefined) return;
  const message = 'A restore into this store is incomplete.';
  findings.add({ kind: 'restore-pending', tenant: NO_TENANT, subject: 'the store', message });
}

/**
 * Checks that the object store belongs to the database. A copy of the database cannot be detected here, only at
 * startup.
 */
async function checkOwner({ snapshot, objects, hooks, findings }: Walk): Promise<void> {
  const found = await snapshot.reads.identity.get();
  if (found === undefined) return;
  const decision = decideOwner({
    store: { ...found, origin: 'same' },
    owner: await objects.getOwner(hooks.signal),
    is_shared: objects.is_shared,
    watched: undefined,
  });
  if (decision !== 'foreign' && decision !== 'unclaimed') return;
  findings.add({
    kind: `object-store-${decision}`,
    tenant: NO_TENANT,
    subject: 'the object store',
    message: OWNER_PROBLEMS[decision].message,
  });
}

/**
 * Reports data of tenants without a record, which no caller can reach. Startup creates the record of the default
 * tenant.
 */
async function checkTenants({ snapshot, findings, checked }: Walk): Promise<void> {
  const known = new Set<Tenant>([NO_TENANT, ONLY_TENANT]);
  for await (const page of snapshot.read('tenant_records')) {
    for (const { tenant } of page) known.add(tenant);
  }
  for (const table of ['tenants', 'admin_grants'] as const) {
    for await (const page of snapshot.read(table)) {
      checked[table] += page.length;
      for (const { tenant } of page) {
        if (known.has(tenant)) continue;
        known.add(tenant);
        const message = 'It has rows but no record.';
        findings.add({ kind: 'tenant-missing', tenant, subject: `tenant ${tenant}`, message });
      }
    }
  }
}

async function readTallies(snapshot: StoreSnapshot): Promise<Map<string, LayerTally>> {
  const tallies = new Map<string, LayerTally>();
  for await (const page of snapshot.read('layer_numbers')) {
    for (const { tenant, number, id } of page) {
      tallies.set(`${tenant} ${number}`, tallyOf(tenant, number, id));
    }
  }
  const encoder = new TextEncoder();
  for await (const page of snapshot.read('domains')) {
    for (const { tenant, layer, path, text } of page) {
      const reading = readDomain({ path, bytes: encoder.encode(text) }, '');
      if (reading.kind !== 'ok' || reading.domain.fields.unlisted !== true) continue;
      tallies.get(`${tenant} ${layer}`)?.unlisted.push(path);
    }
  }
  return tallies;
}

async function checkVersions(walk: Walk): Promise<void> {
  for await (const page of walk.snapshot.read('versions')) {
    walk.hooks.signal.throwIfAborted();
    for (const some of Map.groupBy(page, placeOf).values()) await checkLayerVersions(walk, some);
    walk.checked.versions += page.length;
    walk.hooks.report({ step: 'versions', done: walk.checked.versions });
  }
}

async function checkLayerVersions(
  walk: Walk,
  versions: readonly ArchiveRows['versions'][],
): Promise<void> {
  const [first] = versions;
  if (first === undefined) return;
  const tally = walk.tallies.get(placeOf(first));
  if (tally === undefined) {
    const message = 'Its layer has no number.';
    for (const { tenant, layer, id, version } of versions) {
      walk.findings.add({
        kind: 'layer-missing',
        tenant,
        subject: `${layer}/${id}@${version}`,
        message,
      });
    }
    return;
  }
  for (const version of versions) {
    if (version.head !== null) countHead(tally, version);
    const ingest_order = version.standing?.ingest_order ?? version.ingest_order;
    raise(walk, version.tenant, 'ingest_order', ingest_order);
    walk.checked.files += version.files.length;
    for (const { size } of version.files) walk.checked.bytes += size;
  }
  await checkLedger(walk, tally, versions);
  await checkHeads(walk, tally, versions);
  const check = walk.fast ? checkSizes : checkBytes;
  const stores = { ...walk, signal: walk.hooks.signal };
  for (const group of groupsOf(versions)) {
    for (const [version, found] of await check(tally.tenant, group, stores)) {
      for (const finding of found) walk.findings.add({ ...finding, ...nameOf(tally, version) });
    }
  }
}

async function checkLedger(
  { snapshot, findings }: Walk,
  tally: LayerTally,
  versions: readonly ArchiveRows['versions'][],
): Promise<void> {
  const keys = versions.map(({ id, version }) => ({ id, version: ledgerVersion(version) }));
  const ledger = await snapshot.reads.versions.readLedger(tally.tenant, tally.id, keys);
  for (const version of versions) {
    const kept = ledger.get(ledgerKey(version.id, version.version));
    if (kept === undefined) {
      const message = 'The ledger has no entry for it.';
      findings.add({ kind: 'ledger-missing', message, ...nameOf(tally, version) });
    } else if (kept !== version.authored_hash) {
      const message = `The ledger has ${kept}, but the version has ${version.authored_hash}.`;
      findings.add({ kind: 'ledger-differs', message, ...nameOf(tally, version) });
    }
    // Without a parent and without a refusal, the served content equals the authored content (SPEC-27).
    const isPlain = version.extends === null && version.refusal === null;
    if (isPlain && version.authored_hash !== version.content_hash) {
      const message = `It was authored as ${version.authored_hash} and is served as ${version.content_hash}, although it extends nothing.`;
      findings.add({ kind: 'authored-hash-differs', message, ...nameOf(tally, version) });
    }
  }
}

async function checkHeads(
  { snapshot, findings, checked }: Walk,
  tally: LayerTally,
  versions: readonly ArchiveRows['versions'][],
): Promise<void> {
  const served = versions.filter(({ head }) => head !== null);
  checked.heads += served.length;
  const ids = served.map(({ id }) => id);
  const heads = await snapshot.reads.versions.listHeadsOf(tally.tenant, [tally.number], ids);
  const byId = new Map(heads.map((head) => [head.id, head]));
  for (const version of served) {
    if (isDeepStrictEqual(byId.get(version.id), toHead(version))) continue;
    const message = 'Listings and searches differ from the version.';
    findings.add({ kind: 'head-differs', message, ...nameOf(tally, version) });
  }
}

async function checkEvents(walk: Walk): Promise<void> {
  for await (const page of walk.snapshot.read('outbox')) {
    for (const { tenant, sequence } of page) raise(walk, tenant, 'event_sequence', sequence);
    walk.checked.events += page.length;
  }
  for await (const page of walk.snapshot.read('audit')) {
    for (const { tenant, position } of page) raise(walk, tenant, 'audit_position', position);
    walk.checked.audit_records += page.length;
  }
}

async function checkSeries({ snapshot, used, findings }: Walk): Promise<void> {
  for await (const page of snapshot.read('tenants')) {
    for (const row of page) {
      for (const series of SERIES) {
        const last = used.get(row.tenant)?.[series] ?? 0;
        if (last <= row[series]) continue;
        const message = `${last} is in use, but the series is at ${row[series]}.`;
        findings.add({ kind: 'series-behind', tenant: row.tenant, subject: series, message });
      }
    }
  }
}

async function checkCounts({ snapshot, tallies, checked, findings, hooks }: Walk): Promise<void> {
  const stacks = new Map<Tenant, number[]>();
  for await (const page of snapshot.read('layers')) {
    for (const { tenant, number } of page) {
      hooks.signal.throwIfAborted();
      const tally = tallies.get(`${tenant} ${number}`);
      if (tally !== undefined) await checkLayerCounts(snapshot.reads, tally, findings);
      stacks.set(tenant, [...(stacks.get(tenant) ?? []), number]);
      checked.layers += 1;
      hooks.report({ step: 'counters', done: checked.layers });
    }
  }
  for (const [tenant, stack] of stacks) {
    await checkViewCounts(snapshot.reads, tenant, stack, findings);
  }
}

function raise({ used }: Walk, tenant: Tenant, series: keyof Series, value: number): void {
  const known = used.get(tenant) ?? { ingest_order: 0, event_sequence: 0, audit_position: 0 };
  known[series] = Math.max(known[series], value);
  used.set(tenant, known);
}

function placeOf({ tenant, layer }: ArchiveRows['versions']): string {
  return `${tenant} ${layer}`;
}

function nameOf(
  { tenant, id: layer }: LayerTally,
  { id, version }: ArchiveRows['versions'],
): { tenant: Tenant; subject: string } {
  return { tenant, subject: `${layer}/${id}@${version}` };
}
