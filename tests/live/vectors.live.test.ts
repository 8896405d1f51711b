import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { LiveVariables } from './live-backends.ts';
import { defineVectorLane } from './vector-lane.ts';

/** Another file than the one at the root, for a run beside it. */
const FILE = process.env['CATALOG_LIVE_TEST_ENV'] ?? join(import.meta.dirname, '../../test.env');

/** What the environment says goes before the file. */
function readVariables(): LiveVariables {
  return { ...readFile(), ...process.env };
}

function readFile(): LiveVariables {
  try {
    return parseEnv(readFileSync(FILE, 'utf8'));
  } catch {
    return {};
  }
}

const variables = readVariables();

defineVectorLane(() => variables);
