import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScimAnswer, ScimClient } from './scim-client.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/scim');

/** Recorded requests of Okta, and of Entra with and without its flag for compliance. */
export const TRANSCRIPTS = ['okta', 'entra', 'entra-compliant'] as const;

interface Step {
  name: string;
  method: string;
  /** Path below `/scim/v2`; names in braces are stored ids. */
  path: string;
  body?: unknown;
  save?: string;
  status: number;
  expect?: Readonly<Record<string, unknown>>;
  absent?: readonly string[];
}

export interface ReplayedStep {
  name: string;
  answer: ScimAnswer;
  status: number;
  expected: Readonly<Record<string, unknown>>;
  absent: readonly string[];
}

export async function* replayTranscript(
  transcript: (typeof TRANSCRIPTS)[number],
  client: ScimClient,
): AsyncGenerator<ReplayedStep> {
  const text = readFileSync(join(FOLDER, `${transcript}.json`), 'utf8');
  const steps: Step[] = JSON.parse(text);
  const saved = new Map<string, string>();
  const fill = (some: string): string =>
    some.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => saved.get(name) ?? whole);
  for (const step of steps) {
    const { name, method, path, body, save, status, expect = {}, absent = [] } = step;
    const answer = await client.send(
      method,
      fill(path),
      body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(body))) },
    );
    if (save !== undefined && answer.body.id !== undefined) saved.set(save, answer.body.id);
    const expected: Record<string, unknown> = JSON.parse(fill(JSON.stringify(expect)));
    yield { name, answer, status, expected, absent };
  }
}
