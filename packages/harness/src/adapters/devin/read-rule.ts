import type { ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { namesIn } from '../../adopt/agent-keys-back.ts';
import { readTriggeredRule } from '../antigravity/read-rule.ts';

/** Reads a rule whose `globs` may be a list. */
export function readRule(document: ProductDocument): Reading {
  const { globs } = document.values;
  if (!Array.isArray(globs)) return readTriggeredRule(document);
  const values = { ...document.values, globs: (namesIn(globs) ?? []).join(',') };
  return readTriggeredRule({ ...document, values });
}
