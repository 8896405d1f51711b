import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberPage, takeRememberedPage } from './return-path.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function visit(page: string): void {
  const { pathname, search, hash } = new URL(page, 'https://catalog.example.com');
  vi.stubGlobal('location', { pathname, search, hash });
}

function comeBackFrom(page: string): string | undefined {
  visit(page);
  rememberPage();
  visit('/app/');
  return takeRememberedPage();
}

test('the page before the sign-in is returned once', () => {
  expect(comeBackFrom('/app/search?q=a#b')).toBe('/app/search?q=a#b');
  expect(takeRememberedPage()).toBeUndefined();
});

test.each(['/', '/v1/layers', '/application', '//evil.example/app/', '/app/'])(
  '%s is not a page to return to',
  (page) => {
    expect(comeBackFrom(page)).toBeUndefined();
  },
);

test.each(['/app/search', '/app/?q=a'])('a visit of %s keeps the remembered page', (page) => {
  visit('/app/layers');
  rememberPage();
  visit(page);
  expect(takeRememberedPage()).toBeUndefined();
  visit('/app/');
  expect(takeRememberedPage()).toBe('/app/layers');
});

test('a sign-in that took longer than 15 minutes ends on the home page', () => {
  vi.useFakeTimers();
  visit('/app/layers');
  rememberPage();
  vi.advanceTimersByTime(15 * 60 * 1000);
  visit('/app/');
  expect(takeRememberedPage()).toBeUndefined();
});
