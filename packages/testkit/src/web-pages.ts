import type { loadDomain, searchArtifacts } from '@catalog/contract/endpoints/discovery';
import type { listLayers } from '@catalog/contract/endpoints/layers';
import type { ResponseOf } from '@catalog/sdk/call';
import type { Page } from 'playwright-core';

export interface WebPage {
  name: string;
  /** Path below `/app/`. */
  path: string;
}

export async function listWebPages(url: string): Promise<WebPage[]> {
  const get = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(`${url}${path}`);
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return JSON.parse(await response.text());
  };
  const find = async (type: string): Promise<string | undefined> => {
    const path = `/v1/search_artifacts?type=${type}&top_k=1`;
    const { results } = await get<ResponseOf<typeof searchArtifacts>>(path);
    return results[0]?.id;
  };
  const hook = await find('hook');
  const { subdomains } = await get<ResponseOf<typeof loadDomain>>('/v1/load_domain?path=');
  const { layers } = await get<ResponseOf<typeof listLayers>>('/v1/layers');
  return [
    { name: 'home', path: '' },
    { name: 'browse', path: 'browse' },
    ...subdomains.slice(0, 1).map(({ path }) => ({ name: 'domain', path: `browse/${path}` })),
    { name: 'all-artifacts', path: 'search' },
    { name: 'search', path: 'search?q=prepare+a+release' },
    { name: 'nothing-found', path: 'search?q=zzqx&type=hook' },
    ...listArtifactPages(await find('skill')),
    ...(hook === undefined ? [] : [{ name: 'hook', path: `artifacts/${hook}` }]),
    { name: 'missing-artifact', path: 'artifacts/ops/nothing' },
    { name: 'layers', path: 'layers' },
    ...layers.slice(0, 1).map(({ id }) => ({ name: 'layer', path: `layers/${id}` })),
    { name: 'add-layer', path: 'layers/new' },
    { name: 'account', path: 'account' },
    { name: 'not-found', path: 'no/such/page' },
  ];
}

function listArtifactPages(id: string | undefined): WebPage[] {
  if (id === undefined) return [];
  const tabs = ['files', 'versions', 'harnesses', 'provenance'];
  return [
    { name: 'artifact', path: `artifacts/${id}` },
    ...tabs.map((tab) => ({ name: tab, path: `artifacts/${id}?tab=${tab}` })),
  ];
}

export async function untilSettled(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}

/** Returns the layout shift of a page, without shifts after input. */
export function readLayoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const add = (sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value);
    let sum = 0;
    const observer = new PerformanceObserver((list) => (sum = list.getEntries().reduce(add, sum)));
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => {
      observer.disconnect();
      resolve(sum);
    }, 50));
  })`);
}
