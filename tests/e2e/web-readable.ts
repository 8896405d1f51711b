import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findSeriousProblems } from './web-accessibility.ts';

const WIDTHS = [360, 768, 1280, 1920];
const HEIGHT = 900;
const isWriting = process.env['CATALOG_SCREENSHOTS'] === 'write';
const DRAWN = join(import.meta.dirname, '../../.cache/web-screenshots');

/** Checks four widths, light and dark. Saves an image for `./dev screenshots`. */
export async function expectReadable(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
      expect(await listCutControls(page), `${name} at ${width}`).toEqual([]);
      if (!isWriting) continue;
      mkdirSync(DRAWN, { recursive: true });
      await page.screenshot({ path: join(DRAWN, `${name}-${width}-${colorScheme}.png`) });
    }
    expect(await findSeriousProblems(page), `${name} in ${colorScheme}`).toEqual([]);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Lists controls that extend beyond the window and cannot be scrolled into view. */
function listCutControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const scrolls = (element) =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll('main :is(a, button, input, select)')]
      .filter((control) => control.getBoundingClientRect().right > innerWidth + 1)
      .filter((control) => !scrolls(control.parentElement))
      .map((control) => control.textContent || control.tagName);
  })()`);
}
