import type { Artifact } from '@catalog/core/artifact/types';
import { markedDocument } from '@catalog/harness/place/document-text';
import { isImported } from '@catalog/harness/place/provenance';
import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  skillEntry,
  SkillCatalogError,
  SkillsExtension,
  type Skill,
  type SkillSource,
} from '@modelcontextprotocol/server/ext/skills';
import { newMark } from '../id.ts';
import { markContents, markRecord } from '../untrusted-data.ts';
import {
  withProtocolErrors,
  decodeId,
  listOrEmpty,
  pageOf,
  type OpenView,
  type SurfaceRegistry,
} from './view.ts';

const BASE = 'skill://';
const MAIN = 'SKILL.md';
/** Skills per page. Each skill is loaded, because a digest covers its content. */
const PAGE = 20;

/** Mark of imported blocks. It is part of a skill, so it must not change while hosts use the digests. */
const BLOCK_MARK = newMark();

export function attachSkills(mcp: McpServer, open: OpenView, warn: (line: string) => void): void {
  const onWarning = ({ path, message }: { path: string; message: string }): void =>
    warn(`the skill ${path} was left out: ${message}`);
  // Registered before the resource of the extension, which cannot return items around a file.
  mcp.registerResource(
    'skill-file',
    new ResourceTemplate(`${BASE}{+path}`, { list: undefined }),
    { title: 'A file of a skill' },
    (uri, _, context) => readFile(open, uri.href, context),
  );
  new SkillsExtension({ source: openSource(open, warn, onWarning), onWarning }).attach(mcp);
}

/** Returns a file. Its bytes match the digest; the mark of an imported skill surrounds them. */
async function readFile(
  open: OpenView,
  uri: string,
  context: ServerContext,
): Promise<ReadResourceResult> {
  return withProtocolErrors(uri, async () => {
    const registry = await open(context);
    const place = await findPlace(registry, uri, context);
    const artifact = place === undefined ? undefined : await load(registry, place.id, context);
    const bytes = artifact === undefined ? undefined : filesOf(artifact)[place?.path ?? ''];
    if (artifact === undefined || bytes === undefined) throw new ResourceNotFoundError(uri);
    const contents = [{ uri, ...toContent(bytes) }];
    return {
      contents: isImported(artifact.fields.source) ? markContents(contents) : contents,
    };
  });
}

function openSource(
  open: OpenView,
  warn: (line: string) => void,
  onWarning: (warning: { path: string; message: string }) => void,
): SkillSource {
  /**
   * Returns the entry of a skill. If the rules of the extension do not allow it, logs a warning and returns undefined.
   */
  async function entryOf(artifact: Artifact): Promise<Skill | undefined> {
    try {
      const entry = await skillEntry(artifact.id, filesOf(artifact));
      return isImported(artifact.fields.source) ? markRecord(entry) : entry;
    } catch (error) {
      if (!SkillCatalogError.isInstance(error)) throw error;
      for (const { message } of error.problems) onWarning({ path: artifact.id, message });
      return undefined;
    }
  }

  return {
    list: ({ cursor }, context) =>
      listOrEmpty({ skills: [] }, warn, async () => {
        const registry = await open(context);
        const ids = await listSkills(registry, context);
        const { items, ...rest } = pageOf(ids, (id) => id, cursor, PAGE);
        const loaded = await Promise.all(items.map((id) => load(registry, id, context)));
        const entries = await Promise.all(loaded.map(entryOf));
        return { skills: entries.filter((entry) => entry !== undefined), ...rest };
      }),
    get: (uri, context) =>
      withProtocolErrors(uri, async () => {
        const registry = await open(context);
        const place = await findPlace(registry, uri, context);
        if (place?.path !== MAIN) return undefined;
        return entryOf(await load(registry, place.id, context));
      }),
    read: () => Promise.resolve(undefined),
  };
}

async function listSkills(registry: SurfaceRegistry, { mcpReq }: ServerContext): Promise<string[]> {
  const all = await registry.listArtifacts(mcpReq.signal);
  return all.filter(({ type }) => type === 'skill').map(({ id }) => id);
}

async function load(
  registry: SurfaceRegistry,
  id: string,
  { mcpReq }: ServerContext,
): Promise<Artifact> {
  const { artifact } = await registry.loadArtifact({ id }, mcpReq.signal);
  return artifact;
}

/** Splits a URI into id and path, both of which contain slashes. */
async function findPlace(
  registry: SurfaceRegistry,
  uri: string,
  context: ServerContext,
): Promise<{ id: string; path: string } | undefined> {
  if (!uri.startsWith(BASE)) return undefined;
  const whole = decodeId(uri.slice(BASE.length));
  const ids = await listSkills(registry, context);
  const id = ids.findLast((known) => whole.startsWith(`${known}/`));
  return id === undefined ? undefined : { id, path: whole.slice(id.length + 1) };
}

/** Returns the files as a harness would get them, with marks around imported blocks. */
function filesOf(artifact: Artifact): Record<string, Uint8Array> {
  const { skill, resources, fields } = artifact;
  // The mark of a completely imported skill is outside of its bytes.
  const mark = isImported(fields.source) ? undefined : BLOCK_MARK;
  const text = skill === undefined ? '' : markedDocument(skill, artifact, mark);
  const files = resources.map(({ path, bytes }) => [path, bytes] as const);
  return Object.fromEntries([[MAIN, Buffer.from(text)], ...files]);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toContent(bytes: Uint8Array): { text: string } | { blob: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { blob: Buffer.from(bytes).toString('base64') };
  }
}
