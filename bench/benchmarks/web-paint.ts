import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { listWebPages, readLayoutShift, untilSettled } from '@catalog/testkit/web-pages';
import type { Page } from 'playwright-core';
import { AREAS, TOPICS, writeCatalog } from '../fixtures/catalog.ts';
import { median, resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { startRegistryProcess, untilIngested, WITHOUT_VECTORS } from '../registry-process.ts';

const ARTIFACTS = 1_000;
const SLOWDOWN = 4;
const MAX_PAINT_MS = 100;
const LAYOUT_SHIFT_BELOW = 0.05;
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

export const webPaint: Benchmark = {
  name: 'web-paint',
  summary:
    'Time from the last byte of a search response until Chromium has painted the results, with the CPU slowed down 4 times. Also the cumulative layout shift of every page, on a phone and on a laptop.',
  n: 100,
  small_n: 5,
  run: async ({ n, seed, folder }) => {
    const [home, layer] = [join(folder, 'home'), join(folder, 'layer')];
    mkdirSync(home);
    writeCatalog(layer, { n: ARTIFACTS, seed });
    const flags = ['--web-ui', '--layer-path', layer];
    const registry = await startRegistryProcess(home, { flags, env: WITHOUT_VECTORS });
    const browser = await startBrowser({ keep: true });
    try {
      await untilIngested(registry.url);
      const queries = Array.from({ length: n }, (_, place) => queryAt(place));
      const typed = await paintTyped(browser, registry.url, queries);
      const opened = await paintOpened(browser, registry.url, queries.slice(0, Math.ceil(n / 10)));
      const shifts = await measureShifts(browser, registry.url);
      return resultOfParts(
        'web-paint',
        [
          partOfPaints('web-paint typed', typed),
          partOfPaints('web-paint opened', opened),
          partOfShifts(shifts),
        ],
        [
          `${ARTIFACTS} artifacts, 25 results on a page; a registry and a browser on one machine`,
          'typed: into the search field, one query after the other; opened: the URL of a search',
          describePaints('typed', typed),
          describePaints('opened', opened),
          `layout shift: the sum of all shifts of a page; the largest are ${describeShifts(shifts)}`,
        ],
      );
    } finally {
      await browser.close();
      await registry.stop();
    }
  },
};

/** Returns a new query for each run, because the page caches earlier ones. */
function queryAt(place: number): string {
  const area = AREAS[place % AREAS.length];
  const topic = TOPICS[Math.floor(place / AREAS.length) % TOPICS.length];
  const rest = Math.floor(place / (AREAS.length * TOPICS.length));
  return `${area} ${topic}${rest === 0 ? '' : ` check ${rest}`}`;
}

/**
 * Returns the milliseconds from the last byte of a response to the end of the frame that shows its results. A message
 * posted in a frame is handled after the frame is painted.
 */
const MEASURE_PAINT = `window.measurePaint = (query) => new Promise((resolve) => {
  const isShown = () =>
    new URLSearchParams(location.search).get('q') === query &&
    document.querySelector('[data-results][aria-busy=false] ol > li') !== null;
  const isResponse = ({ name }) => {
    const { pathname, searchParams } = new URL(name);
    return pathname === '/v1/search_artifacts' && searchParams.get('query') === query;
  };
  const resolveFrom = (painted) => {
    const response = performance.getEntriesByType('resource').find(isResponse);
    if (response === undefined) setTimeout(() => resolveFrom(painted), 10);
    else resolve(painted - response.responseEnd);
  };
  performance.clearResourceTimings();
  const observer = new MutationObserver(() => {
    if (!isShown()) return;
    observer.disconnect();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolveFrom(performance.now());
    requestAnimationFrame(() => port2.postMessage(0));
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
});
const opened = new URLSearchParams(location.search).get('q');
if (opened !== null) window.measurePaint(opened).then((ms) => console.debug('painted', ms));
`;

async function openSlowPage(
  browser: TestBrowser,
  viewport = { width: 1280, height: 800 },
): Promise<Page> {
  const page = await browser.newPage({ viewport });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  return page;
}

async function paintTyped(
  browser: TestBrowser,
  url: string,
  queries: readonly string[],
): Promise<number[]> {
  const page = await openSlowPage(browser);
  await page.addInitScript(MEASURE_PAINT);
  await page.goto(`${url}/app/`);
  await untilSettled(page);
  const times: number[] = [];
  for (const query of queries) {
    const painted = page.evaluate<number>(`measurePaint(${JSON.stringify(query)})`);
    await page.locator('#search').fill(query);
    times.push(await painted);
  }
  await page.context().close();
  return times;
}

async function paintOpened(
  browser: TestBrowser,
  url: string,
  queries: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) {
    const page = await openSlowPage(browser);
    await page.addInitScript(MEASURE_PAINT);
    // The page reports the time, because a script that polls for it would run during the measurement.
    const painted = page.waitForEvent('console', (message) => message.text().startsWith('painted'));
    await page.goto(`${url}/app/search?${new URLSearchParams({ q: query }).toString()}`);
    times.push(Number((await painted).text().split(' ')[1]));
    await page.context().close();
  }
  return times;
}

interface Shift {
  page: string;
  value: number;
}

async function measureShifts(browser: TestBrowser, url: string): Promise<Shift[]> {
  const shifts: Shift[] = [];
  for (const size of SIZES) {
    const page = await openSlowPage(browser, size);
    for (const { name, path } of await listWebPages(url)) {
      await page.goto(`${url}/app/${path}`);
      await untilSettled(page);
      shifts.push({ page: `${name} at ${size.width}`, value: await readLayoutShift(page) });
    }
    await page.context().close();
  }
  return shifts.toSorted((a, b) => b.value - a.value);
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

function partOfPaints(name: string, times: readonly number[]): Measurement {
  const value = p95(times);
  return {
    name,
    value,
    unit: 'ms p95',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n: times.length,
    goal: `value <= ${MAX_PAINT_MS}`,
    met: value <= MAX_PAINT_MS,
  };
}

function describePaints(name: string, times: readonly number[]): string {
  return `${name}: median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;
}

function partOfShifts(shifts: readonly Shift[]): Measurement {
  const value = shifts[0]?.value ?? Number.NaN;
  return {
    name: 'web-paint layout shift',
    value,
    unit: 'of the worst page',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n: shifts.length,
    goal: `value < ${LAYOUT_SHIFT_BELOW}`,
    met: value < LAYOUT_SHIFT_BELOW,
  };
}

function describeShifts(shifts: readonly Shift[]): string {
  return shifts
    .slice(0, 3)
    .map(({ page, value }) => `${page}: ${value.toFixed(3)}`)
    .join(', ');
}
