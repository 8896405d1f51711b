import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_NAMESPACES } from '@catalog/contract/errors/error-codes';
import { installedProgram } from '@catalog/testkit/packed-program';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, skill } from './workspace.ts';

const SYSTEM_NODE = '/usr/bin/node';

describe('version and help', () => {
  verifies('VER-02', 'every form of the version command prints 0.4.0', async () => {
    const { ok, json } = openWorkspace();
    for (const args of [['--version'], ['-v'], ['version'], ['sync', '--version']]) {
      expect((await ok(args)).stdout).toBe('catalog 0.4.0\n');
    }
    expect((await json('version')).document).toMatchObject({ version: '0.4.0' });
    const packed = join(installedProgram(), 'lib/node_modules/@catalog/cli/package.json');
    expect(JSON.parse(readFileSync(packed, 'utf8'))).toMatchObject({ version: '0.4.0' });
  });

  test('no arguments, help, --help and -h print the common commands in 30 lines', async () => {
    const { ok } = openWorkspace();
    const texts = await Promise.all(
      [[], ['help'], ['--help'], ['-h']].map(async (args) => (await ok(args)).stdout),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('artifact new <type> <id>');
    expect(texts[0]).toContain('catalog help --all');
    expect(texts[0]?.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    for (const line of texts[0]?.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(96);
  });

  test('help --all lists every command, environment variable and exit code', async () => {
    const { ok, json } = openWorkspace();
    const { stdout } = await ok('help --all');
    const { document } = await json('help');
    const names: string[] = Object(document)['commands'].map(({ name }: { name: string }) => name);
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name}(?: |$)`, 'm'));
    expect(stdout).toMatch(/^  CATALOG_HARNESS +Default for --harness$/m);
    expect(stdout).toMatch(/^  130  interrupted$/m);
  });

  test('all forms of help for a command print the same text with examples', async () => {
    const { ok } = openWorkspace();
    const { stdout } = await ok('sync --help');
    expect((await ok('help sync')).stdout).toBe(stdout);
    expect((await ok('-h sync')).stdout).toBe(stdout);
    expect(stdout).toContain('Examples');
    expect((await ok('config --help')).stdout).toContain('config show');
  });

  test('an older Node.js prints the required version', ({ skip }) => {
    const version = spawnSync(SYSTEM_NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim();
    skip(!/^v(?:1\d|2[0-3])\./.test(version ?? ''), 'no older Node.js on this machine');
    const bin = join(installedProgram(), 'lib/node_modules/@catalog/cli/dist/bin.js');
    const { status, stderr } = spawnSync(SYSTEM_NODE, [bin, 'sync'], { encoding: 'utf8' });
    expect(stderr).toBe(`error: catalog needs Node.js 24 or newer; this is ${version}.\n`);
    expect(status).toBe(2);
  });
});

describe('errors', () => {
  test('prints the message, the code and the next step on stderr', async () => {
    const { run } = openWorkspace();
    const { code, stdout, stderr } = await run('synk');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'error: `catalog synk` is not a command.\n code: config.usage\n next: Did you mean `catalog sync`?\n',
    );
  });

  verifies(
    ['ERR-01', 'ERR-03', 'CERR-01'],
    'prints the complete envelope with a code of a known namespace under --json',
    async () => {
      const { root, registry, error } = openWorkspace(OPS);
      writeTree(root, { 'broken.yaml': 'defaults: [\n', 'odd.yaml': 'defaults: {colour: red}\n' });
      const lines = [
        ['synk'],
        ['sync'],
        ['sync', '--registry', registry, '--harness', 'harness-z'],
        ['sync', '--config=absent.yaml'],
        ['sync', '--config=broken.yaml'],
        ['sync', '--config=odd.yaml'],
        ['sync', '--registry', join(root, 'nowhere')],
        ['artifact', 'new', 'skill', 'Not/An Id', '--registry', registry],
        ['config', 'show', '--explain', 'defaults.harnes'],
      ];
      const seen = new Set<string>();
      for (const args of lines) {
        const { code, error: envelope } = await error(args);
        expect(code).toBeGreaterThan(0);
        expect(Object.keys(envelope).toSorted()).toEqual([
          'code',
          'details',
          'message',
          'retryable',
          'suggested_action',
        ]);
        const [namespace = '', name = ''] = envelope.code.split('.');
        expect(ERROR_NAMESPACES).toContain(namespace);
        expect(name).toMatch(/^[a-z_]+$/);
        seen.add(envelope.code);
      }
      expect(seen.size).toBeGreaterThanOrEqual(5);
    },
  );

  verifies(
    'ERR-12',
    'reports config.no_registry if no scope, flag or environment variable sets a registry',
    async () => {
      const { error } = openWorkspace();
      for (const args of [['sync'], ['outdated'], ['artifact', 'new', 'skill', 'a/b'], ['lint']]) {
        const { code, error: envelope } = await error(args);
        expect([envelope.code, code]).toEqual(['config.no_registry', 2]);
        expect(envelope.suggested_action).toContain('--registry');
      }
    },
  );

  verifies(
    'ERR-23',
    'reports config.unknown_harness for a harness without an adapter, from any source',
    async () => {
      const { registry, ok, error } = openWorkspace(OPS);
      const flag = await error(`sync --registry ${registry} --harness harnes-a`);
      const variable = await error(`sync --registry ${registry}`, { CATALOG_HARNESS: 'vim' });
      for (const { code, error: envelope } of [flag, variable]) {
        expect([envelope.code, code]).toEqual(['config.unknown_harness', 2]);
        expect(envelope.details['available']).toContain('harness-a');
      }
      expect(flag.error.details['did_you_mean']).toBe('harness-a');
      const init = await error(`init --registry ${registry} --harness harness-aa`);
      expect(init.error.code).toBe('config.unknown_harness');
      await ok(`init --registry ${registry}`);
    },
  );

  test('suggests the right value for a term of another tool', async () => {
    const { error } = openWorkspace();
    for (const [words, meant] of [
      ['artifact new mcp tools/warehouse', 'mcp-server'],
      ['sync --scope global', 'user'],
    ] as const) {
      const { code, error: envelope } = await error(words);
      expect([envelope.details['did_you_mean'], code]).toEqual([meant, 2]);
    }
  });

  verifies(
    'ERR-31',
    'reports config.not_found for a missing configuration file named with --config',
    async () => {
      const { root, registry, error } = openWorkspace(OPS);
      for (const args of [
        ['sync', '--config=absent.yaml'],
        ['sync', '--config', 'absent.yaml', '--registry', registry],
        ['config', 'show', '--config', 'absent.yaml'],
      ]) {
        const { code, error: envelope } = await error(args);
        expect([envelope.code, code]).toEqual(['config.not_found', 2]);
        expect(envelope.message).toContain(join(root, 'absent.yaml'));
      }
    },
  );

  verifies(
    'ERR-33',
    'reports config.layer_path_ambiguous for manifests next to the layers of a registry',
    async () => {
      const { registry, ok, error } = openWorkspace({
        '.registry-config': 'multi_layer: true\n',
        'ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\n---\n',
      });
      writeTree(join(registry, 'base'), skill('greetings/hello'));
      const { code, error: envelope } = await error(`sync --registry ${registry}`);
      expect([envelope.code, code]).toEqual(['config.layer_path_ambiguous', 2]);
      expect(envelope.message).toContain('ARTIFACT.md');
      // Without this manifest, the registry is valid.
      rmSync(join(registry, 'ARTIFACT.md'));
      await ok(`sync --registry ${registry} --harness harness-a`);
    },
  );

  test('reports a defect as an internal error, and prints the stack trace only with CATALOG_DEBUG', async () => {
    const { root, run } = openWorkspace();
    writeTree(root, {
      'break.cjs':
        "require('fs').existsSync = () => { throw new Error('boom') };\nrequire('module').syncBuiltinESMExports();\n",
    });
    const env = { NODE_OPTIONS: `--require=${join(root, 'break.cjs')}` };
    const plain = await run('status', env);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(
      /^error: Internal error: boom\n code: registry\.unknown\n next: .*CATALOG_DEBUG=1/,
    );
    expect(plain.stderr).not.toContain('    at ');
    const debug = await run('status', { ...env, CATALOG_DEBUG: '1' });
    expect(debug.stderr).toContain('    at ');
  });
});

describe('output', () => {
  test('every command prints exactly one document on stdout with --json', async () => {
    const { root, registry, json } = openWorkspace(OPS);
    writeTree(root, {
      '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: harness-a}\n`,
    });
    for (const args of [
      ['sync', '--dry-run'],
      ['sync', '--approve', '**'],
      ['trust', 'list'],
      ['trust', 'show', 'ops/deploy/check'],
      ['trust', 'approve', 'ops/deploy/check'],
      ['status'],
      ['outdated'],
      ['update', 'ops/deploy/check'],
      ['why', '.harness-a/skills/check/SKILL.md'],
      ['sync', 'disable', 'ops/deploy/check'],
      ['sync', 'enable', 'ops/deploy/check'],
      ['lint'],
      ['artifact', 'new', 'rule', 'ops/guard/new-one', '--registry', registry],
      ['config', 'show'],
      ['config', 'show', '--explain', 'defaults.harness'],
      ['harness', 'list'],
      ['version'],
      ['help'],
      ['help', '--all'],
      ['sync', '--help'],
      ['completion', 'bash'],
      ['sync', '--remove'],
      ['trust', 'revoke', 'ops/deploy/check'],
      ['init', '--local', '--registry', registry],
    ]) {
      const { document } = await json(args);
      expect(Object.keys(document).length, args.join(' ')).toBeGreaterThan(0);
      expect(document, args.join(' ')).not.toHaveProperty('error');
    }
  });

  test('is in color only on terminals or with FORCE_COLOR', async () => {
    const { ok } = openWorkspace();
    expect((await ok('harness list')).stdout).not.toContain('\u001B');
    const forced = await ok('harness list', { FORCE_COLOR: '1' });
    expect(forced.stdout).toContain('\u001B[');
    const both = await ok('harness list', { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(both.stdout).not.toContain('\u001B');
  });

  test('removes control characters from registry content', async () => {
    const { registry, run } = openWorkspace(skill('greetings/hello'));
    writeTree(registry, {
      'greetings/evil/ARTIFACT.md': `---\ntype: "sk\\e[2Jill\\u202e"\nversion: "\\e]0;owned\\a"\n---\n`,
    });
    for (const args of [
      ['lint', registry],
      ['sync', '--registry', registry],
      ['sync', '--registry', '\u001B[2J'],
    ]) {
      const { stdout, stderr } = await run(args);
      expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\u202E]/u);
    }
  });

  test('a closed pipe does not cause an error', () => {
    const bin = join(installedProgram(), 'bin/catalog');
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `set -o pipefail; "${bin}" help --json | head -c 10`],
      {
        encoding: 'utf8',
        env: { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: '/nonexistent' },
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('without a terminal, init does not prompt and names the missing flag', async () => {
    const { root, error } = openWorkspace();
    const { code, error: envelope } = await error('init');
    expect([envelope.code, code]).toEqual(['config.usage', 2]);
    expect(envelope.suggested_action).toContain('--registry');
    expect(existsSync(join(root, '.catalog'))).toBe(false);
  });

  test('the completion script works in bash', async () => {
    const { ok } = openWorkspace();
    const { stdout } = await ok('completion bash');
    const script = `${stdout}\nCOMP_WORDS=(catalog sync --harness harness-a); COMP_CWORD=3; _catalog; echo "\${COMPREPLY[@]}"`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' })).toMatchObject({
      stdout: 'harness-a\n',
      stderr: '',
    });
  });
});
