import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { globProblem } from '@catalog/core/scope/scope-filter';
import { expandHome } from '@catalog/core/text/expand-home';
import type { PluginRule } from '@catalog/harness/marketplace/assign-plugins';
import { withoutSecrets } from '../marketplace/without-secrets.ts';
import { realFolder } from './real-folder.ts';
import { harnessNames } from './harness-names.ts';
import { refuseTarget, type Refuse } from './refuse-target.ts';
import { resolveWorkflow } from './resolve-workflow.ts';
import type {
  ConfigFile,
  MarketplaceTarget,
  Origin,
  ResolvedTarget,
  TargetConfig,
} from './types.ts';

/** Resolves the settings of a marketplace. Whether its harnesses exist is checked later. */
export function resolveMarketplace(
  target: TargetConfig,
  file: ConfigFile,
  { home, exclude, origins }: { home: string; exclude: string[]; origins: readonly Origin[] },
): MarketplaceTarget {
  const refuse = refuseTarget(target.id, file.path);
  if (target.target === undefined) {
    const advice = 'Set `target` to the folder the repository is rendered into.';
    throw refuse('is a marketplace without a folder', advice, 'target');
  }
  checkMessage(target.commit_message, refuse);
  return {
    id: target.id,
    directory: resolve(file.base, expandHome(target.target, home)),
    origins: { directory: [file.origin], files: [file.origin, ...origins] },
    description: target.description,
    harnesses: harnessesOf(target, refuse),
    plugins: pluginsOf(target, refuse),
    exclude,
    identity: target.identity,
    commit_message: target.commit_message,
    ...destinationOf(target, file, refuse),
    workflow: resolveWorkflow(target.workflow ?? {}, refuse),
    file,
  };
}

function harnessesOf({ harness, harnesses }: TargetConfig, refuse: Refuse): string[] {
  if (harness !== undefined && harnesses !== undefined) {
    const advice = 'Remove one of the two.';
    throw refuse('has both harness and harnesses', advice, 'harness', 'harnesses');
  }
  const list = harnessNames(harness ?? harnesses ?? []);
  if (list.length === 0) {
    const advice =
      'List the harnesses that import it under `harness`, such as [claude-code, cursor].';
    throw refuse('is a marketplace without a harness', advice, 'harness');
  }
  return list;
}

function pluginsOf({ plugins = [] }: TargetConfig, refuse: Refuse): PluginRule[] {
  if (plugins.length === 0) {
    const advice = 'List its plugins under `plugins`, such as [{name: ops, include: ["ops/**"]}].';
    throw refuse('is a marketplace without plugins', advice, 'plugins');
  }
  return plugins.map(({ name, description, include = [], exclude = [], type = [] }) => {
    for (const pattern of [...include, ...exclude]) {
      const problem = globProblem(pattern);
      if (problem === undefined) continue;
      throw refuse(
        `has a plugin ${name} whose pattern ${pattern} ${problem}`,
        'Write a glob over ids, such as ops/** or {ops,shared}/*/check.',
        'plugins',
      );
    }
    return { name, description, include, exclude, type };
  });
}

const DEFAULT_BRANCH = 'main';
const BRANCH = /^(?!.*(?:\.\.|\/\/|\.lock$|\/$|\.$))[A-Za-z0-9_][\w./+-]*$/;
/** Excludes strings that git would parse as an option, and transports that run a program. */
const REMOTE = /^(?!-)(?!.*::)\S+$/;
const AUTHOR = /^[^<>\n]+ <[^<>\s]+>$/;

function destinationOf(
  { git, publish }: TargetConfig,
  { base }: ConfigFile,
  refuse: Refuse,
): Pick<MarketplaceTarget, 'git' | 'publish'> {
  const remote = publish?.git.remote ?? git?.remote;
  const branch = publish?.git.branch ?? git?.branch ?? DEFAULT_BRANCH;
  const author = publish?.git.author;
  if (publish !== undefined && remote === undefined) {
    const advice = 'Set `publish.git.remote` to the repository to push to.';
    throw refuse('publishes to git but has no remote', advice, 'publish');
  }
  if (remote !== undefined && !REMOTE.test(remote)) {
    const advice = 'Write the URL of a repository, such as https://github.com/acme/market.git.';
    throw refuse(`has the remote ${withoutSecrets(remote)}, which is not a URL`, advice, 'git');
  }
  if (!BRANCH.test(branch)) {
    throw refuse(
      `has the branch ${branch}, which is not a valid name in git`,
      'Use a valid branch name.',
      'git',
    );
  }
  if (author !== undefined && !AUTHOR.test(author)) {
    const advice = 'Write it as `Name <email>`.';
    throw refuse(`has the author ${author}, which git cannot parse`, advice, 'publish');
  }
  return {
    // A relative path starts at the file; git would use its working folder.
    git:
      remote === undefined
        ? undefined
        : { remote: remote.startsWith('.') ? resolve(base, remote) : remote, branch },
    publish: publish === undefined ? undefined : { author },
  };
}

export const MESSAGE_FIELDS = ['ChangedCount', 'OutputID', 'Timestamp'] as const;
export const MESSAGE_FIELD = /\{\{\s*\.?(\w*)\s*\}\}/g;

function checkMessage(message: string | undefined, refuse: Refuse): void {
  for (const [field, name = ''] of (message ?? '').matchAll(MESSAGE_FIELD)) {
    if (MESSAGE_FIELDS.some((known) => known === name)) continue;
    const known = MESSAGE_FIELDS.map((one) => `{{.${one}}}`).join(', ');
    throw refuse(
      `has the unknown field ${field} in its commit_message`,
      `Known fields: ${known}.`,
      'commit_message',
    );
  }
}

/** Rejects other targets in the folder of a marketplace, which users import as a repository. */
export function refuseSharedFolders(
  all: readonly (ResolvedTarget | MarketplaceTarget)[],
  marketplaces: readonly MarketplaceTarget[],
): void {
  for (const { id, directory, file } of marketplaces) {
    const folder = realFolder(directory);
    const other = all.find((target) => target.id !== id && realFolder(target.directory) === folder);
    if (other === undefined) continue;
    throw new CatalogError(
      'config.invalid',
      `${file.path}: the marketplace ${id} and the target ${other.id} write into the same folder, ${directory}.`,
      {
        details: { file: file.path, target: id, fields: ['target'] },
        suggested_action: 'Set `target` of the marketplace to a separate folder.',
      },
    );
  }
}
