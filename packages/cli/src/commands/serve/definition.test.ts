import { describe, expect, test } from 'vitest';
import type { Setting } from '@catalog/server/config/setting';
import { SETTINGS } from '@catalog/server/config/settings';
import type { FlagDefinition } from '../../command/definition.ts';
import { serveDefinition } from './definition.ts';

const { config: _file, ...flags }: Record<string, FlagDefinition> = serveDefinition.flags;

describe('flags of catalog serve', () => {
  test('match the settings that have a flag', () => {
    const named = Object.values<Setting>(SETTINGS).flatMap(({ flag }) => flag ?? []);
    expect(Object.keys(flags).toSorted()).toEqual(named.toSorted());
  });

  test.each(Object.entries<Setting>(SETTINGS).filter(([, { flag }]) => flag !== undefined))(
    'have the same environment variable, type and default as the setting %s',
    (_, { flag = '', env, default: value }) => {
      expect(flags[flag]?.env).toBe(env?.[0]);
      expect(flags[flag]?.type).toBe(typeof value === 'boolean' ? 'switch' : 'text');
      if (typeof value === 'string') expect(flags[flag]?.default).toBe(value);
    },
  );
});
