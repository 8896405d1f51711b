import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { SigningKey } from '@catalog/core/audit/signed-note';
import type { AuditRecord } from '@catalog/core/ports/audit';
import type { Objects } from '@catalog/core/ports/objects';
import type { Store } from '@catalog/core/ports/store';
import { openFilesystemObjects } from '@catalog/server/adapters/objects/filesystem-objects';
import { openSigningKey } from '@catalog/server/adapters/signing-key';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import { openSqliteSnapshot } from '@catalog/server/adapters/store/sqlite/snapshot/snapshot';
import { backUp, restore } from '@catalog/server/compose-operations';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { openAuditTrees } from '@catalog/server/operations/open-audit-trees';
import { verifyAudit, type AuditReport } from '@catalog/server/operations/verify-audit';
import {
  createCheckpointSigner,
  type CheckpointSigner,
} from '@catalog/server/registry/audit/sign-checkpoints';
import { readSignedTrees } from '@catalog/server/registry/audit/read-signed-trees';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

const SIGNAL = new AbortController().signal;
const HOOKS = { report: () => undefined, signal: SIGNAL };
const TENANTS = [1, 2];
const USERS = ['ada', 'bo', 'cy'];

/** One registry with its audit log. Every step leaves the log valid. */
export interface History {
  path: string;
  append(): Promise<void>;
  sign(): Promise<void>;
  redact(): Promise<void>;
  /** Starts another process, which remembers nothing. */
  restart(): Promise<void>;
  /** Returns to an earlier state of the database, and reopens the log. */
  recover(): Promise<void>;
  /** Backs up the registry and restores it elsewhere. */
  restore(): Promise<void>;
  verify(): Promise<AuditReport>;
  /** Positions up to the last checkpoint. */
  listSigned(tenant: number): Promise<number[]>;
  /**
   * Returns true if a checkpoint has the hash of the record. Records that were not signed before a
   * new tree was opened are only covered together, by its first record.
   */
  isNamed(tenant: number, position: number): Promise<boolean>;
  stop(): Promise<void>;
}

interface Process {
  store: Store;
  objects: Objects;
  signer: CheckpointSigner;
}

async function addTenants(store: Store): Promise<void> {
  await store.transaction(async ({ tenants }) => {
    for (const tenant of TENANTS) {
      await tenants.create({ ...TENANT, id: `t${tenant}`, name: `Tenant ${tenant}` }, tenant);
    }
  });
}

const TENANT = {
  active: true,
  quota: {
    storage_bytes: 0,
    search_qps: 0,
    materialize_rate: 0,
    audit_volume_per_day: 0,
    max_user_layers: 0,
  },
  expose_scope_preview: null,
  extends_parents: null,
  created_at: '2026-01-02T03:04:05.000Z',
} as const;

export function openHistory(folder: string, random: SeededRandom): History {
  const keys: SigningKey[] = [];
  let home = join(folder, 'registry');
  let moves = 0;
  let copy: string | undefined;
  let running: Process | undefined;

  function settings(): Settings {
    mkdirSync(home, { recursive: true });
    return loadSettings({ cwd: home, home, env: {}, flags: {} }).settings;
  }

  function currentKey(): SigningKey {
    const { key } = openSigningKey({ path: join(home, 'key.pem'), create: true });
    if (key === undefined) throw new Error('the key cannot be opened');
    if (!keys.some(({ public_bytes }) => public_bytes.equals(key.public_bytes))) keys.push(key);
    return key;
  }

  async function start(): Promise<Process> {
    if (running !== undefined) return running;
    const { 'store.sqlite_path': path, 'object_store.filesystem_root': root } = settings();
    const store = await openSqliteStore({ path });
    if ((await store.tenants.list()).length === 0) await addTenants(store);
    const objects = await openFilesystemObjects({ root, newId: randomUUID });
    const signer = createCheckpointSigner({ store, objects, key: currentKey() });
    running = { store, objects, signer };
    return running;
  }

  async function stop(): Promise<void> {
    await running?.store.close();
    running = undefined;
  }

  function record(): AuditRecord {
    const base = {
      timestamp: '2026-01-02T03:04:05.000Z',
      trace_id: randomUUID(),
      'caller.identity': random.pick(USERS),
      'caller.kind': random.pick(['subject', 'system']),
    };
    return random.pick<AuditRecord>([
      { ...base, type: 'admin.granted', action: 'grant', user_id: random.pick(USERS) },
      { ...base, type: 'layer.config_changed', layer: 'team', fields: ['ref'] },
      { ...base, type: 'layer.user_registered', layer: 'mine', 'layer.owner': 'bo' },
      { ...base, type: 'directory.group_changed', 'members.named_in': USERS },
    ]);
  }

  const history: History = {
    get path() {
      return settings()['store.sqlite_path'];
    },
    async append() {
      const { store } = await start();
      const records = Array.from({ length: 1 + random.int(12) }, record);
      await store.transaction(({ audit }) => audit.append(random.pick(TENANTS), records));
    },
    async sign() {
      const { signer } = await start();
      const { problems } = await signer.sign(SIGNAL);
      const [first] = problems;
      if (first !== undefined) throw new Error(`tenant ${first[0]} was not signed: ${first[1]}`);
    },
    async redact() {
      const { store } = await start();
      await store.transaction(({ audit }) =>
        audit.redact(random.pick(TENANTS), [random.pick(USERS)], `redacted-${random.int(9)}`, 100),
      );
    },
    async restart() {
      await start();
      await stop();
      if (random.int(3) === 0) {
        copy = join(folder, 'copy.db');
        copyFileSync(history.path, copy);
      }
    },
    async recover() {
      if (copy === undefined || !existsSync(copy)) return;
      await stop();
      const { path } = history;
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      copyFileSync(copy, path);
      const { store, objects } = await start();
      const opening = { cause: 'reopen', reason: 'recovered', trace_id: randomUUID() } as const;
      await openAuditTrees({ store, objects, key: currentKey(), ...opening }, SIGNAL);
    },
    async restore() {
      await stop();
      const backup = join(folder, `backup ${(moves += 1)}`);
      await backUp(settings(), backup, HOOKS);
      home = join(folder, `restored ${moves}`);
      copy = undefined;
      const target = { ...settings(), 'audit.signing_key_path': join(home, 'key.pem') };
      currentKey();
      const { verification } = await restore(target, backup, HOOKS);
      const [finding] = verification.findings;
      if (finding !== undefined) throw new Error(`the restored registry: ${finding.message}`);
    },
    async verify() {
      const { objects } = await start();
      await stop();
      const snapshot = await openSqliteSnapshot(history.path);
      try {
        const public_keys = keys.map(({ public_key }) => public_key);
        return await verifyAudit({ snapshot, objects, keys: public_keys }, HOOKS);
      } finally {
        await snapshot.close();
      }
    },
    async listSigned(tenant) {
      const { store } = await start();
      const checkpoint = await store.audit.getCheckpoint(tenant);
      const end = checkpoint?.position ?? 0;
      const stored = await store.audit.listStored(tenant, 0, 10_000);
      return stored.map(({ position }) => position).filter((position) => position <= end);
    },
    async isNamed(tenant, position) {
      const { objects } = await start();
      const trees = new Map<string, { first: number; end: number }>();
      for await (const file of readSignedTrees(objects.audit, 0, SIGNAL)) {
        for (const tree of file.trees ?? []) {
          if (tree.tenant !== tenant) continue;
          const { first, from, leaves } = tree;
          trees.set(tree.origin, { first, end: first + from + leaves.length });
        }
      }
      const tree = [...trees.values()].findLast(({ first }) => first <= position);
      return tree !== undefined && position < tree.end;
    },
    stop,
  };
  return history;
}
