import type { JsonObject } from '@catalog/core/json';
import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given, namesIn } from '../../adopt/agent-keys-back.ts';

const ALWAYS: JsonObject = { rule_mode: 'always' };

/** A steering file: `inclusion` says when it is read; without one, always. */
export function readSteering({ values, body }: ProductDocument): Reading {
  const { inclusion, fileMatchPattern, name: _name, description, ...kept } = values;
  const globs = namesIn(fileMatchPattern) ?? [];
  const modes: Readonly<Record<string, JsonObject>> = {
    fileMatch: { rule_mode: 'glob', rule_globs: globs.join(',') },
    auto: { rule_mode: 'auto', rule_description: description ?? '' },
    manual: { rule_mode: 'explicit' },
  };
  const mode = typeof inclusion === 'string' ? modes[inclusion] : undefined;
  return {
    values: { ...given('description', description), ...kept, ...(mode ?? ALWAYS) },
    body,
    changes: [],
  };
}
