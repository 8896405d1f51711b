import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { globProblem } from '@catalog/core/scope/scope-filter';
import { expandHome } from '@catalog/core/text/expand-home';
import type { PluginRule } from '@catalog/harness/marketplace/assign-plugins';
import { withoutSecrets } from '../marketplace/describe-command.ts';
import { realFolder } from './real-folder.ts';
import { harnessNames } from './harness-names.ts';
import { refuseTarget, type Refuse } from './refuse-target.ts';
import { resolveWorkflow } from './resolve-workflow.ts';
import type { ConfigFile, MarketplaceTarget, ResolvedTarget, TargetConfig } from './types.ts';

/** A marketplace target with every value resolved. Which harnesses there are, a run finds out. */
export function resolveMarketplace(
  target: TargetConfig,
  file: ConfigFile,
  { home, exclude }: { home: string; exclude: string[] },
): MarketplaceTarget {
  const refuse = refuseTarget(target.id, file.path);
  if (target.target === undefined) {
    const advice = 'Say under `target` which folder the repository is rendered into.';
    throw refuse('is a marketplace and has no folder', advice, 'target');
  }
  checkMessage(target.commit_message, refuse);
  return {
    id: target.id,
    directory: resolve(file.base, expandHome(target.target, home)),
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
    const advice = 'Keep one of the two.';
    throw refuse('has both harness and harnesses', advice, 'harness', 'harnesses');
  }
  const list = harnessNames(harness ?? harnesses ?? []);
  if (list.length === 0) {
    const advice = 'List under `harness` who imports it, such as [claude-code, cursor].';
    throw refuse('is a marketplace and names no harness', advice, 'harness');
  }
  return list;
}

function pluginsOf({ plugins = [] }: TargetConfig, refuse: Refuse): PluginRule[] {
  if (plugins.length === 0) {
    const advice =
      'List under `plugins` what it offers, such as [{name: ops, include: ["ops/**"]}].';
    throw refuse('is a marketplace and has no plugins', advice, 'plugins');
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
/** An address or a path; never a word git reads as an option, nor a transport that runs a program. */
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
    const advice = 'Say under `publish.git.remote` where to push.';
    throw refuse('publishes to git and names no remote', advice, 'publish');
  }
  if (remote !== undefined && !REMOTE.test(remote)) {
    const advice =
      'Write the address of a repository, such as https://git.example/acme/market.git.';
    throw refuse(`names the remote ${withoutSecrets(remote)}, which is no address`, advice, 'git');
  }
  if (!BRANCH.test(branch)) {
    throw refuse(`names the branch ${branch}, which git refuses`, 'Name a branch.', 'git');
  }
  if (author !== undefined && !AUTHOR.test(author)) {
    const advice = 'Write it as `Name <address>`.';
    throw refuse(`names the author ${author}, whom git cannot read`, advice, 'publish');
  }
  return {
    // A path starts where the others of the file do; git would start from the folder it runs in.
    git:
      remote === undefined
        ? undefined
        : { remote: remote.startsWith('.') ? resolve(base, remote) : remote, branch },
    publish: publish === undefined ? undefined : { author },
  };
}

/** The fields a message may hold. */
export const MESSAGE_FIELDS = ['ChangedCount', 'OutputID', 'Timestamp'] as const;
export const MESSAGE_FIELD = /\{\{\s*\.?(\w*)\s*\}\}/g;

function checkMessage(message: string | undefined, refuse: Refuse): void {
  for (const [field, name = ''] of (message ?? '').matchAll(MESSAGE_FIELD)) {
    if (MESSAGE_FIELDS.some((known) => known === name)) continue;
    const known = MESSAGE_FIELDS.map((one) => `{{.${one}}}`).join(', ');
    throw refuse(`has ${field} in its commit_message`, `There are ${known}.`, 'commit_message');
  }
}

/** A repository that others import is nobody's workspace: nothing else is rendered into its folder. */
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
      `${file.path}: the marketplace ${id} and the target ${other.id} write into one folder, ${directory}.`,
      {
        details: { file: file.path, target: id, fields: ['target'] },
        suggested_action: 'Give the marketplace a folder of its own under `target`.',
      },
    );
  }
}
