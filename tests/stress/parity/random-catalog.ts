import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { phrase } from '../../../bench/fixtures/prose.ts';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface RandomCatalog {
  registry: string;
  /** Undefined if the workspace has no overlay. */
  overlay: string | undefined;
  /** Names of its layers, lowest precedence first. */
  layers: string[];
  artifacts: number;
}

type Files = Map<string, { bytes: Uint8Array | string; executable?: true }>;

/** An artifact before it is written, which artifacts of any layer can extend. */
interface Draft {
  id: string;
  kind: Kind;
  version: string;
  rank: number;
  parent?: Draft;
}

/** State of the generator; a flawed catalog also contains invalid artifacts. */
interface Author {
  random: SeededRandom;
  drafts: Draft[];
  flawed: boolean;
}

const LAYERS = ['base', 'Team.One', 'product_2', '0-first'];
/** Few domains, so that layers share some; unusual names, so that no test depends on plain ones. */
const DOMAINS = ['ops', 'ops/deploy', 'données', 'team x', 'a.b/c', 'UPPER', '日本/東京'];
/** The name of a skill must match its folder, so only these names are valid. */
const SKILL_NAMES = ['check', 'ship', 'a', 'x'.repeat(40)];
const NAMES = [...SKILL_NAMES, 'naïve', 'two words', 'dot.name', '-dash', 'Ünïcode'];
const VERSIONS = ['1.0.0', '1.2.3', '2.0.0', '0.1.0'];

const KINDS = [
  'skill',
  'bare',
  'rule',
  'command',
  'agent',
  'context',
  'hook',
  'mcp-server',
] as const;
type Kind = (typeof KINDS)[number];

/**
 * Includes overlays, every kind of pin, binaries, scripts and large files. In a flawed catalog, some
 * artifacts are invalid, collide, extend a missing artifact, or extend each other.
 */
export function writeRandomCatalog(
  folder: string,
  random: SeededRandom,
  options: { flawed: boolean },
): RandomCatalog {
  const registry = join(folder, 'registry');
  const layers = random.shuffle(LAYERS).slice(0, 1 + random.int(LAYERS.length));
  const overlay = random.int(2) === 0 ? join(folder, 'overlay') : undefined;
  const multi = layers.length > 1;
  const roots = layers.map((layer) => (multi ? join(registry, layer) : registry));
  if (overlay !== undefined) roots.push(overlay);
  const author: Author = { random, drafts: [], flawed: options.flawed };
  for (const rank of roots.keys()) draftLayer(author, rank, 2 + random.int(7));
  chooseParents(author);
  for (const [rank, root] of roots.entries()) {
    put(root, writeLayer(author, rank));
    if (options.flawed && random.int(4) === 0) linkOutside(root);
  }
  if (multi) {
    const order = layers.map((layer) => `"${layer}"`).join(', ');
    writeFileSync(
      join(registry, '.registry-config'),
      `multi_layer: true\nlayer_order: [${order}]\n`,
    );
  }
  const artifacts = author.drafts.length;
  return { registry, overlay, layers: multi ? layers : ['registry'], artifacts };
}

function draftLayer({ random, drafts }: Author, rank: number, artifacts: number): void {
  const taken: string[] = [];
  for (let made = 0; made < artifacts; made += 1) {
    // Creates a new id, or reuses one of a lower layer, which collides unless the artifact extends
    // it.
    const again = drafts.length > 0 && random.int(5) === 0 ? random.pick(drafts) : undefined;
    const kind = again?.kind === 'bare' ? 'skill' : (again?.kind ?? random.pick(KINDS));
    const name = random.pick(kind === 'skill' || kind === 'bare' ? SKILL_NAMES : NAMES);
    const id = again?.id ?? `${random.pick(DOMAINS)}/${name}-${random.int(40)}`;
    if (taken.some((other) => isWithin(id, other) || isWithin(other, id))) continue;
    taken.push(id);
    drafts.push({ id, kind, version: random.pick(VERSIONS), rank });
  }
}

/** True if a package would be inside another one. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function writeLayer(author: Author, rank: number): Files {
  const { random, drafts, flawed } = author;
  const files: Files = new Map();
  for (const draft of drafts) if (draft.rank === rank) writePackage(author, draft, files);
  if (random.int(2) === 0) {
    const broken = flawed && random.int(3) === 0;
    const text = broken ? '---\ninclude: 7\n---\n' : `---\ndescription: ${phrase(random)}.\n---\n`;
    files.set(`${random.pick(DOMAINS)}/DOMAIN.md`, { bytes: text });
  }
  if (random.int(3) === 0) files.set('README.md', { bytes: 'Not an artifact.\n' });
  return files;
}

function writePackage(author: Author, draft: Draft, files: Files): void {
  const { random, flawed } = author;
  const { parent } = draft;
  const extended = parent === undefined ? [] : [`extends: ${referenceTo(author, parent)}`];
  for (const [path, text] of texts(author, draft, extended)) {
    files.set(`${draft.id}/${path}`, { bytes: applyEditorFormat(random, text) });
  }
  addResources(author, draft.id, files);
  if (flawed && random.int(4) === 0) makeInvalid(author, draft.id, files);
}

/** Prefers the same id of a lower layer; a flawed catalog can have cycles in one layer. */
function chooseParents({ random, drafts, flawed }: Author): void {
  const settled: Draft[] = [];
  for (const draft of random
    .shuffle(drafts)
    .sort((a, b) => Number(isAgain(a)) - Number(isAgain(b)))) {
    const below = drafts.findLast(({ id, rank }) => id === draft.id && rank < draft.rank);
    const parent = below ?? chooseOther(draft);
    const left_out = below !== undefined && flawed && random.int(3) === 0;
    if (parent !== undefined && !left_out) draft.parent = parent;
    settled.push(draft);
  }

  function isAgain({ id, rank }: Draft): boolean {
    return drafts.some((other) => other.id === id && other.rank < rank);
  }

  /**
   * Returns a parent whose own parents are already chosen, because a later parent causes a retry.
   * The result of a cycle or a collision across layers depends on the order (SPEC-21). In a flawed
   * catalog, no artifact therefore extends one of a higher layer.
   */
  function chooseOther(draft: Draft): Draft | undefined {
    if (draft.kind === 'bare' || random.int(4) > 0) return undefined;
    const others = (flawed ? drafts.filter(({ rank }) => rank <= draft.rank) : settled).filter(
      ({ id, kind }) => id !== draft.id && (kind === 'bare' ? 'skill' : kind) === draft.kind,
    );
    return others.length === 0 ? undefined : random.pick(others);
  }
}

/** Returns `<id>@<pin>`, in quotes if YAML would parse it as another type. */
function referenceTo({ random, flawed }: Author, { id, kind, version }: Draft): string {
  const [major = '1', minor = '0'] = version.split('.');
  const pins = ['', `@${version}`, `@${major}.x`, `@${major}.${minor}.x`];
  const wrong = ['@9.9.9', `@sha256:${'0'.repeat(64)}`, '@7.x', '@not-a-pin'];
  const known = kind === 'bare' ? [''] : pins;
  return JSON.stringify(id + random.pick(flawed && random.int(3) === 0 ? wrong : known));
}

function texts(
  { random }: Author,
  { id, kind, version }: Draft,
  extended: readonly string[],
): [string, string][] {
  const name = id.slice(id.lastIndexOf('/') + 1);
  const description = `description: ${phrase(random)} for ${name}.`;
  const body = random.int(5) === 0 ? '' : `${phrase(random)}.\n\n${phrase(random)} 🚀 é.\n`;
  const common = [`version: ${version}`, ...extended, ...extras(random)];
  const skill = fenced([`name: ${name}`, description], body === '' ? 'Do it.\n' : body);
  if (kind === 'bare') return [['SKILL.md', skill]];
  if (kind === 'skill') {
    return [
      ['ARTIFACT.md', fenced(['type: skill', ...common], '')],
      ['SKILL.md', skill],
    ];
  }
  const own: Readonly<Record<string, string[]>> = {
    rule: ['rule_mode: glob', 'rule_globs: "src/**,é/**"'],
    hook: ['hook_event: stop', 'hook_action: sh scripts/run.sh'],
    'mcp-server': ['server_identifier: npx:some-server'],
  };
  const lines = [`type: ${kind}`, description, ...common, ...(own[kind] ?? [])];
  return [['ARTIFACT.md', fenced(lines, body)]];
}

function extras(random: SeededRandom): string[] {
  const lines: string[] = [];
  if (random.int(3) === 0) lines.push(`tags: [${random.pick(['deploy', 'été', '"1"'])}, shared]`);
  if (random.int(6) === 0) lines.push('deprecated: true');
  if (random.int(5) === 0) lines.push(`sensitivity: ${random.pick(['low', 'medium', 'high'])}`);
  if (random.int(6) === 0) lines.push('custom_key: {nested: [1, 2.50, ~]} # kept');
  return lines;
}

function fenced(lines: readonly string[], body: string): string {
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

/** Applies the line endings and marks of editors on other systems. */
function applyEditorFormat(random: SeededRandom, text: string): string {
  const choice = random.int(12);
  if (choice === 0) return text.replaceAll('\n', '\r\n');
  return choice === 1 ? `\uFEFF${text}` : text;
}

const LARGE_BYTES = 300_000;

function addResources({ random }: Author, id: string, files: Files): void {
  const choices: [string, { bytes: Uint8Array | string; executable?: true }][] = [
    ['scripts/run.sh', { bytes: `#!/bin/sh\necho ${random.int(1000)}\n`, executable: true }],
    ['references/notes & more.md', { bytes: `${phrase(random)}\r\n` }],
    ['assets/empty', { bytes: '' }],
    ['assets/image.bin', { bytes: noise(random, 64) }],
    ['données/é.txt', { bytes: 'é\u0000\n' }],
    ['assets/large.bin', { bytes: noise(random, LARGE_BYTES) }],
  ];
  for (const [path, file] of choices) {
    const chance = path.includes('large') ? 25 : 4;
    if (random.int(chance) === 0) files.set(`${id}/${path}`, file);
  }
}

/** Returns random bytes of one kind; the first kinds are not text. */
function noise(random: SeededRandom, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(random.int(256));
  for (let at = 0; at < Math.min(length, 64); at += 1) bytes[at] = random.int(256);
  return bytes;
}

function makeInvalid({ random }: Author, id: string, files: Files): void {
  const path = files.has(`${id}/ARTIFACT.md`) ? `${id}/ARTIFACT.md` : `${id}/SKILL.md`;
  const text = String(files.get(path)?.bytes ?? '');
  const add = (line: string): string => text.replace(/---\r?\n/, (fence) => `${fence}${line}\n`);
  const flaws: (() => string)[] = [
    () => text.replace(/^(\uFEFF?)---\r?\n/, '$1'),
    () => text.replace(/version: .*/, 'version: soon'),
    () => text.replace(/type: .*/, 'type: no-such-type'),
    () => text.replace(/name: .*/, 'name: Somebody Else'),
    () => add('broken: ['),
    () => add('extends: nowhere/at-all'),
    () => `${text}\nSee [nothing](ops/no-such-artifact-at-all).\n`,
    () => `${text}hidden \u200b text\n`,
  ];
  files.set(path, { bytes: random.pick(flaws)() });
}

/** Creates a link out of the layer, whose target must not be served. */
function linkOutside(root: string): void {
  const folder = join(root, 'ops/leads-outside');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    '---\nname: leads-outside\ndescription: It leads outside its layer.\n---\nDo it.\n',
  );
  symlinkSync('/etc/hostname', join(folder, 'secret.txt'));
}

function put(root: string, files: Files): void {
  mkdirSync(root, { recursive: true });
  for (const [path, { bytes, executable }] of files) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { mode: executable === true ? 0o755 : 0o644 });
  }
}
