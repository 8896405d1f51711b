import type { JsonObject } from '@catalog/core/json';
import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given } from '../../adopt/agent-keys-back.ts';

const ALWAYS: JsonObject = { rule_mode: 'always' };

/** Converts a rule. Without `trigger`, it always applies. */
export function readTriggeredRule({ values, body }: ProductDocument): Reading {
  const { trigger, globs, description, ...kept } = values;
  const modes: Readonly<Record<string, JsonObject>> = {
    glob: { rule_mode: 'glob', rule_globs: globs ?? '' },
    model_decision: { rule_mode: 'auto', rule_description: description ?? '' },
    manual: { rule_mode: 'explicit' },
  };
  const mode = typeof trigger === 'string' ? modes[trigger] : undefined;
  return {
    values: { ...given('description', description), ...kept, ...(mode ?? ALWAYS) },
    body,
    changes: [],
  };
}
