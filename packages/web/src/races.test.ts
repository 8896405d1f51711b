// @vitest-environment happy-dom
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { SearchResult } from '@catalog/contract/records/discovery';
import type { IngestJob } from '@catalog/contract/records/ingest';
import { createElement, type ReactElement } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { App } from './app/app.tsx';
import { COPY_EVENT } from './app/shortcut-events.ts';
import { Install } from './pages/artifact/install.tsx';
// Imported here, because a test with its own timers cannot wait for a page that loads on demand.
import './pages/layers/layer-page.tsx';
import { click, openPage, settle, texts, type } from './testing/open-page.ts';
import { stubRegistry, type StubRegistry } from './testing/stub-registry.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function startRegistry(routes: StubRegistry['routes']): StubRegistry {
  const registry = stubRegistry(routes);
  onTestFinished(registry.restore);
  return registry;
}

async function open(path: string, page: ReactElement): Promise<void> {
  onTestFinished(await openPage(path, page));
  await pass(0);
}

function pass(milliseconds: number): Promise<void> {
  return settle(() => vi.advanceTimersByTimeAsync(milliseconds));
}

const BANNER = 'The registry does not respond. What you see may be out of date.';
/** Longer than all retries of a request and the interval of reconnecting. */
const OUTAGE_MS = 5000;
const POLL_MS = 10_000;

const OPS = {
  path: 'ops',
  description: 'Operations',
  keywords: [],
  subdomains: [],
  artifacts: [{ id: 'ops/greet', type: 'rule', summary: 'Say hi.' }],
  artifact_count: 1,
  recursive_count: 1,
};

test('an error box disappears when the registry responds again', async () => {
  const registry = startRegistry({ '/v1/load_domain': () => OPS });
  registry.state = 'starting';
  await open('/browse/ops', createElement(App));
  await pass(OUTAGE_MS);
  expect(texts('main [role=alert] h2')).toEqual(['The registry did not respond']);
  expect(texts('[role=status] p')).toContain(BANNER);
  registry.state = 'up';
  await pass(OUTAGE_MS);
  expect(texts('main [role=alert]')).toEqual([]);
  expect(texts('main [data-result]')).toEqual(['ops/greet']);
  expect(texts('[role=status] p')).not.toContain(BANNER);
});

const AT = '2026-11-19T12:00:00Z';
const LAYER = {
  id: 'late',
  source_type: 'local',
  git_provider: 'git-host-a',
  local_path: '/srv/late',
  owner: '',
  groups: [],
  users: [],
  created_at: AT,
};

const JOB: IngestJob = {
  job: 'first',
  layer: 'late',
  state: 'done',
  trigger: 'register',
  progress: { phase: 'done', done: 1, total: 1 },
  attempts: 1,
  created_at: AT,
  started_at: AT,
  finished_at: AT,
};

test('the layer page reloads a layer that was read before its ingest ended', async () => {
  const before = { ...LAYER, artifact_count: 0 };
  const after = { ...LAYER, artifact_count: 7, last_ingested_at: AT };
  const responses = [before];
  const registry = startRegistry({
    '/v1/layers': () => ({ layers: [responses.shift() ?? after] }),
    '/v1/layers/ingests': () => ({ ingests: [JOB] }),
  });
  await open('/layers/late', createElement(App));
  await pass(1000);
  const facts = texts('main dl > *');
  expect(facts[facts.indexOf('Artifacts') + 1]).toBe('7');
  expect(registry.requests.filter((path) => path.startsWith('/v1/layers?'))).toHaveLength(2);
});

test('the layer page does not reload in a loop if a layer stays older than its ingest', async () => {
  const registry = startRegistry({
    '/v1/layers': () => ({ layers: [LAYER] }),
    '/v1/layers/ingests': () => ({ ingests: [JOB] }),
  });
  await open('/layers/late', createElement(App));
  await pass(POLL_MS - 1000);
  expect(registry.requests.filter((path) => path.startsWith('/v1/layers?'))).toHaveLength(2);
  expect(registry.requests.filter((path) => path.startsWith('/v1/layers/'))).toHaveLength(1);
});

/** More results than the window shows, so that some are painted later. */
const RESULTS = 12;

function resultsOf(query: string): object {
  const results = Array.from({ length: RESULTS }, (_, at): SearchResult => ({
    id: `${query}/${at}`,
    type: 'rule',
    version: '1.0.0',
    score: 1,
    description: query,
    tags: [],
  }));
  return { query, total_matched: results.length, results };
}

function shownQueries(): string[] {
  const queries = texts('[data-results] ol > li a').map((id) => id.split('/')[0] ?? '');
  return [...new Set(queries)];
}

function searchField(): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>('#search');
  if (field === null) throw new Error('The page has no search field.');
  return field;
}

test('the search page shows the results of the last query if responses arrive out of order', async () => {
  const release = new Map<string, () => void>();
  startRegistry({
    '/v1/search_artifacts': async (values) => {
      const query = values.get('query') ?? '';
      if (query !== 'first') await new Promise<void>((done) => release.set(query, done));
      return resultsOf(query);
    },
    '/v1/search_domains': () => ({ domains: [] }),
  });
  await open('/search?q=first', createElement(App));
  await pass(500);
  expect(shownQueries()).toEqual(['first']);
  for (const query of ['second', 'third']) {
    await type(searchField(), query);
    await pass(500);
  }
  expect(shownQueries()).toEqual(['first']);
  expect(document.querySelector('[data-results=stale][aria-busy=true]')).not.toBeNull();
  for (const query of ['third', 'second']) {
    release.get(query)?.();
    await pass(500);
    expect(shownQueries(), `after the response to ${query}`).toEqual(['third']);
  }
  expect(document.querySelector('[data-results=current][aria-busy=false]')).not.toBeNull();
  expect(texts('[data-results] ol > li a')).toHaveLength(RESULTS);
});

test('the search page shows its results without a reload after a restart of the registry', async () => {
  const registry = startRegistry({
    '/v1/search_artifacts': (values) => resultsOf(values.get('query') ?? ''),
    '/v1/search_domains': () => ({ domains: [] }),
  });
  await open('/search?q=before', createElement(App));
  await pass(500);
  expect(shownQueries()).toEqual(['before']);
  registry.state = 'down';
  await type(searchField(), 'during');
  await pass(OUTAGE_MS);
  expect(texts('main [role=alert] h2')).toEqual(['The registry did not respond']);
  expect(texts('[role=status] p')).toContain(BANNER);
  // A proxy responds while the registry does not serve yet.
  registry.state = 'starting';
  await pass(OUTAGE_MS);
  expect(texts('[role=status] p')).toContain(BANNER);
  registry.state = 'up';
  await pass(OUTAGE_MS);
  expect(shownQueries()).toEqual(['during']);
  expect(texts('main [role=alert]')).toEqual([]);
  expect(texts('[role=status] p')).not.toContain(BANNER);
});

test('the layer page keeps its content during a restart of the registry', async () => {
  const ingests = [JOB];
  const registry = startRegistry({
    '/v1/layers': () => ({ layers: [{ ...LAYER, last_ingested_at: AT }] }),
    '/v1/layers/ingests': () => ({ ingests }),
  });
  await open('/layers/late', createElement(App));
  await pass(1000);
  expect(texts('main ol > li')).toHaveLength(1);
  registry.state = 'down';
  await pass(POLL_MS + OUTAGE_MS);
  expect(texts('[role=status] p')).toContain(BANNER);
  expect(texts('main ol > li')).toHaveLength(1);
  expect(texts('main [role=alert]')).toEqual([]);
  ingests.unshift({ ...JOB, job: 'second', trigger: 'start' });
  registry.state = 'up';
  await pass(OUTAGE_MS);
  expect(texts('[role=status] p')).not.toContain(BANNER);
  expect(texts('main ol > li')).toHaveLength(2);
});

const RECORD: ArtifactRecord = {
  id: 'ops/greet',
  type: 'rule',
  version: '1.0.0',
  content_hash: `sha256:${'0'.repeat(64)}`,
  layer: 'late',
  deprecated: false,
  resources: {},
  large_resources: {},
};

function stubClipboard(writeText: (text: string) => Promise<void>): void {
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'clipboard');
  });
}

const SHOWN_MS = 2000;

test('a second copy keeps the copied state for its full duration', async () => {
  const copied: string[] = [];
  stubClipboard(async (text) => void copied.push(text));
  startRegistry({});
  const props = { record: RECORD, reading: undefined, isOther: false };
  await open('/artifacts/ops/greet', createElement(Install, props));
  const states = (): string[] => texts('[role=status]').filter((text) => text !== '');
  expect(states()).toEqual([]);
  await click('[aria-label="Copy the install command"]');
  await pass(SHOWN_MS - 500);
  expect(states()).toEqual(['Copied']);
  await click('[aria-label=Harness] button:nth-child(3)');
  document.dispatchEvent(new Event(COPY_EVENT));
  await pass(SHOWN_MS - 500);
  expect(states()).toEqual(['Copied']);
  await pass(500);
  expect(states()).toEqual([]);
  const harnesses = copied.map((command) => /--harness (\S+)/.exec(command)?.[1]);
  expect(harnesses).toEqual(['claude-code', 'codex']);
});

test('the copy button reports a copy that the browser rejects', async () => {
  stubClipboard(() => Promise.reject(new Error('denied')));
  // Disables the fallback of the copy button.
  Object.defineProperty(document, 'execCommand', { value: () => false, configurable: true });
  startRegistry({});
  const props = { record: RECORD, reading: undefined, isOther: false };
  await open('/artifacts/ops/greet', createElement(Install, props));
  await click('[aria-label="Copy the install command"]');
  await pass(0);
  expect(texts('[role=status]')).toContain('Not copied');
});
