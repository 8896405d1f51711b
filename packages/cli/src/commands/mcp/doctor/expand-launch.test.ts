import { expect, test } from 'vitest';
import { expandLaunch } from './expand-launch.ts';

const VARIABLES = { URL: 'https://catalog.example.com', HOME: '/home/bob', EMPTY: '' };

function expanded(value: string) {
  const { launch, problems } = expandLaunch(
    { command: 'catalog-mcp', args: [], env: { CATALOG_REGISTRY: value } },
    VARIABLES,
  );
  return { value: launch.env['CATALOG_REGISTRY'], problems: problems.map(({ what }) => what) };
}

test.each([
  ['${URL}', VARIABLES.URL],
  ['${env:URL}/team', `${VARIABLES.URL}/team`],
  ['{env:URL}', VARIABLES.URL],
  ['${OTHER:-http://127.0.0.1:8080}', 'http://127.0.0.1:8080'],
  ['${URL:-http://127.0.0.1:8080}', VARIABLES.URL],
  ['${EMPTY}', ''],
  ['https://catalog.example.com/$1', 'https://catalog.example.com/$1'],
])('expands %s in an entry to %s', (value, wanted) => {
  expect(expanded(value)).toEqual({ value: wanted, problems: [] });
});

test('reports a problem if an environment variable is not set', () => {
  expect(expanded('${NO_SUCH}')).toEqual({
    value: '',
    problems: [expect.stringContaining('NO_SUCH, which is not set here')],
  });
});

test('expands environment variables in the program and its arguments', () => {
  const launch = { command: '${HOME}/bin/catalog-mcp', args: ['--http', '${PORT:-0}'], env: {} };
  expect(expandLaunch(launch, VARIABLES).launch).toEqual({
    command: '/home/bob/bin/catalog-mcp',
    args: ['--http', '0'],
    env: {},
  });
});
