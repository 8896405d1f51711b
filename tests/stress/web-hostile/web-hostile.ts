import { setTimeout } from 'node:timers/promises';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { Page } from 'playwright-core';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { Shrunk, StressResult, StressSession, StressTest } from '../stress-test.ts';
import { describePart, drawArtifact, toFiles, type HostileArtifact } from './hostile-artifact.ts';
import { hasTrace, inspectPage } from './inspect-page.ts';
import { drawHtml, drawLine, drawSvg } from './payloads.ts';
import { LAYER, openPlace, type Place } from './place.ts';

export const webHostile: StressTest = {
  name: 'web-hostile',
  summary:
    'Hostile artifacts in the pages of the web UI, in a real browser: no script runs, no request ' +
    'leaves the origin, and nothing covers or renames the controls of the page.',
  n: 1000,
  bugs: 'tests/stress/web-hostile/planted-bugs.json',
  bug_n: 60,
  open,
};

/** A hostile artifact, and hostile text in the URL of a page. */
interface History {
  artifact: HostileArtifact;
  harness: string;
  /** Text in the URL of search, browse and artifact pages. */
  url_text: string;
  /** A file too large to be inline, which the browser opens by its own URL. */
  large: { path: string; text: string } | undefined;
}

const VERSIONS = ['1.0.0', '1.1.0'] as const;

const HARNESSES = ['claude-code', 'cursor', 'codex', 'gemini-cli', 'opencode', 'copilot'] as const;

function open(): StressSession {
  const opening = openPlace();
  return {
    opened: opening,
    play: async (seed) => {
      const place = await opening;
      return play(drawHistory(seed, place), place, '');
    },
    shrink: async (seed) => {
      const place = await opening;
      let attempt = 0;
      // Published versions are immutable: every attempt needs its own id.
      return shrink(drawHistory(seed, place), (smaller) => play(smaller, place, `x${attempt++}`));
    },
    close: async () => (await opening).close(),
  };
}

function drawHistory(seed: string, { target }: Place): History {
  const random = seededRandom(seed);
  const artifact = drawArtifact(seed, random, target);
  return {
    artifact,
    harness: random.pick(HARNESSES),
    url_text: drawLine(random, target).replaceAll('\0', ''),
    large: random.next() < 0.15 ? drawLarge(random, target) : undefined,
  };
}

function drawLarge(random: SeededRandom, target: Place['target']): { path: string; text: string } {
  const [path, text] = random.pick([
    ['large.html', drawHtml(random, target)],
    ['large.svg', drawSvg(random, target)],
  ]);
  return { path, text: text + `<!-- ${' '.repeat(INLINE_CUTOFF_BYTES)} -->` };
}

async function play(history: History, place: Place, suffix: string): Promise<StressResult> {
  const { server } = place;
  const artifact = rename(history.artifact, suffix);
  const large =
    history.large === undefined
      ? {}
      : { [`${artifact.id}/${history.large.path}`]: history.large.text };
  const isAccepted = await ingestVersions(place, artifact, large);
  const { page, noted } = await place.openPage();
  if (!isAccepted) await serveRejected(page, artifact);
  const problems: string[] = [];
  let pages = 0;
  try {
    for (const view of listViews(history, artifact)) {
      const found = await show(page, server.url, view, pages === 0);
      problems.push(...found.map((problem) => `${view.path}: ${problem}`));
      pages += 1;
    }
    const { body } = await server.request('/v1/load_artifact', { query: { id: artifact.id } });
    for (const path of listDocuments(artifact, body)) {
      // A download does not open a document.
      await page.goto(new URL(path, server.url).href).catch(() => undefined);
      if (await hasTrace(page)) problems.push(`${path}: a script ran`);
      pages += 1;
    }
    await page.context().close();
    problems.push(...noted);
    return { counts: { accepted: Number(isAccepted), pages }, problems };
  } finally {
    await page.context().close();
  }
}

/** Publishes two versions. Returns false if the registry rejects the artifact and has a harmless one instead. */
async function ingestVersions(
  { server }: Place,
  artifact: HostileArtifact,
  large: Record<string, string>,
): Promise<boolean> {
  const harmless = { ...artifact, parts: artifact.parts.filter(({ kind }) => kind === 'rejected') };
  const attempts = [artifact, harmless, { ...artifact, parts: [] }];
  for (const attempt of attempts) {
    try {
      for (const version of VERSIONS) {
        await server.ingest({ ...toFiles(attempt, version), ...large }, { id: LAYER });
      }
    } catch {
      // The registry rejected every artifact of the layer.
    }
    const { status } = await server.request('/v1/load_artifact', {
      query: { id: artifact.id, version: VERSIONS[1] },
    });
    if (status === 200) return attempt === artifact;
  }
  throw new Error('The registry rejects a harmless artifact.');
}

/** Serves the content that the registry rejected: an older release may have accepted it. */
async function serveRejected(page: Page, artifact: HostileArtifact): Promise<void> {
  await page.route('**/v1/load_artifact*', async (route) => {
    const response = await route.fetch();
    const record: Record<string, unknown> = await response.json();
    const files = toFiles(artifact, String(record['version']));
    const text = (path: string): string | undefined => {
      const file = files[`${artifact.id}/${path}`];
      return typeof file === 'string' ? file : undefined;
    };
    const resources = artifact.parts.flatMap((part) =>
      part.kind === 'file' ? [[part.path, part.text] as const] : [],
    );
    const own = { resources: Object.fromEntries(resources), resources_base64: false };
    const manifests = { manifest_body: text('ARTIFACT.md'), skill_body: text('SKILL.md') };
    await route.fulfill({ response, json: { ...record, ...own, ...manifests } });
  });
}

/** A page of the web UI, and what is there once it has loaded. */
interface View {
  path: string;
  title: string;
  ready: string;
}

function listViews({ harness, url_text }: History, artifact: HostileArtifact): View[] {
  const { id, word, parts } = artifact;
  const own = (path: string, ready: string): View => ({ path, title: `${id} · catalog`, ready });
  const page = (query: string): string => `artifacts/${id}?tab=${query}`;
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.path] : [])).slice(0, 2);
  const ofArtifact = [
    own(`artifacts/${id}`, '.artifact-main .prose, .artifact-main .notice'),
    ...files.map((file) => own(page(`files&file=${encodeURIComponent(file)}`), '.file')),
    own(page('files'), '.file'),
    own(page('versions'), '.diff'),
    own(page(`harnesses&harness=${harness}`), '.plan-head, .artifact-main .notice'),
    own(page('provenance'), '.provenance'),
    { path: `search?q=${word}`, title: `${word} · catalog`, ready: '.hit' },
    { path: `browse/${word}`, title: `${word} · catalog`, ready: '.artifact-list' },
  ];
  const text = encodeURIComponent(url_text);
  return [
    ...ofArtifact,
    { path: `layers/${LAYER}`, title: `${LAYER} · catalog`, ready: 'main h1' },
    { path: 'layers', title: 'Layers · catalog', ready: 'main h1' },
    { path: '', title: 'catalog', ready: 'main h2' },
    { path: `search?tag=${text}`, title: 'Search · catalog', ready: '.active-filters' },
  ];
}

const LOAD_TIMEOUT_MS = 10_000;
const POLL_MS = 15;

/** Opens a view, the first with a new document, and lists what is wrong with it. */
async function show(page: Page, url: string, view: View, isFirst: boolean): Promise<string[]> {
  const { path, title, ready } = view;
  if (isFirst) await page.goto(`${url}/app/${path}`);
  else await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/app/${path}`)})`);
  const settled = `document.title === ${JSON.stringify(title)} &&
    document.querySelector(${JSON.stringify(ready)}) !== null &&
    document.querySelector('main .skeleton') === null`;
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  // `waitForFunction` would need a policy that allows `eval`.
  while (!(await page.evaluate<boolean>(settled))) {
    if (performance.now() > deadline) {
      const text = await page.evaluate<string>(`document.querySelector('main')?.innerText ?? ''`);
      return [`the page did not load: ${text.slice(0, 300)}`];
    }
    await setTimeout(POLL_MS);
  }
  return inspectPage(page, title);
}

/** What a browser can open outside of the web UI: responses of the API, and large files. */
function listDocuments({ id }: HostileArtifact, record: unknown): string[] {
  const large = JSON.stringify(record).matchAll(/"presigned_url":"([^"]+)"/g);
  return [
    `/v1/load_artifact?id=${encodeURIComponent(id)}`,
    ...[...large].map(([, url = '']) => url),
  ];
}

function rename(artifact: HostileArtifact, suffix: string): HostileArtifact {
  const word = `${artifact.word}${suffix}`;
  return { ...artifact, word, id: `${word}/artifact` };
}

/** Leaves out parts of the artifact for as long as the history still fails. */
async function shrink(
  history: History,
  replay: (history: History) => Promise<StressResult>,
): Promise<Shrunk | undefined> {
  let current = history;
  let { problems } = await replay(current);
  if (problems.length === 0) return undefined;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of listSmaller(current)) {
      const result = await replay(smaller);
      if (result.problems.length === 0) continue;
      current = smaller;
      ({ problems } = result);
      isSmaller = true;
      break;
    }
  }
  return { steps: describe(current), problems };
}

function listSmaller(history: History): History[] {
  const { artifact, large, url_text } = history;
  const { parts } = artifact;
  return [
    ...parts.map((_, at) => ({
      ...history,
      artifact: { ...artifact, parts: parts.toSpliced(at, 1) },
    })),
    ...(large === undefined ? [] : [{ ...history, large: undefined }]),
    ...(url_text === 'x' ? [] : [{ ...history, url_text: 'x' }]),
  ];
}

function describe({ artifact, harness, url_text, large }: History): string[] {
  return [
    `${artifact.type} for ${harness}, in the URL: ${JSON.stringify(url_text)}`,
    ...artifact.parts.map(describePart),
    ...(large === undefined ? [] : [`${large.path}: ${large.text.trim().slice(0, 300)}`]),
  ];
}
