import * as fc from 'fast-check';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { expect, test } from 'vitest';
import { yamlList, yamlScalar } from './yaml-scalar.ts';

const readable = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from(' aB1:#-?,[]{}&*!|>\'"%@`~./\\+()')) }),
  fc.constantFrom('true', 'No', 'null', '~', '1.0', '0x1f', '2024-01-01', '- a', 'a: b', '.inf'),
  fc.stringMatching(/^[\x20-\x7e\u00e0-\u024f]{1,40}$/),
);

test('yamlScalar writes any string so that it parses back to the same value', () => {
  fc.assert(
    fc.property(readable, (text) => {
      expect(readYaml(`key: ${yamlScalar(text)}\n`)).toEqual({
        kind: 'ok',
        values: expect.objectContaining({ key: text }),
      });
    }),
  );
});

test('yamlScalar writes any list so that it parses back to the same value', () => {
  fc.assert(
    fc.property(fc.array(readable, { maxLength: 4 }), (list) => {
      expect(readYaml(`key: ${yamlList(list)}\n`)).toEqual({
        kind: 'ok',
        values: expect.objectContaining({ key: list }),
      });
    }),
  );
});

test.each(['./registry', 'harness-a', 'npx:wh-mcp', 'http://127.0.0.1:8080', 'src/**'])(
  '%s needs no quotes',
  (text) => {
    expect(yamlScalar(text)).toBe(text);
  },
);
