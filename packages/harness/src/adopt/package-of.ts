import { isArtifactId } from '@catalog/core/artifact/reference';
import type { AuthoredPackage, PackageFile } from '@catalog/core/artifact/types';
import type { Json } from '@catalog/core/json';
import { findSecret } from '@catalog/core/lint/secrets';
import { yamlMembers } from '../place/yaml-text.ts';
import type { AdoptedType, SkippedContent } from './adopt-source.ts';
import type { Candidate } from './candidate.ts';

export const ADOPTED_LAYER = 'adopted';

const FIRST_VERSION = '1.0.0';

const FOLDERS: Readonly<Record<AdoptedType, string>> = {
  skill: 'skills',
  agent: 'agents',
  command: 'commands',
  rule: 'rules',
  hook: 'hooks',
  'mcp-server': 'mcp-servers',
};

export function idOf({ type, folder, name }: Candidate, domain: string): string {
  const before = domain === '' ? '' : `${domain}/`;
  const id = `${before}${FOLDERS[type]}/${folder}${name}`;
  if (isArtifactId(id) && PLAIN.test(folder + name)) return id;
  const plain = (folder + name)
    .split('/')
    .map((segment) => segment.replaceAll(/[^\w.+-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, ''))
    .filter((segment) => segment !== '')
    .join('/');
  return `${before}${FOLDERS[type]}/${plain === '' ? type : plain}`;
}

/** Characters without a special meaning in file systems, shells and ids. */
const PLAIN = /^[\w+][\w./+-]*$/;

const encoder = new TextEncoder();

export function packageOf(candidate: Candidate, id: string): AuthoredPackage | SkippedContent {
  const secret = secretIn(candidate);
  if (secret !== undefined) return { left: secretReason(secret) };
  const { skill, resources } = candidate;
  return {
    id,
    layer: ADOPTED_LAYER,
    manifest: skill?.manifest ?? encoder.encode(manifestOf(candidate)),
    skill: skill === undefined ? undefined : encoder.encode(skill.text),
    resources: resources.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

export function manifestOf({ type, values, body }: Candidate): string {
  const { version, description, ...rest } = values;
  const own = Object.entries(description === undefined ? rest : { description, ...rest });
  const members: [string, Json][] = [
    ['type', type],
    ['version', typeof version === 'string' ? version : FIRST_VERSION],
    ...own.filter(([, value]) => value !== null && value !== ''),
  ];
  return `---\n${yamlMembers(members)}---\n${body}`;
}

const decoder = new TextDecoder();

/** Returns the part of an artifact with a secret. Servers contain only references to secrets. */
function secretIn({ type, values, body, skill, resources }: Candidate): string | undefined {
  const prose = skill?.text ?? body;
  if (findSecret(prose) !== undefined) return skill === undefined ? 'its text' : 'SKILL.md';
  if (type !== 'mcp-server' && findSecret(JSON.stringify(values)) !== undefined) return 'it';
  return resources.find(hasSecret)?.path;
}

export function hasSecret({ bytes }: PackageFile): boolean {
  return findSecret(decoder.decode(bytes)) !== undefined;
}

export function secretReason(what: string): string {
  return `${what} holds what looks like a secret; take it out, then adopt again`;
}
