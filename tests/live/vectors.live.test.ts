import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { LiveVariables } from './live-backends.ts';
import { defineVectorTests } from './define-vector-tests.ts';

/** Overrides the file at the root, so that runs with different files are possible. */
const FILE = process.env['CATALOG_LIVE_TEST_ENV'] ?? join(import.meta.dirname, '../../test.env');

/** Returns the variables; the environment takes precedence over the file. */
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

defineVectorTests(() => variables);
