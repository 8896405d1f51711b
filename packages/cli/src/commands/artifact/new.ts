import { join } from 'node:path';
import { isArtifactId } from '@catalog/core/artifact/reference';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { shortPath } from '../../output/places.ts';
import { styled } from '../../output/text.ts';
import { layerRoot, openFolderToWrite, type RegistryFolder } from '../registry-folder.ts';
import { replaceFiles, writeNewFile } from '../write-new-file.ts';
import type { artifactNewDefinition } from './definition.ts';
import { startingFiles, type Start } from './starting-files.ts';

type Input = CommandInput<typeof artifactNewDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { registry, layer, force } = input.flags;
  const start = toStart(input);
  const folder = openFolderToWrite(session, registry);
  const root = layerRoot(folder, chooseLayer(folder, layer));
  const files = startingFiles(start).map((file) => ({
    ...file,
    path: join(root, start.id, file.path),
  }));
  const place = { root, purpose: 'author' } as const;
  if (force) await replaceFiles(files, place, session);
  else for (const file of files) writeNewFile(file, place, false);
  const paths = files.map((file) => shortPath(file.path, session));
  return {
    lines: [
      [styled('green', 'Created'), ` ${start.type} ${start.id}`],
      ...paths.map((path) => `  ${path}`),
      '',
      'Next: edit the files, check them with `catalog lint`, and install with `catalog sync`.',
    ],
    json: {
      id: start.id,
      type: start.type,
      registry: folder.path,
      files: files.map((f) => f.path),
    },
  };
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;

function toStart({ arguments: words, flags }: Input): Start {
  const { type, id } = words;
  const name = id.slice(id.lastIndexOf('/') + 1);
  if (!isArtifactId(id) || !NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    throw usageError(
      `${id} is not a valid artifact id: separate segments with /, and use only lowercase letters, digits and single hyphens in the last one, up to ${MAX_NAME_LENGTH} characters.`,
      `For example, use \`catalog artifact new ${type} ${suggestId(id)}\`.`,
      { command: 'artifact new', argument: 'id' },
    );
  }
  refuseMissing(type, flags);
  return {
    type,
    id,
    name,
    description: flags.description,
    tags: flags.tag ?? [],
    sensitivity: flags.sensitivity,
    extends: flags.extends,
    rule_mode: flags['rule-mode'] ?? 'always',
    rule_globs: flags['rule-globs'],
    rule_description: flags['rule-description'],
    hook_event: flags['hook-event'] ?? 'stop',
    hook_action: flags['hook-action'],
    server_identifier: flags['server-identifier'],
  };
}

/** Rejects missing values without a safe default: a guess could start an unrelated program. */
function refuseMissing(type: Start['type'], flags: Input['flags']): void {
  if (type === 'mcp-server' && flags['server-identifier'] === undefined) {
    throw usageError(
      'An mcp-server needs --server-identifier.',
      'Use `--server-identifier npx:<package>`, or a URL such as `https://host/mcp`.',
      { command: 'artifact new', argument: '--server-identifier' },
    );
  }
  if (type === 'rule' && flags['rule-mode'] === 'glob' && flags['rule-globs'] === undefined) {
    throw usageError(
      'A rule with `--rule-mode glob` needs --rule-globs.',
      "Use `--rule-globs 'deploy/**,infra/**'`.",
      { command: 'artifact new', argument: '--rule-globs' },
    );
  }
}

function suggestId(id: string): string {
  const segments = id
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, ''))
    .filter((segment) => segment !== '');
  return segments.length === 0 ? 'greetings/hello' : segments.join('/');
}

function chooseLayer(folder: RegistryFolder, requestedLayer: string | undefined): string {
  if (!folder.multi_layer) {
    if (requestedLayer === undefined) return '';
    throw usageError(
      `${folder.path} has no layers, so --layer ${requestedLayer} does not apply.`,
      'Omit --layer, or set `multi_layer: true` in .registry-config.',
      { command: 'artifact new', argument: '--layer' },
    );
  }
  const [only, ...others] = folder.layers;
  if (requestedLayer !== undefined && /^[^./\\][^/\\]*$/.test(requestedLayer))
    return requestedLayer;
  if (requestedLayer !== undefined) {
    throw usageError(
      `--layer ${requestedLayer} is not a valid folder name.`,
      `Layers of ${folder.path}: ${folder.layers.join(', ') || 'none yet'}.`,
      { command: 'artifact new', argument: '--layer' },
    );
  }
  if (only !== undefined && others.length === 0) return only;
  throw usageError(
    `${folder.path} has several layers: ${folder.layers.join(', ') || 'none yet'}.`,
    'Choose one with --layer <name>.',
    { command: 'artifact new', argument: '--layer' },
  );
}
