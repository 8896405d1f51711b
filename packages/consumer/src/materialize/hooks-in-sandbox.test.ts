import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SANDBOX_PROFILES, type Artifact, type SandboxProfile } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { installBubblewrap } from '../../../../tools/services/bubblewrap.ts';
import { verifies } from '@catalog/testkit/verifies';
import type { MaterializeHook } from '../config/types.ts';
import { approve, type Approved } from '../trust/approved.ts';
import { runHook } from './run-hook.ts';
import { requireSandbox } from './sandbox.ts';

let PATH = '';
beforeAll(async () => {
  const { folder } = await installBubblewrap();
  PATH = `${folder}:/usr/bin:/bin`;
});

const ARTIFACT = artifactOf('ops/note', {
  'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ndescription: A note.\n---\nHello.\n',
});

function hookText(attempt: string): string {
  return `
    const fs = require('node:fs'), net = require('node:net');
    const { execFileSync } = require('node:child_process');
    const message = JSON.parse(fs.readFileSync(0, 'utf8'));
    const [home, outside, port, quiet] = process.argv.slice(2);
    (async () => { ${attempt} })()
      .catch((error) => {
        if (quiet === 'quiet') return 'nothing';
        console.error(String(error.code ?? ''), String(error.signal ?? ''), error.message);
        process.exit(error.status || 1);
      })
      .then((learned) => {
        const content_base64 = Buffer.from(String(learned)).toString('base64');
        message.files.push({ path: 'learned.txt', mode: '0644', content_base64 });
        process.stdout.write(JSON.stringify(message) + '\\n');
      });`;
}

const ATTEMPTS = {
  nothing: `return 'hello';`,
  'write in its temporary folder': `fs.writeFileSync(process.env.TMPDIR + '/x', '1'); return 'hello';`,
  'read the home folder': `return fs.readFileSync(home + '/secret', 'utf8');`,
  'list the home folder': `const names = fs.readdirSync(home); if (!names.includes('secret')) throw Object.assign(new Error(home), { code: 'ENOENT' }); return names;`,
  'write outside': `fs.writeFileSync(outside + '/written', '1'); return 'written';`,
  'open a socket': `return new Promise((resolve, reject) => { net.connect(Number(port), '127.0.0.1').on('error', reject).on('data', (data) => { resolve(data); process.stdin.destroy(); }); }).then((data) => String(data));`,
  'reach a service by its path': `return new Promise((resolve, reject) => { net.connect(outside + '/service').on('error', reject).on('data', (data) => { resolve(data); process.stdin.destroy(); }); }).then((data) => String(data));`,
  'set the kernel up': `const path = '/proc/sys/kernel/core_pattern'; fs.writeFileSync(path, fs.readFileSync(path)); return 'set';`,
  'call a filtered syscall': `execFileSync('unshare', ['--user', 'true'], { stdio: ['ignore', 'pipe', 'pipe'] }); return 'unshared';`,
};
type Attempt = keyof typeof ATTEMPTS;

function hookOf(words: string[], sandbox: SandboxProfile, base: string): Approved<MaterializeHook> {
  return approve({
    name: 'trial',
    run: [process.execPath, ...words],
    sandbox,
    types: undefined,
    harnesses: undefined,
    timeout_ms: 20_000,
    reads: [],
    file: { origin: { kind: 'user', name: '' }, path: '', base, hash: '', content: {} },
  });
}

interface Trial {
  outside: string;
  run(quiet?: 'quiet'): Promise<Artifact>;
  connections(): number;
}

async function tryInSandbox(sandbox: SandboxProfile, attempt: Attempt): Promise<Trial> {
  const home = temporaryFolder();
  const scripts = temporaryFolder();
  // Outside of the temporary folder, which the sandbox replaces.
  const outside = mkdtempSync('/var/tmp/catalog-outside-');
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeTree(home, { secret: 'the secret' });
  writeTree(scripts, { 'hook.cjs': hookText(ATTEMPTS[attempt]) });
  let connections = 0;
  const welcome = (socket: Socket): void => {
    connections += 1;
    socket.end('connected');
  };
  const server = createServer(welcome);
  const service = createServer(welcome);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  await new Promise<void>((resolve) => {
    service.listen(`${outside}/service`, resolve);
  });
  onTestFinished(() => {
    server.close();
    service.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const config = { home, env: { PATH, HOME: home, TMPDIR: scripts } };
  const words = [`${scripts}/hook.cjs`, home, outside, String(port)];
  return {
    outside,
    connections: () => connections,
    run: async (quiet) => {
      const hook = hookOf([...words, quiet ?? ''], sandbox, scripts);
      await requireSandbox(hook, config);
      return runHook(hook, ARTIFACT, config);
    },
  };
}

function learned({ resources }: Artifact): string | undefined {
  const file = resources.find(({ path }) => path === 'learned.txt');
  return file === undefined ? undefined : Buffer.from(file.bytes).toString();
}

describe('sandboxed hook', () => {
  test.each(SANDBOX_PROFILES)('works in %s, with a private temporary folder', async (profile) => {
    const plain = await tryInSandbox(profile, 'nothing');
    expect(learned(await plain.run())).toBe('hello');
    const writing = await tryInSandbox(profile, 'write in its temporary folder');
    expect(learned(await writing.run())).toBe('hello');
  });

  test('starts through links, and in a home folder behind a link', async () => {
    const folder = temporaryFolder();
    writeTree(folder, { 'real/src/hook.cjs': hookText(ATTEMPTS.nothing), 'real/bin/.keep': '' });
    symlinkSync(`${folder}/real`, `${folder}/home`);
    symlinkSync('../src/hook.cjs', `${folder}/real/bin/hook.cjs`);
    const config = { home: `${folder}/home`, env: { PATH } };
    const found = hookOf([`${folder}/home/bin/hook.cjs`], 'network-isolated', folder);
    expect(learned(await runHook(found, ARTIFACT, config))).toBe('hello');
  });

  test('is not restricted with the profile unrestricted', async () => {
    const reading = await tryInSandbox('unrestricted', 'read the home folder');
    expect(learned(await reading.run())).toBe('the secret');
    const writing = await tryInSandbox('unrestricted', 'write outside');
    await writing.run();
    expect(existsSync(`${writing.outside}/written`)).toBe(true);
  });

  test('can use the network with the profile read-only-fs', async () => {
    const connecting = await tryInSandbox('read-only-fs', 'open a socket');
    expect(learned(await connecting.run())).toBe('connected');
    expect(connecting.connections()).toBe(1);
  });

  test.each(['read-only-fs', 'network-isolated'] as const)(
    '%s leaves services reachable by their path, as documented',
    async (profile) => {
      const connecting = await tryInSandbox(profile, 'reach a service by its path');
      expect(learned(await connecting.run())).toBe('connected');
    },
  );

  const REFUSED: [SandboxProfile, Attempt][] = [
    ['read-only-fs', 'read the home folder'],
    ['read-only-fs', 'list the home folder'],
    ['read-only-fs', 'write outside'],
    ['read-only-fs', 'set the kernel up'],
    ['network-isolated', 'read the home folder'],
    ['network-isolated', 'write outside'],
    ['network-isolated', 'open a socket'],
    ['seccomp-strict', 'read the home folder'],
    ['seccomp-strict', 'write outside'],
    ['seccomp-strict', 'set the kernel up'],
    ['seccomp-strict', 'open a socket'],
    ['seccomp-strict', 'reach a service by its path'],
    ['seccomp-strict', 'call a filtered syscall'],
  ];
  describe.each(REFUSED)('%s, attempt to %s', (profile, attempt) => {
    verifies('ERR-59', 'fails as a sandbox violation', async () => {
      const trial = await tryInSandbox(profile, attempt);
      await expect(trial.run()).rejects.toMatchObject({
        code: 'materialize.sandbox_violation',
        details: { artifact_id: 'ops/note', hook: 'trial' },
      });
      expect(existsSync(`${trial.outside}/written`)).toBe(false);
      expect(trial.connections()).toBe(0);
    });
  });

  test.each(REFUSED.filter(([, attempt]) => attempt !== 'open a socket'))(
    '%s: an attempt to %s has no effect if the hook hides it',
    async (profile, attempt) => {
      const trial = await tryInSandbox(profile, attempt);
      expect(learned(await trial.run('quiet'))).toBe('nothing');
      expect(existsSync(`${trial.outside}/written`)).toBe(false);
    },
  );
});
