import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given } from '../../adopt/agent-keys-back.ts';
import { readMdcRule } from '../harness-d/read-rule.ts';

/** Reads Continue's rules and prompts, and the older file of rules. */
export const continueReaders: AdoptReaders = {
  rule: readRule,
  command: readPrompt,
  prose: ['.continuerules'],
};

/** The attributes are those of `.mdc`; without any of them a rule is loaded always. */
function readRule({ name, values, body }: ProductDocument): Reading {
  const { name: _name, invokable, regex, ...kept } = values;
  const changes =
    regex === undefined ? [] : ['regex is not adopted, so the content of a file has no effect'];
  if (invokable === true) {
    const { alwaysApply: _always, globs: _globs, description, ...rest } = kept;
    const explicit = { ...given('description', description), ...rest, rule_mode: 'explicit' };
    return { values: explicit, body, changes };
  }
  const { globs, alwaysApply = globs === undefined } = kept;
  const reading = readMdcRule({ name, values: { ...kept, alwaysApply }, body });
  return { ...reading, changes };
}

function readPrompt({ values, body }: ProductDocument): Reading {
  const { name: _name, invokable: _invokable, ...kept } = values;
  return { values: kept, body, changes: [] };
}
