import { readFileSync, readdirSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { authoredPackage, type PackageTexts } from '@catalog/testkit/authored-package';
import { readArtifact } from '../artifact/read-artifact.ts';
import type { AuthoredPackage } from '../artifact/types.ts';
import { readDomain } from '../domain/read-domain.ts';
import { decideSnapshots } from '../ingest/decide-snapshots.ts';
import { judgeTrigger, TRIGGER_DEPTH } from '../triggers/judge-trigger.ts';
import { readTriggers } from '../triggers/read-triggers.ts';
import type { HarnessCapabilities, LintLimits, TypeProvider } from './context.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { lintArtifacts } from './lint-artifacts.ts';
import { lintDomains } from './lint-domains.ts';
import { lintTriggers } from './lint-triggers.ts';
import { lintRules } from './rules.ts';

/**
 * Examples of a rule in `fixtures/`: some break it and similar ones do not. `{{repeat 3 "x"}}` expands to `xxx`, and
 * `{{byte e9}}` to that byte.
 */
type Case = Expectation & Examples;

interface Expectation {
  what: string;
  /** `file:line:column` of every finding; the file is relative to the package `ops/check`. */
  at: string | string[];
  severity: Severity;
  message: string;
}

type Examples =
  | ({ kind: 'packages'; limits?: LintLimits } & Pair<Packages>)
  | ({ kind: 'layers' } & Pair<Record<string, Packages>>)
  | ({ kind: 'triggers'; results: Record<string, string[]> } & Pair<Packages>)
  | ({ kind: 'domains' } & DomainContext & Pair<Record<string, string>>);

interface Pair<T> {
  fires: T;
  passes: T;
}

type Packages = Record<string, PackageTexts>;

interface DomainContext {
  known: string[];
  overrides?: boolean;
  listed_before?: string[];
}

const CAPABILITIES: HarnessCapabilities = new Map([
  ['none', { cells: {} }],
  [
    'harness-a',
    {
      name_untargeted: 'claude-code',
      cells: {
        'type:agent': 'native',
        'rule_mode:always': 'native',
        'rule_mode:glob': 'native',
        'rule_mode:auto': 'fallback',
        'rule_mode:explicit': 'fallback',
      },
    },
  ],
  [
    'harness-h',
    {
      cells: {
        'type:skill': 'native',
        'rule_mode:glob': 'fallback',
        'type:agent': 'unsupported',
        'field:mcpServers': 'unsupported',
      },
    },
  ],
]);

const dataset: TypeProvider = {
  validate: ({ manifest }) =>
    manifest?.values['rows'] === 0
      ? [{ severity: 'error', message: 'A dataset has rows.', path: ['rows'] }]
      : [],
};

function findingsOf(examples: Examples, side: 'fires' | 'passes'): Diagnostic[] {
  switch (examples.kind) {
    case 'packages':
      return lintPackages(examples[side], examples.limits);
    case 'layers':
      return lintLayers(examples[side]);
    case 'triggers':
      return tryTriggers(examples[side], examples.results);
    case 'domains':
      return lintDomainTexts(examples[side], examples);
    default:
      throw new Error('no such kind');
  }
}

function lintPackages(packages: Packages, limits: LintLimits | undefined): Diagnostic[] {
  const readings = toPackages(packages).map(readArtifact);
  const artifacts = readings.flatMap((reading) =>
    reading.kind === 'ok' ? [reading.artifact] : [],
  );
  const linted = lintArtifacts(artifacts, {
    known_ids: new Set(Object.keys(packages)),
    capabilities: CAPABILITIES,
    type_providers: new Map([['dataset', dataset]]),
    ...(limits === undefined ? {} : { limits }),
  });
  return readings
    .flatMap((reading) => (reading.kind === 'ok' ? reading.diagnostics : reading.problems))
    .concat(linted)
    .filter(({ artifact_id }) => artifact_id === 'ops/check');
}

function lintLayers(layers: Record<string, Packages>): Diagnostic[] {
  const snapshots = Object.entries(layers).map(([layer, packages]) => ({
    layer,
    packages: toPackages(packages, layer),
    domains: [],
    refused: [],
  }));
  const { rejected, advisories } = decideSnapshots(snapshots, { capabilities: CAPABILITIES });
  expect(rejected).toEqual([]);
  return advisories;
}

function tryTriggers(packages: Packages, results: Record<string, string[]>): Diagnostic[] {
  const tested = toPackages(packages).map((each) => {
    const reading = readArtifact(each);
    const triggers = readTriggers(each.resources[0]?.bytes ?? new Uint8Array());
    if (reading.kind === 'refused' || triggers.kind === 'refused') throw new Error('unreadable');
    const tried = triggers.triggers.map((trigger) => ({
      outcome: judgeTrigger(each.id, trigger, results[trigger.query] ?? [], TRIGGER_DEPTH),
      offset: trigger.offset,
    }));
    return { artifact: reading.artifact, text: triggers.text, tried };
  });
  return lintTriggers(tested);
}

function lintDomainTexts(texts: Record<string, string>, context: DomainContext): Diagnostic[] {
  const readings = Object.entries(texts).map(([path, text]) =>
    readDomain({ path, bytes: toBytes(text) }, 'base'),
  );
  return lintDomains(
    readings.flatMap((reading) => (reading.kind === 'ok' ? [reading.domain] : [])),
    {
      known_ids: new Set(context.known),
      allow_per_domain_overrides: context.overrides ?? true,
      listed_before: new Set(context.listed_before),
    },
  );
}

function toPackages(packages: Packages, layer = 'base'): AuthoredPackage[] {
  return Object.entries(packages).map(([id, files]) => {
    const { 'ARTIFACT.md': manifest, 'SKILL.md': skill } = files;
    return {
      ...authoredPackage(id, files, layer),
      manifest: manifest === undefined ? undefined : toBytes(manifest),
      skill: skill === undefined ? undefined : toBytes(skill),
    };
  });
}

function toBytes(text: string): Uint8Array {
  const repeated = text.replace(/\{\{repeat (\d+) (".*?")\}\}/g, (_, times, part) =>
    String(JSON.parse(part)).repeat(Number(times)),
  );
  const parts = repeated.split(/\{\{byte (..)\}\}/);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex'))),
  );
}

function loadCases(code: string): Case[] {
  const cases = load(readFileSync(new URL(`${code}.yaml`, folder), 'utf8'));
  if (!Array.isArray(cases)) throw new Error(`${code}.yaml is no list`);
  return cases;
}

const folder = new URL('fixtures/', import.meta.url);

describe.each(Object.keys(lintRules))('lint rule %s', (code) => {
  test.each(loadCases(code))('reports $what', (example) => {
    const { at, severity, message } = example;
    const found = findingsOf(example, 'fires').filter((finding) => finding.code === code);
    const places = found.map(
      ({ file, line, column }) => `${file.replace('ops/check/', '')}:${line}:${column}`,
    );
    expect(places).toEqual([at].flat());
    expect(found[0]).toMatchObject({ severity, message: expect.stringContaining(message) });
    expect(findingsOf(example, 'passes').filter((finding) => finding.code === code)).toEqual([]);
  });
});

test('every file of the conformance table belongs to a rule', () => {
  const codes = readdirSync(folder).map((name) => name.replace(/\.yaml$/, ''));
  expect(codes.sort()).toEqual(Object.keys(lintRules).sort());
});
