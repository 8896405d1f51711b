import type { Artifact } from '@catalog/core/artifact/types';
import { HOOK_EVENTS, RULE_MODES } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { authoredPackage } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { editManagedFile } from '../managed/edit-managed-file.ts';
import { formatOf } from '../managed/format-of.ts';
import { planArtifacts } from '../plan.ts';
import type { PlannedEntry, PlannedFile } from '../planned.ts';
import { adapters } from '../registry.ts';

const PIECES = [
  ...Array.from('"\'`\\\n\t$#,[|>~ \u00A0\u2028éa'),
  ...'$$ $& $1 $ARGUMENTS $(id) ${HOME} {{args}} !`id` @file %s %HOME% {a,b} \\n'.split(' '),
  ...'--- */ --> </script> \'\'\' """ &a *a no null 1e5 0x1 😀 ﬁ word'.split(' '),
  '\n---\n',
  ': ',
  ' #',
  '- ',
  '<!-- catalog:end:x -->',
];
const text = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => pieces.join(''));
const line = text.map((value) => value.replaceAll(/[\n\t]/g, ' '));
const given = text.map((value) => `x${value}`);

const segment = fc.constantFrom(
  ..."ops a$$b c$& it's q`q [x] {id} {name} __proto__ constructor %41 a--b é &x".split(' '),
  'b #c',
);
const id = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

interface Draft {
  id: string;
  files: Record<string, string>;
}

function draft(keys: Record<string, unknown>, at: string, body: string): Draft {
  const lines = Object.entries(keys).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return {
    id: at,
    files: { 'ARTIFACT.md': `---\nversion: 1.0.0\n${lines.join('')}---\n${body}` },
  };
}

const drafts: fc.Arbitrary<Draft> = fc.oneof(
  fc.tuple(id, line, text).map(([domain, description, body]) => {
    const head = `name: check\ndescription: ${JSON.stringify(`x${description}`)}\n`;
    const made = draft({ type: 'skill' }, `${domain}/check`, '');
    made.files['SKILL.md'] = `---\n${head}---\n${body}`;
    made.files['scripts/run.sh'] = body;
    return made;
  }),
  fc
    .tuple(fc.constantFrom('agent', 'command'), id, given, given, given, text)
    .map(([type, at, description, tool, model, body]) =>
      draft({ type, description, model, tools: [tool, 'Read'], 'argument-hint': tool }, at, body),
    ),
  fc
    .tuple(fc.constantFrom(...RULE_MODES), id, given, given, given, text)
    .map(([rule_mode, at, description, rule_globs, rule_description, body]) =>
      draft({ type: 'rule', rule_mode, description, rule_globs, rule_description }, at, body),
    ),
  fc
    .tuple(fc.constantFrom(...HOOK_EVENTS), fc.constantFrom('ops/guard', 'é/+x'), given)
    .map(([hook_event, at, hook_action]) =>
      draft({ type: 'hook', description: 'x', hook_event, hook_action, hook_timeout: 9 }, at, ''),
    ),
  fc
    .tuple(
      id,
      given,
      fc.array(text),
      fc.dictionary(fc.oneof(given, fc.constant('__proto__')), text, { maxKeys: 2 }),
    )
    .map(([at, command, args, env]) =>
      draft({ type: 'mcp-server', description: 'x', command, args, env }, at, ''),
    ),
  fc
    .tuple(
      id,
      given,
      fc.dictionary(fc.oneof(given, fc.constant('__proto__')), text, { maxKeys: 2 }),
    )
    .map(([at, path, headers]) =>
      draft({ type: 'mcp-server', description: 'x', url: `https://${path}`, headers }, at, ''),
    ),
);

const artifacts = drafts.map((made) => readArtifact(authoredPackage(made.id, made.files)));

const everyAdapter = [...adapters.values()].flatMap((adapter) =>
  adapter.user === undefined ? [adapter] : [adapter, adapter.user],
);

test('every file parses to the authored values with an independent parser', () => {
  fc.assert(
    fc.property(artifacts, (reading) => {
      fc.pre(reading.kind === 'ok');
      for (const adapter of everyAdapter) {
        const plan = planArtifacts([reading.artifact], adapter, { on_clash: 'fail' });
        for (const file of plan.files) checkFile(file, reading.artifact);
        const merged = Map.groupBy(plan.entries, ({ path }) => path);
        for (const [path, entries] of merged) checkMerged(path, entries);
      }
    }),
    { numRuns: 60 },
  );
});

function checkFile({ path, bytes, shared }: PlannedFile, artifact: Artifact): void {
  if (shared === true || path.endsWith('scripts/run.sh')) return;
  const content = new TextDecoder().decode(bytes);
  const names = [artifact.id, artifact.id.slice(artifact.id.lastIndexOf('/') + 1)];
  expect(
    names.some((name) => path.includes(name)),
    path,
  ).toBe(true);
  if (path.endsWith('.toml')) checkValues(parseToml(content), artifact);
  else if (path.endsWith('.md') || path.endsWith('.mdc')) checkDocument(content, artifact);
  else if (/\.[cm]?[jt]s$/.test(path)) checkModule(content, artifact);
  else if (path.endsWith('.json')) JSON.parse(content);
  else expect.unreachable(`nobody has said how ${path} is read`);
}

/** Splits frontmatter like every parser: at three hyphens in the first line, and at the next such line. */
function checkDocument(content: string, artifact: Artifact): void {
  if (content === artifact.manifest?.text) return;
  const [whole = '', head] = /^---\r?\n([^]*?)^---\r?\n/m.exec(content) ?? [];
  const hasHead = content.startsWith('---');
  expect(hasHead && head === undefined, content).toBe(false);
  // Cursor parses each line as an unquoted value.
  const isCursor = /^description:.*\nglobs:.*\nalwaysApply: (?:true|false)\n$/.test(head ?? '');
  if (hasHead && !isCursor) checkValues(parseYaml(head ?? ''), artifact);
  const prose = hasHead ? content.slice(whole.length) : content;
  if (artifact.type !== 'command' || !artifact.body.includes('$')) {
    // Gemini CLI and Qwen Code replace {{args}}, so their commands contain the plain text with spaces.
    expect(prose.replaceAll('{{ args }}', '{{args}}')).toContain(artifact.body);
  }
}

function checkValues(values: unknown, { description, fields }: Artifact): void {
  const parsedValues: Record<string, unknown> = Object(values);
  if (parsedValues['description'] !== undefined) {
    expect([null, description, fields.rule_description]).toContain(parsedValues['description']);
  }
}

function checkModule(content: string, { fields }: Artifact): void {
  const [first = ''] = content.split(/\r\n|[\n\r\u2028\u2029]/);
  const rest = content.slice(first.length + 1);
  const [, options] =
    /^import \{ hook \} from "[^"\n]*";\n\nexport default hook\(([^]*)\);\n$/.exec(rest) ?? [];
  expect(first).toMatch(/^\/\/ /);
  expect(JSON.parse(options ?? '')).toMatchObject({ command: fields.hook_action });
}

function checkMerged(path: string, planned: readonly PlannedEntry[]): void {
  const desired = planned.map(({ entry }) => entry);
  const made = editManagedFile(undefined, desired, undefined, path);
  const { text: content = '', owned } = made;
  const format = formatOf(path);
  for (const { shape, container, key, value } of desired) {
    if (format === 'markdown') continue;
    const holder = container.reduce<unknown>(
      (at, name) => Object(at)[name],
      parseAs[format](content),
    );
    const found = shape === 'array' && Array.isArray(holder) ? holder.at(-1) : Object(holder)[key];
    expect(plain(found)).toEqual(plain(value));
  }
  expect(editManagedFile(content, desired, owned, path)).toMatchObject({
    text: content,
    changed: false,
  });
  expect(editManagedFile(content, [], owned, path).text).toBeUndefined();
}

const parseAs = {
  json: (content: string): unknown => JSON.parse(content),
  toml: (content: string): unknown => parseToml(content),
  yaml: (content: string): unknown => parseYaml(content),
};

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
