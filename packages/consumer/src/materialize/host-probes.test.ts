import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { checkRuntime } from './check-runtime.ts';
import { openHostProbes, type HostProbes } from './host-probes.ts';

function createHost(commands: Record<string, string>): {
  probes: HostProbes;
  asked: () => string[];
} {
  const folder = temporaryFolder();
  const log = `${folder}/log`;
  for (const [name, body] of Object.entries(commands)) {
    writeTree(folder, {
      [`bin/${name}`]: { x: `#!/bin/sh\necho "${name} $*" >> ${log}\n${body}\n` },
    });
  }
  return {
    probes: openHostProbes({ PATH: `${folder}/bin` }),
    asked: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  };
}

function needing(runtime_requirements: object): Parameters<typeof checkRuntime>[0] {
  return [
    {
      id: 'ops/x',
      version: '1.0.0',
      fields: { type: 'rule', version: '1.0.0', runtime_requirements },
    },
  ];
}

describe('host probes', () => {
  test('run each command once', async () => {
    const { probes, asked } = createHost({ python3: 'echo Python 3.11.7', node: 'echo v24.1.0' });
    for (let times = 0; times < 3; times += 1) {
      await checkRuntime(needing({ python: '>=3.11', node: '^24' }), probes);
    }
    expect(asked()).toEqual(['python3 --version', 'node --version']);
    await expect(checkRuntime(needing({ python: '>=3.12' }), probes)).rejects.toThrow(
      'Python >=3.12 (installed: 3.11.7)',
    );
  });

  test('use python if python3 is missing, and report if both are missing', async () => {
    const { probes } = createHost({ python: 'echo Python 3.9.2 >&2' });
    await checkRuntime(needing({ python: '3.9' }), probes);
    await expect(checkRuntime(needing({ node: '*' }), probes)).rejects.toThrow(
      'Node * (not installed)',
    );
  });

  test('find a package as a command or in the package database', async () => {
    const { probes, asked } = createHost({
      jq: '',
      'dpkg-query': 'case $3 in libxml2) printf ii;; gone) printf rc;; *) exit 1;; esac',
    });
    expect(await probes.hasPackage('jq')).toBe(true);
    expect(asked()).toEqual([]);
    expect(await probes.hasPackage('libxml2')).toBe(true);
    expect(await probes.hasPackage('gone')).toBe(false);
    expect(await probes.hasPackage('nothing')).toBe(false);
  });

  test.each(['--help', '-a', '../jq', '/bin/sh', '', 'a b', 'a\nb'])(
    'do not look up the package name %j',
    async (name) => {
      const { probes, asked } = createHost({ 'dpkg-query': 'printf ii' });
      expect(await probes.hasPackage(name)).toBe(false);
      expect(asked()).toEqual([]);
    },
  );
});
