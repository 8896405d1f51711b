import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDockerfile } from './read-dockerfile.ts';

describe('readDockerfile', () => {
  test('reads the last stage', () => {
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

  test('rejects an unknown instruction and a copy from outside the build stage', () => {
    expect(() => readDockerfile('FROM a\nVOLUME /x')).toThrow('VOLUME');
    expect(() => readDockerfile('FROM a\nCOPY . /x')).toThrow('not from its build stage');
  });

  test('reads an unprivileged user from the Dockerfile of the registry', () => {
    const path = join(import.meta.dirname, '../../deploy/Dockerfile');
    const recipe = readDockerfile(readFileSync(path, 'utf8'));
    expect(recipe.user).toBe('10001:10001');
    expect(recipe.start).toEqual(['tini', '--', 'catalog', 'serve']);
  });
});
