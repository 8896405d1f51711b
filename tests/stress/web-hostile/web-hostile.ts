import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Page } from 'playwright-core';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { Shrunk, StressResult, StressSession, StressTest } from '../stress-test.ts';
import { describePart, drawArtifact, toFiles, type HostileArtifact } from './hostile-artifact.ts';
import { hasTrace, inspectPage, type LoadedPage } from './inspect-page.ts';
import { drawHtml, drawLine, drawSvg } from './payloads.ts';
import { LAYER, openPlace, type Place } from './place.ts';
import { publish } from './publish.ts';

export const webHostile: StressTest = {
  name: 'web-hostile',
  summary:
    'Hostile artifacts in the pages of the web UI, in a real browser: no script runs, no request ' +
    'leaves the origin, and nothing covers or renames the controls of the page.',
  n: 1000,
  bugs: 'tests/stress/web-hostile/planted-bugs.json',
  bug_n: 60,
  timeout_ms: 300_000,
  open,
};

interface History {
  artifact: HostileArtifact;
  harness: string;
  url_text: string;
  url_place: (typeof URL_PLACES)[number];
  /** A file too large for an inline response, which the browser opens with a separate URL. */
  large: { path: string; text: string } | undefined;
}

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
    url_place: random.pick(URL_PLACES),
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
  const { server, page } = place;
  const artifact = rename(history.artifact, suffix);
  const large =
    history.large === undefined
      ? {}
      : { [`${artifact.id}/${history.large.path}`]: history.large.text };
  const published = await publish(server, artifact, large);
  const isComplete = published.parts.length === artifact.parts.length;
  if (!isComplete) await serveRejected(page, artifact);
  const problems: string[] = [];
  let pages = 0;
  for (const view of listViews(history, artifact)) {
    const found = await show(page, server.url, view, pages === 0);
    problems.push(...found.map((problem) => `${view.path}: ${problem}`));
    pages += 1;
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const { body } = await server.request('/v1/load_artifact', { query: { id: artifact.id } });
  for (const path of listDocuments(artifact, body)) {
    // A download does not open a document.
    await page.goto(new URL(path, server.url).href).catch(() => undefined);
    if (await hasTrace(page)) problems.push(`${path}: a script ran`);
    pages += 1;
  }
  problems.push(...place.takeRecorded());
  const isHostile = published.parts.some(({ kind }) => kind !== 'rejected');
  const counts = {
    pages,
    published: Number(isHostile),
    'published completely': Number(isComplete),
  };
  return { counts, problems };
}

/** Serves content that the registry rejected: an older release may have accepted it. */
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

interface View extends LoadedPage {
  path: string;
}

/** The tabs of an artifact; the content of a tab follows them. */
const TABS = 'nav[aria-label=Artifact]';
const FILE = 'nav[aria-label=Files] ~ section';

function listViews({ harness, url_text, url_place }: History, artifact: HostileArtifact): View[] {
  const { id, word, parts } = artifact;
  const own = (path: string, ready: string): View => ({ path, title: `${id} · catalog`, ready });
  const page = (query: string): string => `artifacts/${id}?tab=${query}`;
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.path] : [])).slice(0, 2);
  const ofArtifact = [
    own(`artifacts/${id}`, `${TABS} ~ :is([data-prose], section[data-kind])`),
    ...files.map((file) => own(page(`files&file=${encodeURIComponent(file)}`), FILE)),
    own(page('files'), FILE),
    own(page('versions'), 'main section > header > h3'),
    own(
      page(`harnesses&harness=${harness}`),
      `nav[aria-label=Harnesses] ~ section, ${TABS} ~ section[data-kind]`,
    ),
    own(page('provenance'), `${TABS} ~ div dl`),
    { path: `search?q=${word}`, title: `${word} · catalog`, ready: '[data-results] ol > li' },
    {
      path: `browse/${word}`,
      title: `${word} · catalog`,
      ready: 'main:has(#tree-title) [data-result]',
    },
  ];
  const ofLayer = [
    { path: `layers/${LAYER}`, title: `${LAYER} · catalog`, ready: 'main h1' },
    { path: 'layers', title: 'Layers · catalog', ready: 'main h1' },
  ];
  const hasRejected = parts.some(({ kind }) => kind === 'rejected');
  return [
    ...ofArtifact,
    ...(hasRejected ? ofLayer : []),
    { path: '', title: 'catalog', ready: 'main h2' },
    viewOfText(url_text, url_place),
  ];
}

const URL_PLACES = ['search', 'artifacts', 'browse', 'layers'] as const;

function viewOfText(text: string, place: (typeof URL_PLACES)[number]): View {
  const encoded = encodeURIComponent(text);
  if (place === 'search') {
    return {
      path: `search?tag=${encoded}`,
      title: 'Search · catalog',
      ready: 'ul[aria-label=Filters]',
    };
  }
  if (text.split('/').some((segment) => segment === '.' || segment === '..')) {
    return { path: `${place}/${encoded}`, title: 'Not found · catalog', ready: 'main h1' };
  }
  // A browser collapses white space in titles.
  const title = `${escapeControls(text)} · catalog`.replaceAll(/[\t\n\f\r ]+/g, ' ').trim();
  return { path: `${place}/${encoded}`, title, ready: 'main h1' };
}

/** Opens a view, the first one with a new document, and lists its problems. */
async function show(page: Page, url: string, view: View, isFirst: boolean): Promise<string[]> {
  const path = `/app/${view.path}`;
  if (isFirst) await page.goto(`${url}${path}`, { waitUntil: 'commit' });
  return inspectPage(page, isFirst ? view : { ...view, open: path });
}

/** Lists the URLs of API responses and of large files. */
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

function describe({ artifact, harness, url_text, url_place, large }: History): string[] {
  return [
    `${artifact.type} for ${harness}, in a URL of ${url_place}: ${JSON.stringify(url_text)}`,
    ...artifact.parts.map(describePart),
    ...(large === undefined ? [] : [`${large.path}: ${large.text.trim().slice(0, 300)}`]),
  ];
}
