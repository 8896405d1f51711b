import { describe, expect, test } from 'vitest';
import { readManifest } from './sync-calls.ts';

function rulesIn(executable_content: unknown): unknown {
  const text = JSON.stringify({ artifacts: [], rejected: [], executable_content });
  return readManifest(Buffer.from(text))?.executable_content;
}

describe('executable content policy in a manifest', () => {
  test('is returned unchanged if the policy is valid', () => {
    const rules = [{ policy: 'ask' }, { policy: 'deny', layer: 'base', kinds: ['hook', 'new'] }];
    expect(rulesIn(rules)).toEqual(rules);
    expect(rulesIn(undefined)).toBeUndefined();
  });

  test.each([
    ['a policy that would loosen', [{ policy: 'allow' }]],
    ['a policy of a later version', [{ policy: 'quarantine', layer: 'base' }]],
    ['kinds that are not a list', [{ policy: 'deny', kinds: 'hook' }]],
    ['a layer that is not a name', [{ policy: 'deny', layer: 1 }]],
    ['no rule', ['deny']],
    ['no list', { policy: 'deny' }],
    ['null', null],
  ])('becomes "ask" for everything if the policy contains %s', (_, rules) => {
    expect(rulesIn(rules)).toEqual([{ policy: 'ask' }]);
  });
});
