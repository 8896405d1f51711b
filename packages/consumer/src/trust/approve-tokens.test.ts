import { expect, test } from 'vitest';
import type { Config } from '../config/types.ts';
import { requireNamedByUser } from './approve-tokens.ts';

type Named = Pick<Config, 'registry' | 'files'>;
type Kind = NonNullable<Named['registry']>['origin']['kind'];

function configOf(kind: Kind, value: string, own?: string): Named {
  const content = own === undefined ? {} : { defaults: { registry: own } };
  const origin = { kind: 'user', name: '~/.catalog/sync.yaml' } as const;
  return {
    registry: { value, origin: { kind, name: kind } },
    files: [{ content, origin, path: '/sync.yaml', base: '/', hash: '' }],
  };
}

const REGISTRY = 'https://catalog.example/team';

test.each<[Kind, string | undefined]>([
  ['env', undefined],
  ['flag', undefined],
  ['user', undefined],
  ['workspace', 'https://catalog.example'],
])('a token of the environment is sent to a registry from %s; own file: %s', (kind, own) => {
  expect(() => requireNamedByUser(configOf(kind, REGISTRY, own), 'CATALOG_TOKEN')).not.toThrow();
});

test.each([undefined, 'https://other.example', 'http://catalog.example', 'not a URL'])(
  'a token of the environment is not sent to a registry that only the workspace names; own file: %s',
  (own) => {
    expect(() => requireNamedByUser(configOf('workspace', REGISTRY, own), 'CATALOG_TOKEN')).toThrow(
      'CATALOG_TOKEN is not sent to https://catalog.example',
    );
  },
);
