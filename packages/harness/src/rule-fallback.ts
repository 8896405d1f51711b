import type { Artifact, Manifest, RuleMode } from '@catalog/core/artifact/types';
import { splitGlobs } from './place/split-globs.ts';
import { yamlMembers } from './place/yaml-text.ts';

/** Converts a rule to a skill, which the model loads when its description applies. */
export function ruleAsSkill(rule: Artifact): Artifact {
  const { id, body, fields } = rule;
  const name = id.slice(id.lastIndexOf('/') + 1);
  const description = describe(rule);
  const values = { name, description };
  const frontmatter = yamlMembers(Object.entries(values));
  const head = `---\n${frontmatter}---\n`;
  const skill: Manifest = {
    file: `${id}/SKILL.md`,
    text: head + body,
    frontmatter,
    values,
    body,
    body_line: head.split('\n').length,
  };
  return {
    ...rule,
    type: 'skill',
    name,
    description,
    fields: { ...fields, type: 'skill' },
    skill,
    skill_fields: values,
  };
}

/** Maximum length in the Agent Skills specification. */
const MAX_DESCRIPTION = 1024;

function describe(rule: Artifact): string {
  const { rule_mode = 'always', rule_description } = rule.fields;
  const about = (rule_description ?? rule.description).trim() || `The rule ${rule.name}.`;
  return [about, ...WHEN[rule_mode](rule)].join(' ').slice(0, MAX_DESCRIPTION);
}

const WHEN: Readonly<Record<RuleMode, (rule: Artifact) => string[]>> = {
  always: () => [],
  glob: ({ fields }) => [
    `Use it when working with files that match ${splitGlobs(fields.rule_globs ?? '').join(', ')}.`,
  ],
  auto: () => [],
  explicit: () => ['Use it only when the user asks for it.'],
};
