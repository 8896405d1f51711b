import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authoredPackage } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { Artifact } from '../artifact/types.ts';
import { executableCapabilities } from './executable-capabilities.ts';
import { formatCapability } from './format-capability.ts';

/**
 * An artifact and its expected capabilities, as `formatCapability` prints them without hashes. A skill is described by
 * `skill` and `body`, any other `type` by `frontmatter`.
 */
interface CorpusCase {
  id: string;
  type?: string;
  skill?: object;
  frontmatter?: object;
  body?: string;
  files?: Record<string, string>;
  executable?: string[];
  expected: string[];
}

const FOLDER = join(import.meta.dirname, 'corpus');

const corpus = readdirSync(FOLDER).map((file): [string, CorpusCase[]] => [
  file,
  parse(readFileSync(join(FOLDER, file), 'utf8')),
]);

describe.each(corpus)('executableCapabilities of the corpus %s', (_, cases) => {
  test.each(cases)('lists the expected capabilities of $id', (corpusCase) => {
    const capabilities = executableCapabilities(artifactOf(corpusCase));
    expect(capabilities.map((capability) => withoutHash(formatCapability(capability)))).toEqual(
      corpusCase.expected,
    );
  });
});

test('the corpus has at least 150 artifacts with unique ids', () => {
  const ids = corpus.flatMap(([file, cases]) => cases.map(({ id }) => `${file}: ${id}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(150);
});

function artifactOf(corpusCase: CorpusCase): Artifact {
  const { files = {}, executable = [] } = corpusCase;
  const isComplete = 'ARTIFACT.md' in files || 'SKILL.md' in files;
  const pkg = authoredPackage('corpus/check', {
    ...(isComplete ? {} : manifestOf(corpusCase)),
    ...files,
  });
  const resources = pkg.resources.map((file) => ({
    ...file,
    executable: file.executable || executable.includes(file.path),
  }));
  const reading = readArtifact({ ...pkg, resources });
  if (reading.kind === 'ok') return reading.artifact;
  throw new Error(reading.problems.map(({ message }) => message).join(' '));
}

function manifestOf(corpusCase: CorpusCase): Record<string, string> {
  const { type, skill = {}, frontmatter = {}, body = 'Check.' } = corpusCase;
  const about = { name: 'check', description: 'Checks a release.' };
  const [file, keys] =
    type === undefined
      ? ['SKILL.md', { ...about, ...skill }]
      : ['ARTIFACT.md', { type, version: '1.0.0', ...about, ...frontmatter }];
  return { [file]: `---\n${stringify(keys)}---\n${body}` };
}

function withoutHash(line: string): string {
  return line.replace(/ \(sha256:[0-9a-f]{12}\)| sha256:[0-9a-f]{12}$/, '');
}
