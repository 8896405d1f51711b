import { expect, test } from 'vitest';
import { hostileManifest } from '@catalog/testkit/hostile-manifests';
import { readArtifact, type ArtifactReading } from '../artifact/read-artifact.ts';
import { isLintCode } from '../lint/rules.ts';

const COUNT = 3_000;
const MAX_CPU_MS = 100;

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function read(bytes: Uint8Array, as: 'artifact' | 'skill' | 'bare skill'): ArtifactReading {
  const artifact = Buffer.from('---\ntype: skill\nversion: 1.0.0\n---\n');
  return readArtifact({
    id: 'a/b',
    layer: 'l',
    manifest: as === 'artifact' ? bytes : as === 'skill' ? artifact : undefined,
    skill: as === 'artifact' ? undefined : bytes,
    resources: [],
  });
}

test('readArtifact reads or rejects hostile manifests with a code, each within the time limit', () => {
  const random = numbers(20_240_101);
  const places = ['artifact', 'skill', 'bare skill'] as const;
  const outcomes = { ok: 0, refused: 0 };
  for (let index = 0; index < COUNT; index += 1) {
    const { name, bytes } = hostileManifest(random);
    const started = process.threadCpuUsage();
    const reading = read(bytes, places[index % 3] ?? 'artifact');
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000, name).toBeLessThan(MAX_CPU_MS);
    outcomes[reading.kind] += 1;
    const found = reading.kind === 'ok' ? reading.diagnostics : reading.problems;
    expect(
      found.filter(({ code }) => !isLintCode(code)),
      name,
    ).toEqual([]);
    if (reading.kind === 'refused') expect(found.length, name).toBeGreaterThan(0);
  }
  // The generator must produce enough valid and invalid manifests.
  expect(outcomes.ok).toBeGreaterThan(COUNT / 20);
  expect(outcomes.refused).toBeGreaterThan(COUNT / 2);
  expect('polluted' in {}).toBe(false);
});
