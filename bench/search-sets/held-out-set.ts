import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../../tools/services/install-once.ts';
import { runProgram } from '../../tools/services/run-program.ts';
import { namelessDocument, type SearchSet } from './search-set.ts';

/** Version of the rules below; increase it to rebuild the set after a change. */
const EDITION = 1;
/** Rule of the model's training: source packages with a hash below it were excluded from training. */
const HELD_OUT_PERCENT = 18n;
/** Documents for each title used as a query, as in the measurements of the model. */
const DOCUMENTS_PER_TITLE = 2.5;
const MAX_TEXT_LENGTH = 600;
const SHORTEST_TEXT = 60;
const EMPTY_PACKAGES = /transitional|dummy package|metapackage|debug symbols/i;

export interface HeldOutPackage {
  name: string;
  title: string;
  text: string;
}

/** Builds a set of Debian packages that the model was not trained on, with titles as queries. */
export async function makeHeldOutSet(titles: number): Promise<SearchSet> {
  const packages = (await loadPackages()).slice(0, Math.ceil(titles * DOCUMENTS_PER_TITLE));
  const documents = packages.map(({ text }, at) =>
    namelessDocument(at, text.slice(0, MAX_TEXT_LENGTH)),
  );
  return {
    name: 'held-out',
    documents,
    queries: packages
      .slice(0, titles)
      .map(({ title }, at) => ({ query: title, relevant: new Set([documents[at]?.id ?? '']) })),
  };
}

async function loadPackages(): Promise<HeldOutPackage[]> {
  const folder = await installOnce({ key: `held-out-packages-${EDITION}`, build: keepPackages });
  return JSON.parse(readFileSync(join(folder, 'packages.json'), 'utf8'));
}

async function keepPackages(folder: string): Promise<void> {
  const lists = join(folder, 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  // Uses its own package lists, so that it needs neither root nor the system's lock.
  const settings = [
    `Dir::State::lists=${lists}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Languages=en',
    'Acquire::GzipIndexes=false',
  ].flatMap((setting) => ['-o', setting]);
  await runProgram('apt-get', [...settings, '-qq', 'update']);
  const packages = heldOutPackages(
    readList(lists, /_debian_dists_[a-z]+_main_binary-[^_]+_Packages$/),
    readList(lists, /_debian_dists_[a-z]+_main_i18n_Translation-en$/),
  );
  rmSync(lists, { recursive: true });
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(packages));
}

function readList(lists: string, name: RegExp): string {
  const file = readdirSync(lists).find((entry) => name.test(entry));
  if (file === undefined) throw new Error(`apt has no list like ${name.source}`);
  return readFileSync(join(lists, file), 'utf8');
}

/**
 * Returns one package of each held-out source, with a unique title and description, in pseudorandom
 * order. The same lists give the same packages.
 */
export function heldOutPackages(packages: string, translations: string): HeldOutPackage[] {
  const sources = readSources(packages);
  const bySource = new Map<string, HeldOutPackage>();
  for (const record of translations.split('\n\n')) {
    const described = readDescription(record);
    const source = described && sources.get(described.name);
    if (described === undefined || source === undefined) continue;
    if (bySource.has(source) || !isHeldOut(source) || described.text.length < 80) continue;
    if (EMPTY_PACKAGES.test(described.title + described.text)) continue;
    bySource.set(source, described);
  }
  const found = [...bySource.values()];
  const titles = countOf(found.map(({ title }) => title.toLowerCase()));
  const texts = countOf(found.map(({ text }) => text));
  return found
    .filter(({ title, text }) => titles.get(title.toLowerCase()) === 1 && texts.get(text) === 1)
    .map(({ name, title, text }) => ({ name, title, text: withoutTitle(text, title) }))
    .filter(({ text }) => text.length >= SHORTEST_TEXT)
    .map((each) => ({ each, rank: sha1(each.name) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ each }) => each);
}

/** Returns the source of each package; most sources have the same name as the package. */
function readSources(packages: string): Map<string, string> {
  const sources = new Map<string, string>();
  for (const record of packages.split('\n\n')) {
    const name = /^Package: (\S+)/.exec(record)?.[1];
    if (name !== undefined) sources.set(name, /^Source: (\S+)/m.exec(record)?.[1] ?? name);
  }
  return sources;
}

function readDescription(record: string): HeldOutPackage | undefined {
  const name = /^Package: (\S+)/.exec(record)?.[1];
  const [, title, body] = /^Description-en: (.*)\n((?: .*\n?)*)/m.exec(record) ?? [];
  if (name === undefined || title === undefined || body === undefined) return undefined;
  // A line with only a period separates paragraphs.
  const text = body
    .replaceAll(/^ \.\s*$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { name, title: title.trim(), text };
}

function isHeldOut(source: string): boolean {
  return BigInt(`0x${sha1(source)}`) % 100n < HELD_OUT_PERCENT;
}

/** Removes the title, which many descriptions repeat: the search would be trivial. */
function withoutTitle(text: string, title: string): string {
  const plain = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(plain, 'gi'), ' ').trim();
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
