import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runProgram } from '../services/run-program.ts';
import { installPinned } from './install-pinned.ts';

export function installSuite(version: string): Promise<string> {
  return installPinned(`conformance-${version}`);
}

export interface ScenarioRun {
  passed: boolean;
  output: string;
}

export async function runScenario(
  suite: string,
  url: string,
  scenario: string,
  revision: string,
): Promise<ScenarioRun> {
  const program = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const args = ['--url', url, '--scenario', scenario, '--spec-version', revision];
  const child = spawn(process.execPath, [program, 'server', ...args], { cwd: suite });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const [code] = await once(child, 'close');
  return { passed: code === 0 && /Passed: [1-9]\d*\/\d+, 0 failed/.test(output), output };
}

export async function listScenarios(suite: string, revision: string): Promise<string[]> {
  const program = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const listed = await runProgram(process.execPath, [program, 'list', '--server']);
  return listed
    .split('\n')
    .flatMap((line) => /^ +- (\S+) \[(.*)\]$/.exec(line)?.slice(1, 3) ?? [])
    .flatMap((name, at, all) =>
      at % 2 === 0 && (all[at + 1] ?? '').split(',').includes(revision) ? [name] : [],
    );
}
