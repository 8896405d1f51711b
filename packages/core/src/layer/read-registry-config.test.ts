import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readRegistryConfig } from './read-registry-config.ts';

function refusal(text: string) {
  try {
    readRegistryConfig(text, '/reg/.registry-config');
  } catch (error) {
    if (error instanceof CatalogError) {
      const { code, message, details, suggested_action } = error;
      return { code, message, details, suggested_action };
    }
    throw error;
  }
  return undefined;
}

describe('readRegistryConfig', () => {
  test.each([
    ['', { multi_layer: false, layer_order: [] }],
    ['# nothing yet\n', { multi_layer: false, layer_order: [] }],
    ['multi_layer: true\n', { multi_layer: true, layer_order: [] }],
    [
      'multi_layer: true\nlayer_order: [base, 2024]\n',
      { multi_layer: true, layer_order: ['base', '2024'] },
    ],
    ['\uFEFFmulti_layer: true\r\n', { multi_layer: true, layer_order: [] }],
  ])('reads %j', (text, expected) => {
    expect(readRegistryConfig(text, 'f')).toEqual(expected);
  });

  test('reports the position of an unknown key', () => {
    expect(refusal('multi_layer: true\nlayer_oder: [base]\n')).toEqual({
      code: 'config.invalid',
      message: '/reg/.registry-config:2:1: Unknown key `layer_oder`.',
      details: { file: '/reg/.registry-config', line: 2, column: 1, excerpt: 'layer_oder: [base]' },
      suggested_action: 'Did you mean `layer_order`?',
    });
  });

  test.each([
    ['multi_layer: yes\n', ':1:1: `multi_layer` must be true or false, but is `yes`.'],
    ['layer_order: base\n', ':1:1: `layer_order` must be a list, but is `base`.'],
    [
      'layer_order:\n  - [base]\n',
      ':2:5: `layer_order[0]` must be a string of up to 1024 characters, but is a list.',
    ],
    ['multi_layer: true\nmulti_layer: false\n', ':2:1: The same key is given twice.'],
    ['- multi_layer\n', ':1:1: The YAML is not a mapping of keys to values.'],
    [`a: ${'['.repeat(1000)}`, ':1:35: Values are nested more than 32 levels deep.'],
    [
      '__proto__: {multi_layer: true}\n',
      ':1:1: A key is `__proto__`, `constructor` or `prototype`.',
    ],
  ])('rejects %j', (text, message) => {
    expect(refusal(text)).toMatchObject({
      code: 'config.invalid',
      message: `/reg/.registry-config${message}`,
    });
  });
});
