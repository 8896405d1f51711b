import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import type { HarnessAdapter } from './adapter.ts';
import { pi } from './adapters/pi/index.ts';
import { planWorkspace } from './plan.ts';
import { writeText } from './place/write-files.ts';

function hook(id: string): Artifact {
  return artifactOf(id, {
    'ARTIFACT.md': '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: "true"\n---\n',
  });
}

const SHARED = '.catalog/hooks/pi.mjs';

function ownersOf(adapters: readonly HarnessAdapter[]): string[][] {
  const requests = adapters.map((adapter, index) => ({
    adapter,
    artifacts: [hook(`ops/one-${index}`), hook(`ops/other-${index}`)],
  }));
  return planWorkspace(requests, { on_clash: 'fail' }).map(({ files }) =>
    files.filter(({ path }) => path === SHARED).map(({ artifact_id }) => artifact_id),
  );
}

test('writes the shared file of all hooks once per target', () => {
  expect(ownersOf([pi])).toEqual([['ops/one-0']]);
  expect(ownersOf([pi, pi])).toEqual([['ops/one-0'], ['ops/one-1']]);
});

test('reports a clash of two different shared files', () => {
  const other: HarnessAdapter = {
    ...pi,
    place: {
      ...pi.place,
      hook: () => [{ ...writeText(SHARED, 'something else'), shared: true }],
    },
  };
  expect(() => ownersOf([pi, other])).toThrow(SHARED);
});
