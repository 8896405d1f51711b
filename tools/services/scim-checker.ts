import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './folders.ts';
import { installOnce } from './install-once.ts';
import { runProgram } from './run-program.ts';

const OWN = join(ROOT, 'tools/scim-checker');
const REQUIREMENTS = join(OWN, 'requirements.txt');

export interface ScimOutcome {
  check: string;
  resource_type: string | null;
  status: 'SUCCESS' | 'ERROR' | 'SKIPPED' | 'ACCEPTABLE' | 'DEVIATION';
  reason: string | null;
}

export function installScimChecker(): Promise<string> {
  const list = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  return installOnce({
    key: `scim2-tester-${list}`,
    build: async (folder) => {
      const how = ['--quiet', '--no-deps', '--only-binary', ':all:', '--target', folder];
      await runProgram('python3', ['-m', 'pip', 'install', ...how, '-r', REQUIREMENTS]);
    },
  });
}

export async function checkScim(address: string, token: string): Promise<ScimOutcome[]> {
  const python = await installScimChecker();
  const printed = await runProgram('python3', [join(OWN, 'check.py'), address], {
    env: { PYTHONPATH: python, SCIM_TOKEN: token },
  });
  return printed
    .trim()
    .split('\n')
    .map((line): ScimOutcome => JSON.parse(line));
}
