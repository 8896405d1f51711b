import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { adapters, harnessCapabilities, loadAdapter } from './registry.ts';

test('loadAdapter returns an adapter by its id', () => {
  expect(loadAdapter('harness-a').id).toBe('harness-a');
});

verifies('ERR-23', 'rejects an unknown harness and suggests the nearest name', () => {
  const error = refusal('harnes-a');
  expect(error.code).toBe('config.unknown_harness');
  expect(error.message).toContain('Did you mean harness-a?');
  expect(error.details).toEqual({
    harness: 'harnes-a',
    available: [...adapters.keys()],
    did_you_mean: 'harness-a',
  });
  expect(refusal('something else').message).not.toContain('Did you mean');
  expect(refusal('__proto__').code).toBe('config.unknown_harness');
});

test.each([
  ['claude', 'Did you mean claude-code, claude-desktop or claude-cowork?'],
  ['gemini', 'Did you mean gemini-cli?'],
  ['Gemini', 'Did you mean gemini-cli?'],
  ['vscode', 'Did you mean copilot?'],
  ['codex-cli', 'Did you mean codex?'],
  ['windsurf', 'Did you mean devin?'],
])('suggests only the harnesses that %s abbreviates', (id, suggestion) => {
  expect(refusal(id).message).toBe(`Unknown harness "${id}". ${suggestion}`);
});

test('suggests alternatives for a product without an adapter', () => {
  const { message, suggested_action } = refusal('trae');
  expect(message).toBe('Unknown harness "trae".');
  for (const way of ['catalog harness list', '--harness agents-md', 'write an adapter']) {
    expect(suggested_action).toContain(way);
  }
});

test.each(['roo', 'Roo-Code'])(
  'loadAdapter reports that %s shut down and suggests no other harness',
  (id) => {
    const { message, details, suggested_action } = refusal(id);
    expect(message).toBe(`Unknown harness "${id}": Roo Code shut down in May 2026.`);
    expect(details).not.toHaveProperty('did_you_mean');
    expect(suggested_action).toContain('catalog harness list');
  },
);

function refusal(id: string): CatalogError {
  try {
    loadAdapter(id);
  } catch (error) {
    if (error instanceof CatalogError) return error;
  }
  throw new Error('was not refused');
}

test('the capability matrix has a column for every adapter', () => {
  const matrix = harnessCapabilities();
  expect([...matrix.keys()]).toEqual([...adapters.keys()]);
  expect(matrix.get('harness-a')?.cells['rule_mode:always']).toBe('native');
  expect(matrix.get('harness-a')?.cells['rule_mode:auto']).toEqual({
    support: 'fallback',
    reason: 'harness-a has no rules of this mode, so the rule is loaded always',
  });
  expect(Object.values(matrix.get('none')?.cells ?? {})).not.toContain('unsupported');
});

test('reports support in the home directory only as a fallback', () => {
  const matrix = harnessCapabilities();
  expect(loadAdapter('hermes').capabilities['hook_event:stop']).toBe('unsupported');
  expect(matrix.get('hermes')?.cells['hook_event:stop']).toMatchObject({
    support: 'fallback',
    reason: expect.stringContaining('use --scope user'),
  });
  expect(matrix.get('hermes')?.cells['hook_event:pre_compact']).toMatchObject({
    support: 'unsupported',
  });
});
