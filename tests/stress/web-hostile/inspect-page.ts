import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Page } from 'playwright-core';
import { TRACE } from './payloads.ts';

interface Inspection {
  title: string;
  problems: string[];
  /** Every text that a reader can see or hear: text nodes, labels, titles and alternatives. */
  texts: string[];
}

/**
 * Runs in the page. The header, the tabs and the controls must be the elements that receive a click
 * at their position. Content must not contain an element or attribute with an active effect.
 */
const INSPECT = `
  const problems = [];
  const main = document.querySelector('#root > main, main');
  if (window.${TRACE} !== undefined) problems.push('a script of the content ran');
  for (const violation of window.__violations ?? []) problems.push('policy violation: ' + violation);
  if (document.getElementById('main') !== main || main?.tagName !== 'MAIN') problems.push('#main is not ours');
  if (document.querySelectorAll('#root > header').length !== 1) problems.push('another header');
  if (document.querySelectorAll('main').length !== 1) problems.push('another main');
  if (document.querySelectorAll('h1').length > 1) problems.push('another h1');
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) problems.push('two elements have the id ' + id);
  for (const element of document.querySelectorAll('[data-prose] [id]')) {
    if (element.matches('button[aria-label^="Copy the code"]')) continue;
    if (!element.id.startsWith('text-')) problems.push('content has the id ' + element.id);
  }
  if (document.querySelector('[data-prose] header') !== null) problems.push('content has a header');
  const ACTIVE = 'script, style, iframe, object, embed, base, meta, link, form, dialog, template, video, audio, [popover], svg script, svg foreignObject';
  for (const element of main?.querySelectorAll(ACTIVE) ?? []) {
    const isOurs = ['FORM', 'TEMPLATE'].includes(element.tagName) && element.closest('[data-prose], pre') === null;
    if (isOurs) continue;
    problems.push('content has the element ' + element.tagName);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const { name } of element.attributes) if (/^on/i.test(name)) problems.push('attribute ' + name);
  }
  for (const element of document.querySelectorAll('[data-prose] *')) {
    if (element.hasAttribute('style') || element.hasAttribute('name')) problems.push('content has style or name: ' + element.outerHTML.slice(0, 100));
  }
  for (const link of document.querySelectorAll('a[href]')) {
    // The protocol of a URL that cannot be parsed is a colon alone.
    if (link.protocol === ':') continue;
    if (!['http:', 'https:', 'mailto:'].includes(link.protocol)) problems.push('link to ' + link.href.slice(0, 100));
    else if (link.protocol !== 'mailto:' && link.origin !== location.origin && !/noopener.*noreferrer/.test(link.rel)) problems.push('link without rel: ' + link.href);
    else if (link.origin === location.origin && link.target !== '_blank' && !link.pathname.startsWith('/app/') && !link.pathname.startsWith('/objects/') && !link.pathname.startsWith('/v1/')) problems.push('link out of the app: ' + link.href);
    else if (link.closest('[data-prose]') && link.origin === location.origin && link.target !== '_blank' && !link.pathname.startsWith('/app/')) problems.push('content links out of the app: ' + link.href);
  }
  for (const image of document.querySelectorAll('img')) {
    if (image.src !== '' && !image.src.startsWith('blob:' + location.origin)) problems.push('image from ' + image.src.slice(0, 100));
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) problems.push('content makes the page wider by ' + (document.documentElement.scrollWidth - document.documentElement.clientWidth));
  const covered = (selector) => {
    for (const element of document.querySelectorAll(selector)) {
      const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
      if (width < 8 || height < 8 || top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) continue;
      for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [left + 4, (top + bottom) / 2], [right - 4, (top + bottom) / 2]]) {
        const hit = document.elementFromPoint(x, y);
        if (hit === null || !(element.contains(hit) || (hit.contains(element) && hit.closest('#root > header, nav, main aside') !== null))) {
          problems.push(element.outerHTML.slice(0, 80) + ' is covered by ' + (hit?.outerHTML.slice(0, 80) ?? 'nothing'));
          break;
        }
      }
    }
  };
  scrollTo(0, document.documentElement.scrollHeight);
  covered('#root > header :is(a, button, input)');
  scrollTo(0, 0);
  covered('#root > header :is(a, button, input), nav[aria-label=Artifact] a, main aside button');
  const bar = document.querySelector('#root > header')?.getBoundingClientRect();
  if (bar?.top !== 0 || bar.height !== 57 && bar.height !== 56) problems.push('the header moved');
  if (document.body.textContent.includes('This page could not be shown')) problems.push('the page crashed: ' + main.textContent.slice(0, 200));
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const element of document.querySelectorAll('[title], [aria-label], [alt]')) {
    for (const name of ['title', 'aria-label', 'alt']) if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
  }
  return { title: document.title, problems, texts };
`;

/** Records policy violations from the start of every document. */
export const RECORD_VIOLATIONS = `
  window.__violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.__violations.push(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
  });
`;

export interface LoadedPage {
  title: string;
  ready: string;
}

const LOAD_TIMEOUT_MS = 30_000;

/**
 * Waits until a page has loaded, and lists its problems. `open` is a path to navigate to first,
 * like a link of the application. A single evaluation does everything, because each takes a round
 * trip, and `waitForFunction` would need a policy that allows `eval`.
 */
export async function inspectPage(
  page: Page,
  { title, ready, open }: LoadedPage & { open?: string },
): Promise<string[]> {
  const inspection = await page.evaluate<Inspection | string>(`(async () => {
    const path = ${JSON.stringify(open ?? null)};
    if (path !== null) history.pushState(null, '', path);
    const deadline = performance.now() + ${LOAD_TIMEOUT_MS};
    while (
      document.title !== ${JSON.stringify(title)} ||
      document.querySelector(${JSON.stringify(ready)}) === null ||
      document.querySelector('main [data-skeleton]') !== null
    ) {
      if (performance.now() > deadline) return document.querySelector('main')?.innerText ?? 'nothing';
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    ${INSPECT}
  })()`);
  if (typeof inspection === 'string') return [`the page did not load: ${inspection.slice(0, 300)}`];
  const unescaped = [...inspection.texts, inspection.title].filter(
    (text) => escapeControls(text, 'lines') !== text,
  );
  return [
    ...inspection.problems,
    ...unescaped.map((text) => `unescaped characters: ${escapeControls(text).slice(0, 120)}`),
  ];
}

export async function hasTrace(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`window.${TRACE} !== undefined`);
}
