import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../services/run-program.ts';
import { programs } from './programs/index.ts';
import { harnessSources } from './sources.ts';

export interface CheckedVersion {
  harness: string;
  tool: string;
  /** Undefined if no version was checked, as for a web product. */
  version: string | undefined;
  /** `YYYY-MM-DD`. */
  checked: string;
  /** Undefined if the product is in no package registry. */
  package: PublishedPackage | undefined;
}

export interface PublishedPackage {
  from: 'npm' | 'pypi';
  name: string;
}

export interface NewestVersions {
  seen: string;
  versions: Readonly<Record<string, string>>;
}

/** Days after which a page must be checked again. */
export const MAX_AGE_DAYS = 90;

export const NEWEST_FILE = join(import.meta.dirname, 'newest-versions.json');
const PINNED = join(import.meta.dirname, 'pinned');
const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;

export function checkedVersions(): CheckedVersion[] {
  return Object.entries(harnessSources).map(([harness, { tool, checked, package: named }]) => {
    const program = programs.find(
      ({ profile, installs, title }) =>
        profile === harness && installs !== undefined && title === tool,
    );
    if (program?.installs === undefined) {
      const published: PublishedPackage | undefined = named && { from: 'npm', name: named.name };
      return { harness, tool, checked, version: named?.version, package: published };
    }
    const { from, pinned } = program.installs;
    const name = from === 'npm' ? npmPackage(pinned) : PYPI_PACKAGES[pinned];
    if (name === undefined) throw new RangeError(`the package of ${pinned} is unknown`);
    return { harness, tool, checked, version: program.version, package: { from, name } };
  });
}

/** A list of hashes does not show which package is the program. */
const PYPI_PACKAGES: Readonly<Record<string, string>> = { hermes: 'hermes-agent' };

function npmPackage(pinned: string): string | undefined {
  const text = readFileSync(join(PINNED, pinned, 'package.json'), 'utf8');
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(text);
  return Object.keys(dependencies)[0];
}

export function readNewestVersions(): NewestVersions {
  return JSON.parse(readFileSync(NEWEST_FILE, 'utf8'));
}

export async function publishedVersion({ from, name }: PublishedPackage): Promise<string> {
  if (from === 'npm') return (await runProgram('npm', ['view', name, 'version'])).trim();
  const shown = await runProgram('python3', ['-m', 'pip', 'index', 'versions', name]);
  const [, version] = /\(([^)]+)\)/.exec(shown) ?? [];
  if (version === undefined) throw new Error(`pip lists no version of ${name}`);
  return version;
}

/** Reasons are phrases. */
export function outdatedReasons(
  { version, checked, package: published }: CheckedVersion,
  { versions }: NewestVersions,
  today: string,
): string[] {
  const newest = published === undefined ? undefined : versions[published.name];
  const age = Math.floor((Date.parse(today) - Date.parse(checked)) / MILLISECONDS_PER_DAY);
  return [
    ...(newest === undefined || version === undefined || released(newest) === released(version)
      ? []
      : [`${newest} is published`]),
    ...(age > MAX_AGE_DAYS ? [`checked ${age} days ago`] : []),
  ];
}

/** Some packages append a platform or commit suffix. */
function released(version: string): string {
  return version.replace(/-(?:linux-x64|g[\da-f]+)$/, '');
}
