import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLock } from '@catalog/consumer/lock/read-lock';
import { runCatalog, type CatalogRun } from '@catalog/testkit/packed-program';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { connectHost, openProject } from './mcp-host.ts';

function manifest(type: string, more = ''): string {
  return `---\ntype: ${type}\nversion: 1.0.0\ndescription: A ${type} for the release.\n${more}---\nHello.\n`;
}

const LAYER: FileTree = {
  'ops/note/ARTIFACT.md': manifest('rule'),
  'ops/bad/ARTIFACT.md': manifest('rule'),
  'ops/helper/ARTIFACT.md': manifest('agent'),
  'ops/needy/ARTIFACT.md': manifest('rule', 'runtime_requirements: {node: ">=999"}\n'),
  'ops/start/ARTIFACT.md': manifest('command'),
  'ops/log/ARTIFACT.md': manifest('hook', 'hook_event: stop\nhook_action: echo x\n'),
  'ops/wh/ARTIFACT.md': manifest('mcp-server', 'name: wh\nserver_identifier: npx:wh-mcp\n'),
  'ops/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'ops/check/SKILL.md': '---\nname: check\ndescription: Checks a release.\n---\nCheck it.\n',
};

let registry: RegistryServer;
beforeAll(async () => {
  registry = await startRegistry({ keep: true, layers: { base: LAYER } });
});
afterAll(() => registry.close());

interface Agent {
  root: string;
  call: (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;
  sync: (...words: string[]) => Promise<CatalogRun>;
}

/** Starts an agent in a project that syncs only agents, and a terminal of the same user. */
async function startAgent(files: FileTree = {}, harness = 'harness-a'): Promise<Agent> {
  const project = openProject({
    '.catalog/sync.yaml': 'defaults: {profile: few}\nprofiles:\n  few: {type: [agent]}\n',
    ...files,
  });
  const env = { CATALOG_REGISTRY: registry.url, CATALOG_HARNESS: harness };
  const host = await connectHost({ ...project, env });
  return {
    root: project.root,
    call: (name, args) => host.call(name, args),
    sync: (...words) =>
      runCatalog(['sync', ...words], { cwd: project.root, home: project.home, env }),
  };
}

describe('load_artifact', () => {
  test('keeps loaded files across syncs until they are released', async () => {
    const { root, call, sync } = await startAgent();
    const { structuredContent } = await call('load_artifact', { id: 'ops/note' });
    const path = join(root, '.harness-a/rules/note.md');
    expect(structuredContent).toMatchObject({ materialized_at: [path] });
    expect((await sync()).code).toBe(0);
    expect(existsSync(path)).toBe(true);
    expect(loadLock(root).files.map(({ path: at, target }) => [at, target])).toEqual([
      ['.harness-a/agents/helper.md', 'default'],
      ['.harness-a/rules/note.md', 'mcp'],
    ]);
    expect((await sync('--release=ops/note', '--verbose')).stdout).toContain(
      '- .harness-a/rules/note.md',
    );
    expect(existsSync(path)).toBe(false);
    expect(loadLock(root).targets.map(({ id }) => id)).toEqual(['default']);
  });

  verifies('ERR-56', 'rejects an artifact whose runtime is missing', async () => {
    const { root, call } = await startAgent();
    const answer = await call('load_artifact', { id: 'ops/needy' });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ code: 'materialize.runtime_unavailable' });
    expect(existsSync(join(root, '.harness-a'))).toBe(false);
  });

  verifies('HC-08', 'rejects every artifact for harness-c as untranslatable', async () => {
    const { root, call } = await startAgent({}, 'harness-c');
    for (const name of ['check', 'helper', 'start', 'note', 'log', 'wh']) {
      const answer = await call('load_artifact', { id: `ops/${name}` });
      expect(answer.isError, name).toBe(true);
      expect(answer.structuredContent).toMatchObject({ code: 'materialize.untranslatable' });
    }
    expect(existsSync(join(root, '.catalog/sync.lock'))).toBe(false);
  });

  verifies('ERR-58', 'runs the hooks of a trusted file, and fails if one fails', async () => {
    const hook = `const message = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
      if (message.id === 'ops/bad') process.exit(3);
      for (const file of message.files) {
        const text = Buffer.from(file.content_base64, 'base64').toString().replace('Hello', 'Good morning');
        file.content_base64 = Buffer.from(text).toString('base64');
      }
      console.log(JSON.stringify(message));`;
    const { root, call, sync } = await startAgent({
      'hook.cjs': hook,
      '.catalog/sync.yaml': `profiles:\n  few: {type: [agent]}\nmaterialize_hooks:\n  - {name: greet, run: [${JSON.stringify(process.execPath)}, ./hook.cjs], sandbox: unrestricted}\n`,
    });
    const untrusted = await call('load_artifact', { id: 'ops/note' });
    expect(untrusted.structuredContent).toMatchObject({ code: 'config.untrusted' });
    expect((await sync('--profile', 'few', '--trust')).code).toBe(0);
    await call('load_artifact', { id: 'ops/note' });
    const text = readFileSync(join(root, '.harness-a/rules/note.md'), 'utf8');
    expect(text).toContain('Good morning');
    const failed = await call('load_artifact', { id: 'ops/bad' });
    expect(failed.structuredContent).toMatchObject({
      code: 'materialize.hook_failed',
      details: { artifact_id: 'ops/bad', hook: 'greet' },
    });
    expect(existsSync(join(root, '.harness-a/rules/bad.md'))).toBe(false);
  });
});
