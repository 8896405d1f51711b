import type { ArtifactFields } from '@catalog/core/artifact/types';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeCompatibility } from './compatibility.ts';

function fields(rest: Partial<ArtifactFields>): ArtifactFields {
  return { type: 'skill', version: '1.0.0', ...rest };
}

test.each<[Partial<ArtifactFields>, string | undefined]>([
  [{}, undefined],
  [{ runtime_requirements: {} }, undefined],
  [{ runtime_requirements: { system_packages: [] } }, undefined],
  [{ runtime_requirements: { python: '>=3.11' } }, 'Requires Python >=3.11.'],
  [{ sandbox_profile: 'read-only-fs' }, 'Sandbox profile: read-only-fs.'],
  [
    {
      runtime_requirements: { python: '>=3.11', node: '20', system_packages: ['git', 'jq'] },
      sandbox_profile: 'network-isolated',
    },
    'Requires Python >=3.11; Node.js 20; system packages git, jq. Sandbox profile: network-isolated.',
  ],
])('describeCompatibility formats %j as %j', (given, expected) => {
  expect(describeCompatibility(fields(given))).toBe(expected);
});

test('describeCompatibility never exceeds the length limit of the specification, and always includes the sandbox', () => {
  const packages = fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 30 });
  fc.assert(
    fc.property(packages, fc.boolean(), (system_packages, sandboxed) => {
      const line =
        describeCompatibility(
          fields({
            runtime_requirements: { python: '3', system_packages },
            ...(sandboxed ? { sandbox_profile: 'seccomp-strict' as const } : {}),
          }),
        ) ?? '';
      expect(line.length).toBeLessThanOrEqual(500);
      expect(line.isWellFormed()).toBe(true);
      expect(line.endsWith('Sandbox profile: seccomp-strict.')).toBe(sandboxed);
    }),
  );
});
