import { describe, expect, test } from 'vitest';
import { readLayerConfig } from './read-layer-config.ts';

describe('readLayerConfig', () => {
  test.each([
    ['', { public: false, organization: false, groups: [], users: [] }],
    ['visibility:\n', { public: false, organization: false, groups: [], users: [] }],
    ['visibility: {public: true}\n', { public: true, organization: false, groups: [], users: [] }],
    [
      'visibility:\n  organization: true\n  groups: [ops]\n  users: [ann@example.com]\n',
      { public: false, organization: true, groups: ['ops'], users: ['ann@example.com'] },
    ],
  ])('reads %j', (text, visibility) => {
    expect(readLayerConfig(text, 'f')).toEqual({ visibility });
  });

  test.each([
    ['visibilty: {public: true}\n', 'f:1:1: Unknown key `visibilty`.'],
    ['visibility: {pubic: true}\n', 'f:1:14: Unknown key `pubic`.'],
    [
      'visibility: {public: "true"}\n',
      'f:1:14: `visibility.public` must be true or false, but is `true`.',
    ],
    ['visibility: public\n', 'f:1:1: `visibility` must be a map, but is `public`.'],
  ])('rejects %j', (text, message) => {
    expect(() => readLayerConfig(text, 'f')).toThrow(
      expect.objectContaining({ code: 'config.invalid', message }),
    );
  });

  test('returns separate objects for two files', () => {
    const [one, two] = [readLayerConfig('', 'f'), readLayerConfig('', 'f')];
    expect(one.visibility).not.toBe(two.visibility);
    expect(one.visibility.groups).not.toBe(two.visibility.groups);
  });
});
