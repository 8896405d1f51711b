import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, test } from 'vitest';
import { openDiagnostics } from './diagnostics.ts';

test('text of registries and artifacts cannot forge a log line', () => {
  let log = '';
  const { note, problem, failure } = openDiagnostics((text) => (log += text));
  note('a\ncatalog-mcp: forged\u001B[2K');
  problem('b\r\nforged');
  failure(new CatalogError('registry.unknown', 'c\n next: forged', { suggested_action: 'd\n e' }));
  expect(log.split('\n')).toEqual([
    String.raw`catalog-mcp: a\ncatalog-mcp: forged\u{1b}[2K`,
    String.raw`catalog-mcp: b\r\nforged`,
    String.raw`error: c\n next: forged`,
    ' code: registry.unknown',
    String.raw` next: d\n e`,
    '',
  ]);
});
