import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Discovery } from '@catalog/consumer/discover/discovery';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import { recordCapabilities } from '@catalog/consumer/discover/record-capabilities';
import { capabilityKey } from '@catalog/core/capabilities/capability-key';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import type { ArtifactRecord, VersionList } from '@catalog/contract/records/artifact';
import { toRequestedVersion } from '@catalog/contract/requested-version';
import { quoteRegistry } from '@catalog/sdk/quote-server';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { getLineage, lineageLines } from '../lineage.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import type { showDefinition } from './definition.ts';

type Input = CommandInput<typeof showDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { registry, versions } = input.flags;
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry })));
  const discovery = await openDiscovery(config, { signIn: signInOnFirstUse(config, session) });
  const [id = '', pin = ''] = input.arguments.artifact.split('@', 2);
  const from = config.registry?.value ?? '';
  return versions
    ? showVersions(discovery, id, session)
    : showOne(discovery, { id, version: toRequestedVersion(pin), from }, session);
}

async function showOne(
  discovery: Discovery,
  { from, ...wanted }: { id: string; version: string; from: string },
  session: Session,
): Promise<CommandResult> {
  const record = await discovery.loadArtifact(wanted, session.signal);
  const capabilities = recordCapabilities(record);
  const executable_content = capabilities?.map((capability) => ({
    kind: capability.kind,
    key: capabilityKey(capability),
    text: formatCapability(capability),
  }));
  const lineage = await getLineage(discovery, record, session.signal);
  return {
    lines: [
      ...headLines(record, from),
      ...(lineage === undefined ? [] : lineageLines(lineage)),
      ...contentLines(executable_content?.map(({ text }) => text)),
      '',
      ...bodyLines(record),
      ...fileLines(record),
    ],
    json: {
      ...record,
      ...(lineage === undefined ? {} : { parents: lineage.parents, fields: lineage.fields }),
      ...(executable_content === undefined ? {} : { executable_content }),
    },
  };
}

/** Renders executable content, which is already escaped. */
function contentLines(capabilities: readonly string[] | undefined): Line[] {
  if (capabilities === undefined)
    return ['', 'Executable content: not listed because a manifest is too large'];
  if (capabilities.length === 0) return [];
  return ['', 'Executable content', ...capabilities.map((text): Line => `  ${text}`)];
}

function headLines(record: ArtifactRecord, from: string): Line[] {
  const { id, type, version, layer, content_hash, sensitivity, deprecation_warning } = record;
  const rows: [string, string][] = [
    ['type', type],
    ['version', version],
    ['layer', layer],
    ...(sensitivity === undefined ? [] : [['sensitivity', sensitivity] as [string, string]]),
    ['content', content_hash],
  ];
  const own = record.deprecated ? `${id} ${version} is deprecated.` : '';
  const warning = deprecation_warning === undefined ? own : attribute(deprecation_warning, from);
  return [
    [styled('bold', id)],
    ...alignColumns(rows, '  '),
    ...(warning === '' ? [] : [[styled('yellow', 'warning'), `: ${warning}`]]),
  ];
}

/** Attributes text to a server. For a folder, the text comes from catalog. */
function attribute(text: string, from: string): string {
  return isAddress(from) ? quoteRegistry(from, text) : text;
}

function bodyLines({
  manifest_body,
  manifest_body_url,
  skill_body,
  skill_body_url,
}: ArtifactRecord): Line[] {
  const parts = [
    { text: manifest_body, url: manifest_body_url },
    { text: skill_body, url: skill_body_url },
  ];
  return parts.flatMap(({ text, url }): Line[] => {
    if (url !== undefined) return [`(too long to show; see ${url})`, ''];
    return text === undefined || text === '' ? [] : [...documentLines(text), ''];
  });
}

function documentLines(text: string): Line[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((document) => [{ document }]);
}

function fileLines({ resources, large_resources, executable = [] }: ArtifactRecord): Line[] {
  const paths = [...Object.keys(resources), ...Object.keys(large_resources)].sort();
  if (paths.length === 0) return [];
  return [
    count(paths.length, 'bundled file'),
    ...paths.map((path): Line => `  ${path}${executable.includes(path) ? '  (executable)' : ''}`),
  ];
}

async function showVersions(
  discovery: Discovery,
  id: string,
  session: Session,
): Promise<CommandResult> {
  const list = await discovery.listVersions({ id }, session.signal);
  const header = ['version', 'layer', 'taken', 'content', ''].map((title): Line => [
    styled('bold', title),
  ]);
  return { lines: alignColumns([header, ...list.versions.map(toRow)]), json: list };
}

const SHOWN_HASH = 'sha256:'.length + 12;

function toRow(row: VersionList['versions'][number]): Line[] {
  const marks = [
    ...(row.latest ? ['current'] : []),
    ...(row.deprecated ? ['deprecated'] : []),
    ...(row.rolled_back === true ? ['rolled back'] : []),
    ...(row.withdrawn ? ['removed from the source'] : []),
  ];
  return [
    row.version,
    row.layer,
    formatTime(row.ingested_at),
    row.content_hash.slice(0, SHOWN_HASH),
    marks.join(', '),
  ];
}
