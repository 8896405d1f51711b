import { sampleVersion } from '@catalog/core/conformance/samples.conformance';
import { expect, test } from 'vitest';
import { toAuditedVersion } from './audited-version.ts';

function audited(manifest: string | null, skill: string | null = null) {
  const version = sampleVersion({ id: 'ops/deploy', tags: ['release'], manifest, skill });
  return toAuditedVersion(version, 'base');
}

const WHOLE = { artifact: 'ops/deploy', layer: 'base', name: 'deploy', tags: ['release'] };
const NOTHING = {
  artifact: '[redacted]',
  layer: '[redacted]',
  name: '[redacted]',
  tags: ['[redacted]'],
};

test('replaces the fields that the artifact lists in audit_redact', () => {
  const redact = (fields: string) => audited(`---\ntype: rule\naudit_redact: ${fields}\n---\nX.\n`);
  expect(audited('---\ntype: rule\n---\nMentions audit_redact: [id].\n')).toMatchObject(WHOLE);
  expect(redact('[id, tags]')).toMatchObject({
    ...WHOLE,
    artifact: '[redacted]',
    tags: ['[redacted]'],
  });
  expect(redact('[amount]')).toMatchObject(WHOLE);
  expect(redact('[id, name, tags, layer]')).toMatchObject(NOTHING);
  expect(audited(null, '---\nname: deploy\n---\nX.\n')).toMatchObject(WHOLE);
});

test('replaces all fields if the frontmatter cannot be read', () => {
  expect(audited('---\ntype: [rule\naudit_redact: [id]\n---\nX.\n')).toMatchObject(NOTHING);
});
