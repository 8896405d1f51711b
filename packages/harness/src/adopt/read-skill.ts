import { isJsonObject, type JsonObject } from '@catalog/core/json';
import { readYaml } from '@catalog/core/manifest/read-yaml';
import { addKey, renameDocument } from '../place/frontmatter.ts';
import type { SkippedContent } from './adopt-source.ts';
import type { Candidate, FoundFile, SourceFile } from './candidate.ts';
import { splitFrontmatter, textOf } from './product-text.ts';

type SkillReading = Required<
  Pick<Candidate, 'values' | 'skill' | 'resources' | 'sources' | 'left_out' | 'changes'>
>;

export function readSkill(
  name: string,
  root: string,
  files: readonly FoundFile[],
): SkillReading | SkippedContent {
  const bytesOf = (path: string): Uint8Array | undefined =>
    files.find((file) => file.path === root + path)?.bytes;
  const text = textOf(bytesOf('SKILL.md') ?? new Uint8Array());
  if (typeof text === 'object') return text;
  const changes: string[] = [];
  const named = withName(text, name, changes);
  const isForeign = ({ path }: FoundFile): boolean => isLeftOut(path.slice(root.length));
  const own = files.filter((file) => !isForeign(file));
  const sources = own.map(({ path, bytes, executable }): SourceFile => ({
    source: path,
    path: path.slice(root.length),
    bytes,
    executable,
  }));
  return {
    values: versionOf(text),
    skill: { text: named, manifest: bytesOf('ARTIFACT.md') },
    resources: sources.filter(isResource).map(({ source: _source, ...file }) => file),
    sources,
    left_out: files.filter(isForeign).map(({ path }) => path),
    changes,
  };
}

/** Returns true for a file of the skill; a manifest in a subfolder would start another package. */
function isResource({ path }: SourceFile): boolean {
  return path !== 'SKILL.md' && path.slice(path.lastIndexOf('/') + 1) !== 'ARTIFACT.md';
}

/** Returns true for a file that the package of the skill leaves out, such as one in a hidden folder. */
export function isLeftOut(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return IGNORED_FILES.has(name) || folders.some((segment) => segment.startsWith('.'));
}

const IGNORED_FILES = new Set(['.DS_Store', '.git']);

const VERSION = /^\d+\.\d+\.\d+(?:[-+].*)?$/;

function versionOf(text: string): JsonObject {
  const yaml = readYaml(splitFrontmatter(text).frontmatter);
  const metadata = yaml.kind === 'ok' ? yaml.values['metadata'] : undefined;
  const version = isJsonObject(metadata) ? metadata['version'] : undefined;
  return typeof version === 'string' && VERSION.test(version) ? { version } : {};
}

/** Sets the name, which the specification requires to be that of the folder. */
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
