import type { PackageFile } from '@catalog/core/artifact/types';
import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { addKey, renameDocument } from '../place/frontmatter.ts';
import type { Left } from './adopt-source.ts';
import type { Candidate, FoundFile } from './candidate.ts';
import { splitFrontmatter, textOf } from './product-text.ts';

type SkillReading = Required<Pick<Candidate, 'values' | 'skill' | 'resources' | 'changes'>>;

/** A folder with a `SKILL.md` as a skill, whose name is that of the folder. */
export function readSkill(
  name: string,
  root: string,
  files: readonly FoundFile[],
): SkillReading | Left {
  const bytesOf = (path: string): Uint8Array | undefined =>
    files.find((file) => file.path === root + path)?.bytes;
  const text = textOf(bytesOf('SKILL.md') ?? new Uint8Array());
  if (typeof text === 'object') return text;
  const changes: string[] = [];
  const named = withName(text, name, changes);
  const others = files.filter(({ path }) => !OWN_FILES.has(path.slice(root.length)));
  const foreign = others.filter(({ path }) => isLeftOut(path.slice(root.length)));
  for (const { path } of foreign) changes.push(`${path.slice(root.length)} is left out`);
  return {
    values: versionOf(text),
    skill: { text: named, manifest: bytesOf('ARTIFACT.md') },
    resources: others
      .filter((file) => !foreign.includes(file))
      .map(({ path, bytes, executable }): PackageFile => ({
        path: path.slice(root.length),
        bytes,
        executable,
      })),
    changes,
  };
}

const OWN_FILES = new Set(['SKILL.md', 'ARTIFACT.md']);

/**
 * Whether a file in the folder of a skill is not taken with it. Folders that begin with a dot are no
 * part of a package; a manifest further down begins another.
 */
export function isLeftOut(path: string): boolean {
  if (OWN_FILES.has(path)) return false;
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return FOREIGN.has(name) || folders.some((segment) => segment.startsWith('.'));
}

const FOREIGN = new Set(['ARTIFACT.md', '.DS_Store', '.git']);

const VERSION = /^\d+\.\d+\.\d+(?:[-+].*)?$/;

/** The version a skill says it has. */
function versionOf(text: string): JsonObject {
  const yaml = readYaml(splitFrontmatter(text).frontmatter);
  const metadata = yaml.kind === 'ok' ? yaml.values['metadata'] : undefined;
  const version = isJsonObject(metadata) ? metadata['version'] : undefined;
  return typeof version === 'string' && VERSION.test(version) ? { version } : {};
}

/** The skill under the name of its folder, which is what the specification asks for. */
function withName(text: string, name: string, changes: string[]): string {
  const { head, frontmatter, body } = splitFrontmatter(text);
  const yaml = readYaml(frontmatter);
  if (head === '' || yaml.kind === 'refused') return text;
  const { name: own } = yaml.values;
  if (own === name) return text;
  const renamed =
    typeof own === 'string' ? renameDocument(head, own, name) : addKey(head, 'name', name);
  if (renamed === head) return text;
  changes.push(
    own === undefined ? `its name is ${name}` : `its name is ${name}, not ${JSON.stringify(own)}`,
  );
  return renamed + body;
}
