import { join } from 'node:path';
import { registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann' });

function rule(body: string, more = '', version = '1.0.0'): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n${more}---\n${body}\n`;
}

interface Place {
  server: RegistryServer;
  /** Registers a folder with these files as a layer, and reads it; returns the report or the refusal. */
  publish: (id: string, grants: object, files: Record<string, string>) => Promise<unknown>;
  /** What Ann reads of an artifact. */
  read: (id: string) => Promise<[status: number, text: string]>;
}

async function openPlace(settings: Partial<Settings>): Promise<Place> {
  const folder = temporaryFolder();
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'], ...settings },
  });
  const root = server.as(ROOT);
  return {
    server,
    publish: async (id, grants, files) => {
      const local_path = join(folder, id);
      writeTree(local_path, files);
      await root.call(registerLayer, { body: { id, source_type: 'local', local_path, ...grants } });
      return (await root.request(reingestLayer, { query: { id } })).body;
    },
    read: async (id) => {
      const { status, body } = await server.as(ANN).request(loadArtifact, { query: { id } });
      return [status, JSON.stringify(body)];
    },
  };
}

const HIDDEN = { groups: ['board'] };
const SHARED = { organization: true };
const PARENT = { 'secret/plan/ARTIFACT.md': rule('Buy Acme in March.') };
const CHILD = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan\n') };

describe('a child in a layer that more people see than its parent', () => {
  test('carries the text of the parent by default, as specified', async () => {
    const { publish, read } = await openPlace({});
    await publish('board', HIDDEN, PARENT);
    await publish('docs', SHARED, CHILD);
    expect(await read('notes')).toEqual([200, expect.stringContaining('Buy Acme')]);
  });

  test('is rejected as if the parent did not exist, with `extends.parents: visible`', async () => {
    const { publish, read } = await openPlace({ 'extends.parents': 'visible' });
    await publish('board', HIDDEN, PARENT);
    const refused = await publish('docs', SHARED, CHILD);
    expect(JSON.stringify(refused)).toContain('which does not exist');
    expect((await read('notes'))[0]).toBe(404);
    // The message for a missing parent is the same.
    const absent = { 'other/ARTIFACT.md': rule('', 'extends: secret/none\n') };
    const nothing = await publish('more', SHARED, absent);
    const reason = (report: unknown): unknown =>
      /It extends[^"]*?which does not exist\./.exec(JSON.stringify(report))?.[0];
    expect(String(reason(refused)).replace('plan', 'none')).toBe(reason(nothing));
  });

  test('follows what an operator sets for its tenant', async () => {
    const settings = { 'extends.parents': 'any' as const };
    const { server, publish, read } = await openPlace(settings);
    await publish('board', HIDDEN, PARENT);
    await server.registry.store.transaction(async ({ tenants }) => {
      const record = await tenants.get(ONLY_TENANT);
      if (record !== undefined) await tenants.replace({ ...record, extends_parents: 'visible' });
    });
    await publish('docs', SHARED, CHILD);
    expect((await read('notes'))[0]).toBe(404);
  });

  test('extends what all its readers see, in another layer that has the id', async () => {
    const { publish, read } = await openPlace({ 'extends.parents': 'visible' });
    await publish('base', SHARED, { 'secret/plan/ARTIFACT.md': rule('Public plan.') });
    const overlay = { 'secret/plan/ARTIFACT.md': rule('Buy Acme.', 'extends: secret/plan\n') };
    await publish('board', HIDDEN, overlay);
    await publish('docs', SHARED, CHILD);
    const [status, text] = await read('notes');
    expect([status, text]).toEqual([200, expect.stringContaining('Public plan.')]);
    expect(text).not.toContain('Buy Acme');
  });

  test('has no version of the parent in its ingest report', async () => {
    const { publish } = await openPlace({});
    await publish('board', HIDDEN, { 'secret/plan/ARTIFACT.md': rule('Plan.', '', '4.7.11') });
    const missing = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan@1.0.0\n') };
    const refused = JSON.stringify(await publish('docs', SHARED, missing));
    expect(refused).toContain('no version matches');
    expect(refused).not.toContain('4.7.11');
  });

  test('has versions in its ingest report that all its readers see', async () => {
    const { publish } = await openPlace({});
    await publish('base', SHARED, { 'secret/plan/ARTIFACT.md': rule('Plan.', '', '4.7.11') });
    const missing = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan@1.0.0\n') };
    expect(JSON.stringify(await publish('docs', SHARED, missing))).toContain('available: 4.7.11');
  });
});
