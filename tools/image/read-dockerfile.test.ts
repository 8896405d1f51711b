import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDockerfile } from './read-dockerfile.ts';

describe('a Dockerfile', () => {
  test('is read from its last stage', () => {
    const recipe = readDockerfile(
      [
        'FROM a AS build',
        'RUN never',
        'FROM b',
        '# why',
        'RUN apt-get update \\',
        '  && apt-get install -y --no-install-recommends git tini \\',
        '  && rm -rf /x',
        'RUN touch /y',
        'COPY --from=build /build/dist /usr/lib/z',
        'ENV A=b',
        'ENV C=--d=1',
        'USER 7:8',
        'WORKDIR /w',
        'HEALTHCHECK --interval=1s CMD ["true"]',
        'ENTRYPOINT ["tini", "--"]',
        'CMD ["serve"]',
      ].join('\n'),
    );
    expect(recipe).toEqual({
      packages: ['git', 'tini'],
      commands: ['touch /y'],
      copies: [{ from: 'dist', to: '/usr/lib/z' }],
      environment: { A: 'b', C: '--d=1' },
      user: '7:8',
      folder: '/w',
      start: ['tini', '--', 'serve'],
      healthcheck: ['true'],
    });
  });

  test('that says what is not understood is refused', () => {
    expect(() => readDockerfile('FROM a\nVOLUME /x')).toThrow('VOLUME');
    expect(() => readDockerfile('FROM a\nCOPY . /x')).toThrow('not from its build stage');
  });

  test('of the registry starts as nobody special', () => {
    const path = join(import.meta.dirname, '../../deploy/Dockerfile');
    const recipe = readDockerfile(readFileSync(path, 'utf8'));
    expect(recipe.user).toBe('10001:10001');
    expect(recipe.start).toEqual(['tini', '--', 'catalog', 'serve']);
  });
});
