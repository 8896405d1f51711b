import type { Artifact } from '../../artifact/types.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

export function unsupportedFields({ manifest }: Artifact): readonly Finding[] {
  if (manifest === undefined) return NOTHING;
  const found: Finding[] = [];
  if (Object.hasOwn(manifest.values, 'external_resources')) {
    found.push({
      code: 'lint.unsupported_field',
      message: '`external_resources` is not supported: nothing downloads the files it lists.',
      fix: 'Bundle the files, or have a script in the artifact download them and compare their hash.',
      place: atField(manifest, 'external_resources'),
    });
  }
  if (Object.hasOwn(manifest.values, 'audit_redact')) {
    found.push({
      code: 'lint.unsupported_field',
      severity: 'warning',
      message: '`audit_redact` has no effect yet: the audit log does not redact values.',
      fix: 'Keep secrets out of the values, or remove the key.',
      place: atField(manifest, 'audit_redact'),
    });
  }
  return found;
}
