import { bytesHash } from '../artifact/content-hash.ts';
import type { PackageFile } from '../artifact/types.ts';
import type { Json, JsonObject } from '../json.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { lastSegment } from '../text/slash-path.ts';
import { joinReadings, type Reading } from './capability-reading.ts';
import type { ExecutableCapability } from './capability.ts';
import { isConfigurationPath, isStructuredPath, readConfiguration } from './configuration-files.ts';
import { readInlineCommands, readSpacedCommands } from './inline-commands.ts';
import { stringsIn } from './read-invocation.ts';
import { readKeys } from './read-keys.ts';
import { argumentNames, hasExcessNames } from './remove-placeholders.ts';
import { extensionOf, isScriptPath, startsLikeProgram } from './script-files.ts';

const NOTHING: Reading = { capabilities: [], mentions: [] };

/**
 * Lists capabilities of a bundled file. If prompts include files (`included`), inline commands in every text file
 * count.
 */
export function readBundledFile(file: PackageFile, included: boolean): Reading {
  const readings: Reading[] = [];
  if (isScript(file)) readings.push({ ...NOTHING, capabilities: [asScript(file)] });
  if (isMarkdown(file)) readings.push(readFrontmatter(file));
  readings.push(readInlineText(file, included));
  if (isConfigurationPath(file.path)) {
    readings.push({ ...NOTHING, capabilities: [asConfiguration(file)] }, readConfiguration(file));
  }
  return joinReadings(readings);
}

function isScript({ path, bytes, executable }: PackageFile): boolean {
  return executable || isScriptPath(path) || startsLikeProgram(bytes);
}

/** Limit of the search, characters times files. Above it, every bundled file counts as mentioned. */
const MAX_SEARCHED = 100_000_000;

/** Returns the files that a command or setting names. They run even if they do not look like scripts. */
export function readMentionedFiles(
  resources: readonly PackageFile[],
  mentions: readonly Json[],
): ExecutableCapability[] {
  const text = mentions.flatMap(stringsIn).join('\n').toLowerCase();
  if (text === '') return [];
  const isSearched = text.length * resources.length <= MAX_SEARCHED;
  return resources
    .filter(({ path }) => !isSearched || text.includes(lastSegment(path).toLowerCase()))
    .map((file) => (isStructuredPath(file.path) ? asConfiguration(file) : asScript(file)));
}

function asScript({ path, bytes, executable }: PackageFile): ExecutableCapability {
  return { kind: 'script', file: path, executable, hash: bytesHash(bytes) };
}

function asConfiguration({ path, bytes }: PackageFile): ExecutableCapability {
  return { kind: 'configuration_file', file: path, hash: bytesHash(bytes) };
}

const MARKDOWN: ReadonlySet<string> = new Set(['md', 'mdc', 'mdx', 'markdown']);

function isMarkdown({ path }: PackageFile): boolean {
  return MARKDOWN.has(extensionOf(lastSegment(path)));
}

const FENCE = /^\s*(?:---|\+\+\+)/;
const SAMPLE_BYTES = 4096;

const decoder = new TextDecoder('utf-8');

/** Lists capabilities in the frontmatter of a bundled file, which may be a skill, agent or command. */
function readFrontmatter(file: PackageFile): Reading {
  if (!hasFence(file)) return NOTHING;
  const { path, bytes } = file;
  const values = frontmatterOf(file);
  const keys = values === undefined ? NOTHING : readKeys(values, path);
  const names = argumentNames(values?.['arguments']);
  if (values !== undefined && !hasExcessNames(names)) return keys;
  const hash = bytesHash(bytes);
  const unreadable = { kind: 'unreadable_file' as const, file: path, hash };
  return joinReadings([keys, { ...NOTHING, capabilities: [unreadable] }]);
}

function frontmatterOf(file: PackageFile): JsonObject | undefined {
  const { path, bytes } = file;
  const reading = readManifest(bytes, { file: path, artifact_id: '', layer: '' });
  return reading.kind === 'ok' ? reading.manifest.values : undefined;
}

function hasFence({ bytes }: PackageFile): boolean {
  return FENCE.test(decoder.decode(bytes.subarray(0, SAMPLE_BYTES)));
}

export const PROMPT_DIRECTORIES: readonly string[] = [
  'commands',
  'command',
  'prompts',
  'skills',
  'skill',
  'workflows',
];

function mayBePrompt(file: PackageFile): boolean {
  const [name = '', ...directories] = file.path.toLowerCase().split('/').toReversed();
  if (!isMarkdown(file) && extensionOf(name) !== 'toml') return false;
  const isPlaced = directories.some(
    (one) => one.startsWith('.') || PROMPT_DIRECTORIES.includes(one),
  );
  return isPlaced || name === 'skill.md' || hasFence(file);
}

/** Returns true if harnesses treat content as text, which has no null byte near its start. */
function isText({ bytes }: PackageFile): boolean {
  return !bytes.subarray(0, SAMPLE_BYTES).includes(0);
}

function readInlineText(file: PackageFile, included: boolean): Reading {
  if (!isText(file)) return NOTHING;
  const { path, bytes } = file;
  const text = decoder.decode(bytes);
  if (!included && !mayBePrompt(file)) {
    return isMarkdown(file) ? readSpacedCommands(text, path) : NOTHING;
  }
  const names = hasFence(file) ? argumentNames(frontmatterOf(file)?.['arguments']) : [];
  const unescaped = extensionOf(lastSegment(path)) === 'toml' ? unescapeToml(text) : text;
  return joinReadings([
    readInlineCommands(text, path, names),
    ...(unescaped === text ? [] : [readInlineCommands(unescaped, path)]),
  ]);
}

/** Escape sequences of TOML, and line endings that TOML removes from strings. */
const TOML_ESCAPE = /\\u([\da-fA-F]{4})|\\U([\da-fA-F]{8})|\\[ \t]*\r?\n\s*/g;

function unescapeToml(text: string): string {
  return text.replaceAll(TOML_ESCAPE, (_, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? '0', 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}
