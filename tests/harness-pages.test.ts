import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { registerMcp } from '@catalog/harness/mcp-registration';
import { HARNESS_NAMES } from '@catalog/harness/product-names';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import { describe, expect, test } from 'vitest';
import { HARNESS_PAGES, harnessGuidePages } from '../tools/docs/guide-pages.ts';
import { harnessesPage } from '../tools/docs/harnesses-page.ts';
import { readSteps } from './e2e/guide-page.ts';
import { verifies } from '@catalog/testkit/verifies';

const ROOT = join(import.meta.dirname, '..');

function pageOf(harness: string): string {
  return readFileSync(join(ROOT, HARNESS_PAGES, `${harness}.md`), 'utf8');
}

describe('harness pages', () => {
  test('exist only for existing harnesses', () => {
    const unknown = readdirSync(join(ROOT, HARNESS_PAGES))
      .map((name) => name.replace(/\.md$/, ''))
      .filter(
        (name) =>
          pageOf(name).includes('<!-- begin landings, by ./dev docs -->') && !adapters.has(name),
      );
    expect(unknown).toEqual([]);
  });

  test.each(harnessGuidePages(ROOT))('$path is in the list of pages', ({ path }) => {
    expect(pageOf('README')).toContain(`](${basename(path)})`);
  });

  test.each(harnessGuidePages(ROOT))(
    '$path has the facts of the adapter',
    ({ present, wanted }) => {
      expect(present).toBe(wanted);
    },
  );

  test.each(harnessGuidePages(ROOT))('$path has every section', ({ present }) => {
    for (const part of [
      '<!-- begin landings, by ./dev docs -->',
      '<!-- begin odd, by ./dev docs -->',
      '\n## Check it\n',
    ]) {
      expect(present).toContain(part);
    }
  });

  test.each(harnessGuidePages(ROOT))(
    '$path shows a file tree if the harness supports any type',
    (page) => {
      const { destinations } = loadAdapter(basename(page.path, '.md'));
      const drawn = page.present.includes('<!-- begin tree, by ./dev docs -->');
      expect(drawn).toBe(Object.keys(destinations).length > 0);
    },
  );

  test.each(harnessGuidePages(ROOT))(
    '$path has a table of hooks if the harness supports any',
    (page) => {
      const { hook_events, user } = loadAdapter(basename(page.path, '.md'));
      const takes = (events: object = {}): boolean =>
        Object.values(events).some((native) => native !== undefined);
      const has = (name: string): boolean => page.present.includes(`<!-- begin ${name}, by`);
      expect(has('events')).toBe(takes(hook_events));
      expect(has('homeevents')).toBe(!takes(hook_events) && takes(user?.hook_events));
    },
  );

  verifies('HF-08', 'describe when hooks run, for harness-f and for codex', () => {
    for (const harness of ['harness-f', 'codex']) {
      expect(pageOf(harness)).toContain(
        'Hooks run in its interactive mode, and not in its non-interactive exec mode',
      );
    }
  });
});

verifies(
  ['MCPCFG-08', 'MCPCFG-09'],
  'explain in the capability matrix where MCP servers are not supported, and the alternative',
  () => {
    const page = harnessesPage();
    const sectionOf = (id: string): string => page.split(`### ${id}\n`)[1]?.split('### ')[0] ?? '';
    expect(sectionOf('harness-c')).toMatch(/`catalog mcp config` does not apply: .*marketplace/);
    expect(sectionOf('harness-h')).toMatch(/`catalog mcp config` does not apply: .*catalog sync/);
    expect(sectionOf('harness-a')).not.toContain('does not apply');
  },
);

test('the guide adds a harness in fewer than 60 lines', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/write-an-adapter.md'), 'utf8');
  const adapter = readSteps(page).find(
    (step) => step.kind === 'file' && step.path.endsWith('.mjs'),
  );
  if (adapter?.kind !== 'file') throw new Error('the page has no adapter');
  expect(adapter.text.trimEnd().split('\n').length).toBeLessThan(60);
});

const isNeutral = (id: string): boolean => /^harness-[a-i]$/.test(id);

test('every product has a display name', () => {
  const products = [...adapters.keys()].filter((id) => id !== 'none' && !isNeutral(id));
  expect(Object.keys(HARNESS_NAMES).toSorted()).toEqual(products.toSorted());
});

test('the guide to MCP contains the file of every harness that runs servers', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/mcp.md'), 'utf8');
  const [, setUp = ''] = page.split(/^## /m);
  const rows = setUp.split('\n').filter((line) => line.startsWith('|'));
  const row = (id: string): string => rows.find((line) => line.includes(`\`${id}\``)) ?? '';
  for (const { id, mcp_config } of adapters.values()) {
    if ('refused' in mcp_config) {
      expect(row(id)).toBe('');
      continue;
    }
    const { path } = registerMcp(loadAdapter(id), {
      registry: undefined,
      scope: undefined,
      system: 'linux',
    });
    // Only the page of a harness shows its neutral id.
    expect(isNeutral(id) ? pageOf(id) : row(id)).toContain(path);
  }
});
