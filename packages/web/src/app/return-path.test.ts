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

test('takeRememberedPage returns the remembered page only once', () => {
  expect(comeBackFrom('/app/search?q=a#b')).toBe('/app/search?q=a#b');
  expect(takeRememberedPage()).toBeUndefined();
});

test.each(['/', '/v1/layers', '/application', '//evil.example/app/', '/app/'])(
  'takeRememberedPage does not return %s',
  (page) => {
    expect(comeBackFrom(page)).toBeUndefined();
  },
);

test.each(['/app/search', '/app/?q=a'])('visiting %s keeps the remembered page', (page) => {
  visit('/app/layers');
  rememberPage();
  visit(page);
  expect(takeRememberedPage()).toBeUndefined();
  visit('/app/');
  expect(takeRememberedPage()).toBe('/app/layers');
});

test('takeRememberedPage returns undefined if the sign-in took 15 minutes or longer', () => {
  vi.useFakeTimers();
  visit('/app/layers');
  rememberPage();
  vi.advanceTimersByTime(15 * 60 * 1000);
  visit('/app/');
  expect(takeRememberedPage()).toBeUndefined();
});
