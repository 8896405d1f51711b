import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from '../adapter.ts';
import { encodeText } from '../place/encode-text.ts';
import { type Placed, refuseUnsafePath } from '../place-artifacts.ts';
import type { Plan, PlannedEntry, PlannedFile, PlanOptions } from '../planned.ts';
import { adapters, loadAdapter } from '../registry.ts';
import { documentText } from './document-files.ts';
import { type FilledPlugin, fillPlugins, type PluginContent } from './fill-plugins.ts';
import type { ChosenFormat } from './find-format.ts';
import type { MarketplaceDocument, MarketplaceFormat, RenderedMarket } from './format.ts';
import { parseVersion } from '@catalog/core/version/version';

const DIGITS = 8;

/**
 * Returns the version of a plugin: the sum of its artifacts' versions, part by part, and the start of their content
 * hash (SPEC-67). Equal artifacts have equal versions, and every change results in another one.
 */
function pluginVersion(
  artifacts: readonly Pick<Artifact, 'id' | 'version' | 'content_hash'>[],
  about: readonly string[],
): string {
  const sum = { major: 0, minor: 0, patch: 0 };
  for (const { version } of artifacts) {
    const parsed = parseVersion(version);
    if (parsed === undefined) continue;
    sum.major += parsed.major;
    sum.minor += parsed.minor;
    sum.patch += parsed.patch;
  }
  const lines = artifacts.map(({ id, content_hash }) => `${id} ${content_hash}`).sort(compareBytes);
  const content = bytesHash(JSON.stringify([...about, ...lines]));
  const digits = content.slice('sha256:'.length, 'sha256:'.length + DIGITS);
  return `${sum.major}.${sum.minor}.${sum.patch}+${digits}`;
}

export interface MarketplaceInput {
  name: string;
  description: string | undefined;
  plugins: readonly PluginContent[];
  formats: readonly ChosenFormat[];
}

export interface MarketplaceRendering {
  /** Plan with whole files, because catalog is the only writer. */
  plan: Plan;
  /** Plugins, one element per plugin and format. */
  plugins: { format: string; name: string; version: string; artifacts: string[] }[];
}

/**
 * Renders a marketplace, independent of the order of artifacts. Artifacts without a place in a format are skipped and
 * reported (SPEC-38).
 */
export function renderMarketplace(
  { plugins, formats, ...market }: MarketplaceInput,
  options: PlanOptions,
  known: ReadonlyMap<string, HarnessAdapter> = adapters,
): MarketplaceRendering {
  const plan: Plan = { files: [], entries: [], unsupported: [], fallbacks: [], left_out: [] };
  const rendering: MarketplaceRendering = { plan, plugins: [] };
  const sorted = plugins.map((plugin) => ({
    ...plugin,
    artifacts: plugin.artifacts.map(withoutEvals).toSorted((a, b) => compareBytes(a.id, b.id)),
  }));
  for (const { format, readers } of formats) {
    const landing =
      format.landing === undefined ? undefined : loadAdapter(format.landing, 'workspace', known);
    const filled = fillPlugins(sorted, { format, landing, readers }, options, plan);
    addFormat(market, filled, format, rendering);
  }
  plan.files.sort((a, b) => compareBytes(a.path, b.path));
  return rendering;
}

const EVALS_FOLDER = 'evals/';

/** Removes trigger tests, which are for authors. */
function withoutEvals(artifact: Artifact): Artifact {
  const resources = artifact.resources.filter(({ path }) => !path.startsWith(EVALS_FOLDER));
  return resources.length === artifact.resources.length ? artifact : { ...artifact, resources };
}

type About = Pick<MarketplaceInput, 'name' | 'description'>;

function addFormat(
  about: About,
  filled: readonly FilledPlugin[],
  format: MarketplaceFormat,
  { plan, plugins }: MarketplaceRendering,
): void {
  // An extension is the repository, so it stays even if it is empty.
  const offered = filled.filter(
    ({ artifacts }) => artifacts.length > 0 || format.plugins === 'one',
  );
  const market = toMarket(about, offered, format);
  const entries = offered.flatMap(({ placed }) => placed.entries);
  plan.files.push(
    ...offered.flatMap(({ placed }) => placed.files),
    ...documentFiles(market, format.documents(market), entries),
  );
  for (const [position, { version }] of market.plugins.entries()) {
    const { name: plugin = '', artifacts = [] } = offered[position] ?? {};
    const ids = artifacts.map(({ id }) => id);
    plugins.push({ format: format.id, name: plugin, version, artifacts: ids });
  }
}

function toMarket(
  about: About,
  filled: readonly FilledPlugin[],
  format: MarketplaceFormat,
): RenderedMarket {
  const revision = String(format.revision);
  return {
    ...about,
    version: pluginVersion(
      filled.flatMap(({ artifacts }) => artifacts),
      [revision, ...filled.flatMap(({ placed }) => contentLines(placed))],
    ),
    plugins: filled.map(({ name: plugin, description, folder, skills, artifacts, placed }) => ({
      name: plugin,
      description,
      version: pluginVersion(artifacts, [revision, description ?? '', ...contentLines(placed)]),
      folder,
      paths: new Set([...placed.files, ...placed.entries].map(({ path }) => path)),
      skills,
    })),
  };
}

/**
 * Returns lines of the content hash. Names and keys also depend on the importing products and on other artifacts of the
 * plugin.
 */
function contentLines({ files, entries }: Placed): string[] {
  return [
    ...files.map(({ path, bytes, executable }) =>
      [path, bytesHash(bytes), executable ? 'x' : ''].join(' '),
    ),
    ...entries.map(({ path, entry }) => JSON.stringify([path, entry])),
  ];
}

function documentFiles(
  market: RenderedMarket,
  documents: readonly MarketplaceDocument[],
  entries: readonly PlannedEntry[],
): PlannedFile[] {
  const byPath = Map.groupBy(entries, ({ path }) => path);
  const own = new Map(documents.map((document) => [document.path, document]));
  const paths = [...new Set([...own.keys(), ...byPath.keys()])];
  return paths.map((path) => {
    const document = own.get(path);
    const into = byPath.get(path) ?? [];
    const bytes = encodeText(documentText(document?.content, into));
    refuseUnsafePath(market.name, path);
    return { path, bytes, executable: false, ...sourceOf(path, document, market) };
  });
}

export function marketplaceOwner(name: string): string {
  return `marketplace:${name}`;
}

/** Returns the source of a document for the lock: its plugin, or the marketplace. */
function sourceOf(
  path: string,
  document: MarketplaceDocument | undefined,
  { name, version, plugins }: RenderedMarket,
): Omit<PlannedFile, 'path' | 'bytes' | 'executable'> {
  const plugin = plugins.find(
    (one) => one.name === document?.plugin || (document === undefined && one.paths.has(path)),
  );
  return {
    artifact_id: plugin === undefined ? marketplaceOwner(name) : `plugin:${plugin.name}`,
    version: plugin?.version ?? version,
    layer: '',
    content_hash: '',
  };
}
