import type { FileTree } from '@catalog/testkit/temporary-folder';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { drawBlock, drawFileName, drawHtml, drawLine, drawSvg, type Target } from './payloads.ts';

const TYPES = ['skill', 'rule', 'agent', 'command', 'context', 'hook', 'mcp-server'] as const;

export type Part =
  | { kind: 'block'; text: string }
  | { kind: 'field'; name: string; value: string | readonly string[] }
  | { kind: 'file'; path: string; text: string; executable: boolean }
  | { kind: 'domain'; description: string; keyword: string }
  /** An artifact that the registry rejects, and that layer pages list. */
  | { kind: 'rejected'; folder: string; text: string };

export interface HostileArtifact {
  id: string;
  type: (typeof TYPES)[number];
  /** A word that only this artifact contains. */
  word: string;
  parts: readonly Part[];
}

const FIELDS = [
  'description',
  'license',
  'release_notes',
  'replaced_by',
  'source',
  'name',
  'model',
  'hook_matcher',
] as const;
const LIST_FIELDS = ['tags', 'when_to_use', 'delegates_to', 'allowed-tools', 'args'] as const;

export function drawArtifact(seed: string, random: SeededRandom, target: Target): HostileArtifact {
  const word = `w${seed.replaceAll(/[^a-z0-9]/gi, 'q').toLowerCase()}`;
  const parts: Part[] = [];
  for (let blocks = 1 + random.int(5); blocks > 0; blocks -= 1) {
    parts.push({ kind: 'block', text: drawBlock(random, target) });
  }
  for (let fields = random.int(3); fields > 0; fields -= 1) parts.push(drawField(random, target));
  for (let files = random.int(4); files > 0; files -= 1) parts.push(...drawFile(random, target));
  if (random.next() < 0.3) {
    const keyword = drawLine(random, target);
    parts.push({ kind: 'domain', description: drawLine(random, target), keyword });
  }
  if (random.next() < 0.2) {
    const folder = drawFileName(random, target);
    const text = `---\ntype: ${JSON.stringify(drawLine(random, target))}\nversion: ${JSON.stringify(drawLine(random, target))}\n---\n`;
    parts.push({ kind: 'rejected', folder, text });
  }
  return { id: `${word}/artifact`, type: random.pick(TYPES), word, parts };
}

function drawField(random: SeededRandom, target: Target): Part {
  if (random.next() < 0.5) {
    return { kind: 'field', name: random.pick(FIELDS), value: drawLine(random, target) };
  }
  const value = [drawLine(random, target), drawLine(random, target)];
  return { kind: 'field', name: random.pick(LIST_FIELDS), value };
}

/** Draws a bundled file, and often a link or image in the text that points to it. */
function drawFile(random: SeededRandom, target: Target): Part[] {
  const path = drawFileName(random, target);
  const text = path.endsWith('.svg')
    ? drawSvg(random, target)
    : path.endsWith('.html')
      ? drawHtml(random, target)
      : `${drawBlock(random, target)}\n`;
  const file: Part = { kind: 'file', path, text, executable: random.next() < 0.2 };
  if (random.next() < 0.4) return [file];
  const link = `[file](<${encodeURI(path)}>) ![image](<${encodeURI(path)}>)`;
  return [file, { kind: 'block', text: link }];
}

/** Converts an artifact to the files of a layer. The second version has different text. */
export function toFiles({ type, id, word, parts }: HostileArtifact, version: string): FileTree {
  const own: Record<string, unknown> = { description: `Hostile ${word}.` };
  for (const part of parts) if (part.kind === 'field') own[part.name] = part.value;
  const shared = { version, type };
  const body = [
    `Text of ${word}, version ${version}.`,
    ...parts.flatMap((part) => (part.kind === 'block' ? [part.text] : [])),
    version === '1.0.0' ? '<b onclick=x>old</b>' : '<i onclick=x>new</i>',
  ].join('\n\n');
  const files: Record<string, string | { x: string }> = {};
  if (type === 'skill') {
    const { description, name: _, ...rest } = own;
    files[`${id}/ARTIFACT.md`] = frontmatter({ ...shared, ...rest }, '');
    files[`${id}/SKILL.md`] = frontmatter({ name: 'artifact', description }, body);
  } else {
    files[`${id}/ARTIFACT.md`] = frontmatter({ ...shared, ...requiredBy(type), ...own }, body);
  }
  for (const part of parts) {
    if (part.kind === 'file') {
      files[`${id}/${part.path}`] = part.executable ? { x: part.text } : part.text;
    } else if (part.kind === 'domain') {
      const { description, keyword } = part;
      files[`${word}/DOMAIN.md`] = frontmatter(
        { description, discovery: { keywords: [keyword] } },
        description,
      );
    } else if (part.kind === 'rejected') {
      files[`${word}/${part.folder}/ARTIFACT.md`] = part.text;
    }
  }
  return files;
}

function requiredBy(type: HostileArtifact['type']): Record<string, unknown> {
  if (type === 'hook') return { hook_event: 'pre_tool_use', hook_action: './run.sh "<script>"' };
  if (type === 'mcp-server') return { command: 'sh', args: ['-c', '<script>'] };
  return {};
}

function frontmatter(fields: Record<string, unknown>, body: string): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n${body}\n`;
}

export function describePart(part: Part): string {
  return JSON.stringify(part);
}
