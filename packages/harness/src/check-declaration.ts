import { HOOK_EVENTS, RULE_MODES } from '@catalog/core/artifact/types';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { HarnessDeclaration } from './landing.ts';

/** Ids that are valid on the command line and in `target_harnesses`. */
const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Checks an adapter. The problem completes a sentence that starts with the adapter. */
export function checkDeclaration(
  value: unknown,
  refused: (problem: string) => Error,
): asserts value is HarnessDeclaration {
  const problem = problemOf(value);
  if (problem !== undefined) throw refused(problem);
}

function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'has no declaration as its default export';
  const { id, summary, revision, detect } = value;
  if (typeof id !== 'string' || !ID.test(id)) {
    return 'has no `id` of small letters, digits and hyphens';
  }
  if (typeof summary !== 'string' || summary === '') return 'has no `summary`';
  if (!Number.isInteger(revision) || Number(revision) < 1) return 'has no `revision` of 1 or more';
  if (!isTexts(detect)) return 'has no list `detect`';
  const { user = {}, user_on = {} } = value;
  if (!isRecord(user)) return 'has a `user` that is not an object';
  if (!isRecord(user_on)) return 'has a `user_on` that is not an object';
  for (const overrides of [{}, user, ...Object.values(user_on)]) {
    if (!isRecord(overrides)) return 'has a `user_on` with something other than landings';
    const problem = landingProblem({ ...value, ...overrides });
    if (problem !== undefined) return problem;
  }
  const { label, budget, marketplace } = value;
  if (label !== undefined && !isText(label)) return 'has a `label` that is not a string';
  return (
    budgetProblem(budget) ??
    marketplaceProblem(marketplace) ??
    rulesProblem(value) ??
    formerProblem(value)
  );
}

/** Checks the rules files, which every plan of a workspace reads. */
function rulesProblem({
  also_reads = [],
  rules_import,
  rules_limit,
}: Record<string, unknown>): string | undefined {
  const isFile = (file: unknown): boolean => isRecord(file) && isText(file['path']);
  if (!Array.isArray(also_reads) || !also_reads.every(isFile)) {
    return "has an `also_reads` that is not a list of {path: 'file'}";
  }
  if (rules_import !== undefined && !isFile(rules_import)) {
    return 'has a `rules_import` without `path`';
  }
  if (rules_limit === undefined) return undefined;
  return isFile(rules_limit) && isRecord(rules_limit) && Number(rules_limit['bytes']) > 0
    ? undefined
    : 'has a `rules_limit` without `path` and `bytes`';
}

const PLACES: ReadonlySet<unknown> = new Set(['file', 'folder', 'block', 'entry']);

function formerProblem({ former = [] }: Record<string, unknown>): string | undefined {
  const isPlace = (place: unknown): boolean =>
    isRecord(place) &&
    PLACES.has(place['into']) &&
    isText(place['path']) &&
    (place['into'] !== 'entry' || (isTexts(place['container']) && isText(place['key'])));
  return Array.isArray(former) && former.every(isPlace)
    ? undefined
    : "has a `former` that is not a list of {into: 'file', path: '...'}";
}

const LANDINGS = ['skill', 'agent', 'command', 'rule', 'hook', 'mcp_server'] as const;

function landingProblem(landings: Record<string, unknown>): string | undefined {
  for (const name of LANDINGS) {
    const landing = landings[name];
    if (!isRecord(landing)) return `has no landing for \`${name}\`; {refused: 'why'} is one`;
    if (isRefused(landing)) continue;
    const problem = CHECKS[name](landing);
    if (problem !== undefined) return `has a landing for \`${name}\` ${problem}`;
  }
  const { fields, context, extension, mcp_config } = landings;
  if (!isText(fields) && !isRecord(fields)) return 'has no `fields`';
  if (context !== undefined && !isRefused(context)) return 'has a `context` that is not refused';
  if (mcp_config !== undefined && !isRefused(mcp_config)) {
    const problem = isRecord(mcp_config) ? CHECKS.mcp_server(mcp_config) : 'that is not an object';
    if (problem !== undefined) return `has a \`mcp_config\` ${problem}`;
  }
  if (extension === undefined || isRefused(extension)) return undefined;
  const problem = templateProblem(extension);
  return problem === undefined ? undefined : `has an \`extension\` ${problem}`;
}

/** Checks the format of a marketplace. */
function marketplaceProblem(format: unknown): string | undefined {
  if (format === undefined || isRefused(format)) return undefined;
  if (!isRecord(format)) return 'has a `marketplace` that is not an object';
  const { id, revision, plugins, components, documents } = format;
  if (!isText(id) || !ID.test(id)) return 'has a `marketplace` without `id`';
  if (!Number.isInteger(revision)) return 'has a `marketplace` without `revision`';
  if (!['many', 'one', 'together'].some((word) => word === plugins)) {
    return 'has a `marketplace` whose `plugins` is not many, one or together';
  }
  if (typeof documents !== 'function') return 'has a `marketplace` without `documents`';
  return isRecord(components) && isRecord(components['skill'])
    ? undefined
    : 'has a `marketplace` without `components.skill`';
}

function isRefused(value: unknown): boolean {
  return isRecord(value) && isText(value['refused']);
}

/** Checks the limits of the skill listing, which every sync uses. */
function budgetProblem(budget: unknown): string | undefined {
  if (budget === undefined) return undefined;
  if (!isRecord(budget) || !isTexts(budget['types'])) return 'has a `budget` without `types`';
  const { listing, description } = budget;
  if (listing !== undefined && !(isRecord(listing) && typeof listing['around'] === 'function')) {
    return 'has a `budget` whose `listing` has no `around`';
  }
  const limits = [listing, description].filter((limit) => limit !== undefined);
  return limits.every((limit) => isRecord(limit) && Number(limit['limit']) > 0)
    ? undefined
    : 'has a `budget` with a limit that is not a number above 0';
}

type Check = (landing: Record<string, unknown>) => string | undefined;

const CHECKS: Readonly<Record<(typeof LANDINGS)[number], Check>> = {
  skill: ({ folders }) =>
    isTexts(folders) && folders.length > 0
      ? folders.map(templateProblem).find(isText)
      : 'without `folders`',
  agent: documentProblem,
  command: documentProblem,
  rule: ({ into, path, modes }) => {
    if (into !== 'file' && into !== 'block') return 'whose `into` is neither file nor block';
    const missing = RULE_MODES.find((mode) => !isRecord(modes) || modes[mode] === undefined);
    return missing === undefined ? templateProblem(path) : `without the mode ${missing}`;
  },
  hook: ({ into, path, events, container, entry, render }) => {
    const missing = HOOK_EVENTS.find((event) => !isRecord(events) || !(event in events));
    if (missing !== undefined) return `whose \`events\` do not include ${missing}`;
    if (into === 'entry' && (!isTexts(container) || typeof entry !== 'function')) {
      return 'without `container` or `entry`';
    }
    if (into === 'file' && typeof render !== 'function') return 'without `render`';
    return into === 'entry' || into === 'file'
      ? templateProblem(path)
      : 'whose `into` is neither entry nor file';
  },
  mcp_server: ({ project, entry }) => {
    if (typeof entry !== 'function') return 'without `entry`';
    if (project === undefined) return undefined;
    return isRecord(project) && isTexts(project['container'])
      ? templateProblem(project['path'])
      : 'whose `project` has no `container`';
  },
};

function documentProblem({
  path,
  render,
  takes = {},
}: Record<string, unknown>): string | undefined {
  if (render !== undefined && typeof render !== 'function')
    return 'whose `render` is not a function';
  const isTaken = (support: unknown): boolean =>
    typeof support === 'function' || ['native', 'converted'].some((word) => word === support);
  if (!isRecord(takes) || !Object.values(takes).every(isTaken)) {
    return "whose `takes` has something other than 'native', 'converted' and functions";
  }
  return templateProblem(path);
}

/** Checks a template. Expanded paths are checked again. */
function templateProblem(template: unknown): string | undefined {
  if (!isText(template)) return 'without `path`';
  const problem = writeProblem(template.replaceAll(/\{(?:name|id)\}/g, 'x'), 'deliver');
  return problem === undefined ? undefined : `whose path ${JSON.stringify(template)} ${problem}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
