import { artifactName } from '../artifact/field-types.ts';
import {
  HOOK_EVENTS,
  RULE_MODES,
  SANDBOX_PROFILES,
  SENSITIVITIES,
  type Artifact,
  type Manifest,
} from '../artifact/types.ts';
import { lastSegment } from '../text/slash-path.ts';
import type { Json, JsonObject } from '../json.ts';
import { insertKey, removeKey, replaceValue } from './edit-frontmatter.ts';
import { bodyOffset, isSuppressed, type Finding } from './finding.ts';
import type { LintCode } from './rules.ts';
import { ruleFields } from './rules/rule-fields.ts';
import { skillFiles } from './rules/skill-files.ts';

export interface Repair {
  code: LintCode;
  message: string;
  manifest: Manifest;
  text: string;
  values: JsonObject;
  body: string;
}

export function listRepairs(artifact: Artifact): Repair[] {
  const { manifest } = artifact;
  const found = [...ruleFields(artifact), ...skillFiles(artifact)];
  return [
    ...(manifest === undefined ? [] : [...respell(manifest), ...splitLists(manifest)]),
    ...found
      .filter((finding) => !isSuppressed(finding, artifact))
      .flatMap((finding) => repairFinding(finding, artifact)),
  ];
}

interface Edit {
  code: LintCode;
  message: string;
  manifest: Manifest;
  /** Content after the repair; undefined if the file cannot be edited by line. */
  text: string | undefined;
  values?: JsonObject;
  body?: string;
}

function toRepair({ code, message, manifest, text, values, body }: Edit): Repair[] {
  if (text === undefined) return [];
  return [
    {
      code,
      message,
      manifest,
      text,
      values: values ?? manifest.values,
      body: body ?? manifest.body,
    },
  ];
}

const WORDS: readonly { key: string; words: readonly string[]; code: LintCode }[] = [
  { key: 'rule_mode', words: RULE_MODES, code: 'lint.unknown_rule_mode' },
  { key: 'hook_event', words: HOOK_EVENTS, code: 'lint.unknown_hook_event' },
  { key: 'sensitivity', words: SENSITIVITIES, code: 'lint.invalid_field' },
  { key: 'sandbox_profile', words: SANDBOX_PROFILES, code: 'lint.invalid_field' },
];

/** Normalizes spellings such as `PreToolUse` and `pre-tool-use` to `pre_tool_use`. */
function respell(manifest: Manifest): Repair[] {
  return WORDS.flatMap(({ key, words, code }) => {
    const value = manifest.values[key];
    if (typeof value !== 'string' || words.includes(value)) return [];
    const word = words.find((word) => squeeze(word) === squeeze(value));
    if (word === undefined) return [];
    return toRepair({
      code,
      message: `\`${key}\` changed to \`${word}\`.`,
      manifest,
      text: replaceValue(manifest, key, word),
      values: { ...manifest.values, [key]: word },
    });
  });
}

function squeeze(word: string): string {
  return word.replace(/[-_\s]/g, '').toLowerCase();
}

/** Keys with lists of names, none of which contains a comma. */
const NAME_LISTS = ['tags', 'target_harnesses', 'delegates_to', 'lint_suppress', 'audit_redact'];

/** Converts `tags: one, two` to a list. */
function splitLists(manifest: Manifest): Repair[] {
  return NAME_LISTS.flatMap((key) => {
    const value = manifest.values[key];
    if (typeof value !== 'string') return [];
    const names = value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    return toRepair({
      code: 'lint.invalid_field',
      message: `\`${key}\` changed to a list.`,
      manifest,
      text: replaceValue(manifest, key, `[${names.map(spell).join(', ')}]`),
      values: { ...manifest.values, [key]: names },
    });
  });
}

function spell(word: string): string {
  const isPlain =
    /^[a-z][\w./@-]*$/i.test(word) && !/^(?:true|false|null|yes|no|on|off)$/i.test(word);
  return isPlain ? word : JSON.stringify(word);
}

type FieldRepair = (manifest: Manifest, key: string, artifact: Artifact) => Repair[];

const FIELD_REPAIRS: Partial<Record<LintCode, FieldRepair>> = {
  'lint.rule_mode_on_non_rule': (manifest, key) =>
    remove('lint.rule_mode_on_non_rule', manifest, key, 'which has no effect'),
  'lint.ignored_companion_field': (manifest, key) =>
    remove('lint.ignored_companion_field', manifest, key, 'which has no effect'),
  'lint.skill_artifact_field': (manifest, key, { skill }) =>
    removeRepeated('lint.skill_artifact_field', manifest, key, skill),
  'lint.skill_catalog_only_field': (skill, key, { manifest }) =>
    removeRepeated('lint.skill_catalog_only_field', skill, key, manifest),
  'lint.skill_md_compliance': (manifest, key, { id }) =>
    key === 'name' ? nameAfterFolder(manifest, id) : [],
};

function repairFinding({ code, place }: Finding, artifact: Artifact): Repair[] {
  if (code === 'lint.skill_artifact_body' && place.kind === 'offset') {
    return dropRepeatedBody(place.manifest, artifact.skill);
  }
  if (place.kind !== 'field') return [];
  return FIELD_REPAIRS[code]?.(place.manifest, String(place.path[0]), artifact) ?? [];
}

function remove(code: LintCode, manifest: Manifest, key: string, reason: string): Repair[] {
  const message = `\`${key}\`, ${reason}, is removed.`;
  const text = removeKey(manifest, key);
  return toRepair({ code, message, manifest, text, values: without(manifest.values, key) });
}

function removeRepeated(
  code: LintCode,
  manifest: Manifest,
  key: string,
  other: Manifest | undefined,
): Repair[] {
  if (other === undefined || !isSame(manifest.values[key], other.values[key])) return [];
  return remove(code, manifest, key, `which repeats \`${lastSegment(other.file)}\``);
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Sets the name to the folder name. If that is not a valid name, the author must rename the folder. */
function nameAfterFolder(skill: Manifest, id: string): Repair[] {
  const name = lastSegment(id);
  if (artifactName.read(name, { path: [], problems: [] }) === undefined) return [];
  const { values } = skill;
  const isThere = Object.hasOwn(values, 'name');
  return toRepair({
    code: 'lint.skill_md_compliance',
    message: `\`name\` changed to \`${name}\`, the name of the folder.`,
    manifest: skill,
    text: isThere ? replaceValue(skill, 'name', name) : insertKey(skill, 'name', name),
    values: isThere ? { ...values, name } : { name, ...values },
  });
}

function dropRepeatedBody(manifest: Manifest, skill: Manifest | undefined): Repair[] {
  if (skill === undefined || manifest.body.trim() !== skill.body.trim()) return [];
  return toRepair({
    code: 'lint.skill_artifact_body',
    message: 'The body, which repeats `SKILL.md`, is removed.',
    manifest,
    text: manifest.text.slice(0, bodyOffset(manifest)),
    body: '',
  });
}

function without(values: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));
}
