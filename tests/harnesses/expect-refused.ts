import { expect } from 'vitest';
import { openPlace } from './place.ts';
import { IDS, catalogOf, type SampleType } from './samples.ts';

/**
 * Expects an error that names the artifact and an alternative. The workspace is unchanged, even if the
 * harness supports the other artifact (SPEC-38).
 */
export async function expectRefused(harness: string, type: SampleType): Promise<void> {
  const mine = { 'README.md': 'Mine.\n', 'AGENTS.md': '# Mine\n' };
  const types: SampleType[] = type === 'context' ? [type] : ['context', type];
  const place = openPlace(harness, catalogOf(...types), mine);
  const { code, message, details } = await place.refusal();
  expect(code).toBe('materialize.untranslatable');
  expect(message).toContain(`${IDS[type]}: ${harness} does not support`);
  expect(message).toMatch(/target_harnesses/);
  expect(details).toMatchObject({ harness });
  expect(place.all()).toEqual(mine);
}
