import type { Severity } from './diagnostic.ts';

/** One rule: how much it weighs, and what it tells a person. */
export interface LintRule {
  /** An artifact with an error is not delivered; a warning stops nothing. */
  severity: Severity;
  /** The milder case of an error, which is reported as a warning. */
  warns?: string;
  title: string;
  why: string;
  fix: string;
  /** Whether `lint_suppress` may silence its warnings. */
  suppressible: boolean;
  /** Whether `catalog lint --fix` can repair it, where the repair is unambiguous. */
  fixable: boolean;
}

/**
 * Every rule there is by its code, in the order of the reference page: what a file must be to be read at all,
 * then fields, skills, types, prose, and what only the whole catalogue can show.
 */
export const lintRules = {
  'lint.invalid_encoding': {
    severity: 'error',
    title: 'A manifest is UTF-8',
    why: 'Bytes that are not UTF-8 read differently in every program, so nobody could check what an agent would see.',
    fix: 'Save the file as UTF-8; put anything that is not text into a bundled file.',
    suppressible: false,
    fixable: false,
  },
  'lint.hidden_character': {
    severity: 'error',
    title: 'No control characters',
    why: 'Control characters, directional overrides and the Unicode tag block are invisible to a reviewer and obeyed by terminals and models.',
    fix: 'Remove the character, or describe it in words.',
    suppressible: false,
    fixable: false,
  },
  'lint.frontmatter_missing': {
    severity: 'error',
    title: 'A manifest starts with frontmatter',
    why: 'What an artifact is, and in which version, stands between two lines of `---` at the top of its file.',
    fix: 'Start the file with a line of exactly `---`, then `key: value` lines, then a line of exactly `---`.',
    suppressible: false,
    fixable: false,
  },
  'lint.frontmatter_limit': {
    severity: 'error',
    title: 'Frontmatter stays within limits',
    why: 'A few hundred bytes of nested YAML can keep a parser busy for seconds; honest frontmatter is nowhere near the limits.',
    fix: 'Flatten or shorten the frontmatter.',
    suppressible: false,
    fixable: false,
  },
  'lint.invalid_yaml': {
    severity: 'error',
    title: 'Frontmatter is valid YAML',
    why: 'A frontmatter that does not parse says nothing about the artifact.',
    fix: 'Quote a text that holds `: ` or ` #`, or that starts with a sign YAML keeps for itself.',
    suppressible: false,
    fixable: false,
  },
  'lint.manifest_size': {
    severity: 'error',
    warns: 'A skill of more than 5,000 tokens or 500 lines.',
    title: 'A manifest fits a context window',
    why: 'The whole text goes into the context of an agent. Past 20,000 tokens, counted as a quarter of the bytes, it crowds out the work it was loaded for.',
    fix: 'Move detail into bundled files and link to them from the text.',
    suppressible: true,
    fixable: false,
  },
  'lint.required_field_missing': {
    severity: 'error',
    title: 'Required fields are there',
    why: 'Every artifact has a type and a version; a rule that applies by glob or by description, a hook and an MCP server say nothing without the fields they act on.',
    fix: 'Add the field.',
    suppressible: false,
    fixable: false,
  },
  'lint.misspelled_key': {
    severity: 'warning',
    title: 'Keys are spelled as the catalog spells them',
    why: 'A key the catalog does not know is kept and means nothing to it, so a slip of the finger is a field that is not there.',
    fix: 'Correct the key.',
    suppressible: true,
    fixable: false,
  },
  'lint.invalid_field': {
    severity: 'error',
    title: 'Fields have their type',
    why: 'A value of the wrong type or past its limit would be read one way here and another way by a harness.',
    fix: 'Give the field a value of its type.',
    suppressible: false,
    fixable: true,
  },
  'lint.invalid_name': {
    severity: 'error',
    title: 'Names are lower-case words joined by hyphens',
    why: 'A name becomes a folder, a file and a key in every harness; 1 to 64 of `a-z`, `0-9` and single inner hyphens work in all of them.',
    fix: 'Rename it to lower-case words joined by single hyphens.',
    suppressible: false,
    fixable: false,
  },
  'lint.invalid_version': {
    severity: 'error',
    title: 'Versions are three numbers',
    why: 'Pins, ranges and `latest` compare versions number by number.',
    fix: 'Write the version as `major.minor.patch`, for example `1.0.0`.',
    suppressible: false,
    fixable: false,
  },
  'lint.unknown_rule_mode': {
    severity: 'error',
    title: 'A rule mode is one of four',
    why: 'A mode nobody knows decides nothing about when the rule applies.',
    fix: 'Choose `always`, `glob`, `auto` or `explicit`.',
    suppressible: false,
    fixable: true,
  },
  'lint.unknown_hook_event': {
    severity: 'error',
    title: 'A hook event is a canonical one',
    why: 'Each harness gets its own name for an event from the canonical one; from any other name nothing can be made.',
    fix: 'Use one of the canonical event names.',
    suppressible: false,
    fixable: true,
  },
  'lint.rule_mode_on_non_rule': {
    severity: 'warning',
    title: 'Only rules have a rule mode',
    why: 'No other type reads it, so whoever wrote it expects something that will not happen.',
    fix: 'Remove `rule_mode`, or make the artifact a rule.',
    suppressible: true,
    fixable: true,
  },
  'lint.ignored_companion_field': {
    severity: 'warning',
    title: 'Rule fields match the rule mode',
    why: 'Globs are read in mode `glob` only and a rule description in mode `auto` only.',
    fix: 'Remove the field, or change `rule_mode`.',
    suppressible: true,
    fixable: true,
  },
  'lint.hint_on_unsupported_type': {
    severity: 'warning',
    title: 'Hints stand where something runs',
    why: 'Effort and model hints speak of a run by a model; only agents, skills and commands have one.',
    fix: 'Remove the hint.',
    suppressible: true,
    fixable: false,
  },
  'lint.unknown_suppression': {
    severity: 'warning',
    title: 'Suppressions name warnings that may be silenced',
    why: 'An entry that names no rule, or one that cannot be silenced, has no effect and looks as if it had.',
    fix: 'Remove the entry, or correct its spelling.',
    suppressible: false,
    fixable: false,
  },
  'lint.skill_md_compliance': {
    severity: 'error',
    warns: 'A `SKILL.md` beside an artifact that is no skill.',
    title: 'A skill has a conforming SKILL.md',
    why: 'Harnesses load skills by the Agent Skills specification: a `SKILL.md` with a description and with the name of its folder.',
    fix: 'Add a `SKILL.md` whose `name` is the folder and whose `description` says what the skill does and when to use it.',
    suppressible: false,
    fixable: true,
  },
  'lint.skill_catalog_only_field': {
    severity: 'error',
    title: 'Catalog fields stay out of SKILL.md',
    why: 'Strict readers of the Agent Skills specification refuse keys they do not know, and the catalog reads its own fields from `ARTIFACT.md` only.',
    fix: 'Move the field to `ARTIFACT.md`.',
    suppressible: false,
    fixable: true,
  },
  'lint.skill_unknown_field': {
    severity: 'warning',
    title: 'SKILL.md holds only the keys of its specification',
    why: 'The Agent Skills specification knows six keys; some products refuse a skill with any other.',
    fix: 'Move the value under `metadata`, or remove it. Keep a key that a product acts on, such as `disable-model-invocation`.',
    suppressible: true,
    fixable: false,
  },
  'lint.skill_ref_validate': {
    severity: 'warning',
    title: 'Skill texts keep to their lengths',
    why: 'The Agent Skills specification allows 1,024 characters of description and 500 of compatibility; products cut or refuse more.',
    fix: 'Shorten the text; details belong in the body.',
    suppressible: true,
    fixable: false,
  },
  'lint.skill_artifact_field': {
    severity: 'warning',
    title: "A skill's name, description and license stand once",
    why: 'They belong to `SKILL.md`, where harnesses read them; a copy in `ARTIFACT.md` is the one that will be forgotten.',
    fix: 'Keep the field in `SKILL.md` only.',
    suppressible: true,
    fixable: true,
  },
  'lint.skill_artifact_field_mismatch': {
    severity: 'error',
    title: "A skill's two files agree",
    why: 'With two different values, what people find in the catalog is not what the harness loads.',
    fix: 'Keep the right value in `SKILL.md` and remove the field from `ARTIFACT.md`.',
    suppressible: false,
    fixable: false,
  },
  'lint.skill_artifact_body': {
    severity: 'warning',
    title: "A skill's text is in SKILL.md",
    why: "Nothing delivers the body of a skill's `ARTIFACT.md`; text written there is lost.",
    fix: 'Move the text to `SKILL.md`, and leave the body empty or a single HTML comment.',
    suppressible: true,
    fixable: true,
  },
  'lint.derived_version': {
    severity: 'warning',
    title: 'A bare skill names its version',
    why: 'Without one the version is made from the content: every edit is a new version, and no range can pin it.',
    fix: 'Add `version: "1.0.0"` under `metadata` in `SKILL.md`, or an `ARTIFACT.md` beside it.',
    suppressible: false,
    fixable: false,
  },
  'lint.unknown_type': {
    severity: 'warning',
    title: 'The type is known',
    why: 'An extension type without a provider is stored and served, but nothing checks it and no harness has a place for it.',
    fix: 'Use one of the first-class types, or register a provider for this one.',
    suppressible: true,
    fixable: false,
  },
  'lint.type_provider': {
    severity: 'error',
    warns: 'The provider calls it a warning.',
    title: 'The provider of the type accepts it',
    why: 'An extension type brings its own checks along.',
    fix: 'Follow what the provider says.',
    suppressible: true,
    fixable: false,
  },
  'lint.harness_capability': {
    severity: 'error',
    warns:
      'The harness takes it by a fallback. For a `rule_mode` that claude-code or gemini-cli lacks, also without `target_harnesses`.',
    title: 'Target harnesses can take the artifact',
    why: 'If a harness cannot take a type, field, mode or event of an artifact, a sync to it fails, or delivers the artifact differently from what its author wrote.',
    fix: 'Remove the harness from `target_harnesses`, or what it cannot take from the artifact.',
    suppressible: true,
    fixable: false,
  },
  'lint.unknown_harness': {
    severity: 'warning',
    title: 'Target harnesses exist',
    why: 'An artifact that targets only harnesses nobody has is never delivered, and nothing says so.',
    fix: 'Correct the name; `catalog harness list` shows them all.',
    suppressible: true,
    fixable: false,
  },
  'lint.secret_literal': {
    severity: 'error',
    title: 'Secrets are references',
    why: 'Everybody who may read the artifact, and every workspace it is synced to, would have the secret.',
    fix: 'Write `${secret:NAME}` in its place, and withdraw the secret: it has been in a file.',
    suppressible: false,
    fixable: false,
  },
  'lint.bundled_resource_size': {
    severity: 'error',
    warns: 'A single file of more than 1 MiB.',
    title: 'Packages stay small',
    why: 'Every workspace that selects the artifact gets all of its files; 10 MiB in all is the most a package may have.',
    fix: 'Shrink the file, or name it under `external_resources`.',
    suppressible: true,
    fixable: false,
  },
  'lint.prose_reference': {
    severity: 'error',
    title: 'Links lead somewhere',
    why: 'An agent follows the links of its instructions: a relative one must be a bundled file or an artifact, and may not leave the package. Web addresses are taken as they are written; nothing is fetched.',
    fix: 'Bundle the file, correct the path, or put an example into code marks.',
    suppressible: false,
    fixable: false,
  },
  'lint.hidden_text': {
    severity: 'warning',
    title: 'Prose has no invisible characters',
    why: 'Zero-width characters and long runs of variation selectors can carry words that a model reads and a reviewer does not see.',
    fix: 'Delete the characters.',
    suppressible: false,
    fixable: false,
  },
  'lint.thin_description': {
    severity: 'warning',
    title: 'A description says enough to be found',
    why: 'People and agents choose by the description; fewer than three words or 15 characters decide nothing.',
    fix: 'Say what it does and when to use it.',
    suppressible: true,
    fixable: false,
  },
  'lint.colliding_descriptions': {
    severity: 'warning',
    title: 'Descriptions tell artifacts apart',
    why: 'Two artifacts described in the same words are found together, and chosen at random.',
    fix: 'Say in each description what the other one does not do.',
    suppressible: true,
    fixable: false,
  },
  'lint.invalid_triggers': {
    severity: 'error',
    warns: 'An `instead` that names no artifact there is.',
    title: 'Trigger tests can be read',
    why: 'A test that cannot be read tests nothing, and nobody notices.',
    fix: 'Write `evals/triggers.yaml` as a list of entries with `query`, and where needed `should_trigger` and `instead`.',
    suppressible: true,
    fixable: false,
  },
  'lint.missed_trigger': {
    severity: 'warning',
    title: 'An artifact is found by its own triggers',
    why: 'Its author says that it answers a question, and whoever asks that question is shown others. Only `catalog lint` says so: a registry that ingests it searches for nothing.',
    fix: 'Say in the description, or in `when_to_use`, what people ask for; `catalog test` shows what stands above it.',
    suppressible: true,
    fixable: false,
  },
  'lint.license_changed_across_layers': {
    severity: 'warning',
    title: 'An extension keeps the license',
    why: 'An artifact that extends one of another layer carries its text; under another license that may not be allowed.',
    fix: 'Remove `license`, or make sure the parent may be passed on under the new one.',
    suppressible: true,
    fixable: false,
  },
  'lint.domain_import_unresolved': {
    severity: 'warning',
    title: 'Imports of a domain find something',
    why: 'A pattern that matches no artifact shows nothing; most often it is a spelling mistake or something that was moved.',
    fix: 'Correct the pattern, or remove it.',
    suppressible: false,
    fixable: false,
  },
  'lint.domain_import_cycle': {
    severity: 'warning',
    title: 'Domains do not import each other',
    why: 'Two domains that show each other lead an agent in circles.',
    fix: 'Remove one of the imports.',
    suppressible: false,
    fixable: false,
  },
  'lint.domain_import_broad_glob': {
    severity: 'warning',
    title: 'Imports name a place',
    why: 'A `**` with no folder in front of it imports the whole catalogue, now and as it grows.',
    fix: 'Put the folder that is meant in front of the `**`.',
    suppressible: false,
    fixable: false,
  },
  'lint.domain_body_size': {
    severity: 'warning',
    title: 'A domain text is short',
    why: 'The text of a domain is part of every answer about it; past 2,000 tokens it pushes the domain itself out of the answer.',
    fix: 'Shorten it, or make a context artifact of it.',
    suppressible: false,
    fixable: false,
  },
  'lint.domain_discovery_override_disabled': {
    severity: 'warning',
    title: 'Discovery settings are in force',
    why: 'This registry does not let domains override how they are shown, so the settings do nothing.',
    fix: 'Remove the settings, or ask for `allow_per_domain_overrides`.',
    suppressible: false,
    fixable: false,
  },
  'lint.domain_newly_unlisted': {
    severity: 'warning',
    title: 'A domain leaves the map',
    why: 'Everything below an unlisted domain disappears from the map; links and habits of people do not.',
    fix: 'Remove `unlisted` if this was not meant.',
    suppressible: false,
    fixable: false,
  },
} as const satisfies Readonly<Record<string, LintRule>>;

export type LintCode = keyof typeof lintRules;

/** The rule of a code that came from somewhere else; undefined when a type provider made it up. */
export function getLintRule(code: string): LintRule | undefined {
  return isLintCode(code) ? lintRules[code] : undefined;
}

export function isLintCode(code: string): code is LintCode {
  return Object.hasOwn(lintRules, code);
}
