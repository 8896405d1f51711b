import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistryProcess } from '../bench/registry-process.ts';

const ROOT = join(import.meta.dirname, '..');
const OWN = join(import.meta.dirname, 'schemathesis');
const INSTALLED = join(ROOT, '.services/schemathesis');

/** Contains the resources that the examples of the contract reference. */
const LAYERS = join(ROOT, 'packages/testkit/fixtures/everything/registry');

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
];

/**
 * The event stream never ends, and an unreachable source returns a documented 502, which the fuzzer
 * reports as a failure of the server.
 */
const EXCLUDED = ['events', 'test_source'];

/**
 * `./dev schemathesis [--small]` reads the served OpenAPI document with a fuzzer, and sends
 * requests that it allows and requests that it forbids.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      small: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  });
  install();
  const folder = mkdtempSync(join(tmpdir(), 'catalog-schemathesis-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  const registry = await startRegistryProcess(home, { flags: ['--layer-path', LAYERS] });
  try {
    return await fuzz(registry.url, {
      seconds: values.small ? 40 : 300,
      seed: values.seed,
      folder,
    });
  } finally {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(): void {
  const list = join(OWN, 'requirements.txt');
  const wanted = readFileSync(list, 'utf8');
  const mark = join(INSTALLED, 'installed-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  process.stderr.write('installing schemathesis into .services\n');
  run('python3', ['-m', 'venv', '--clear', INSTALLED]);
  run(join(INSTALLED, 'bin/pip'), ['install', '--quiet', '--no-deps', '-r', list]);
  writeFileSync(mark, wanted);
}

function run(program: string, words: readonly string[]): void {
  const { status } = spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

async function fuzz(
  url: string,
  { seconds, seed, folder }: { seconds: number; seed: string; folder: string },
): Promise<number> {
  const words = [
    'run',
    `${url}/v1/openapi.json`,
    ['--checks', CHECKS.join(',')],
    EXCLUDED.flatMap((id) => ['--exclude-operation-id', id]),
    ['--phases', 'examples,coverage,fuzzing'],
    ['--max-time', String(seconds)],
    ['--request-timeout', '20'],
    ['--seed', seed],
    ['--generation-database', 'none'],
  ].flat();
  const child = spawn(join(INSTALLED, 'bin/schemathesis'), words, {
    cwd: folder,
    env: { PATH: process.env['PATH'], SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: OWN },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  return code === 0 ? 0 : 1;
}

process.exitCode = await main();
