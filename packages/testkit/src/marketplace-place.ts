import { mkdirSync } from 'node:fs';
import { readTree, temporaryFolder, writeTree, type FileTree } from './temporary-folder.ts';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import type { SyncReport, TargetReport } from '@catalog/consumer/sync/report';
import { runSync } from '@catalog/consumer/sync/run-sync';
import type { SyncOptions } from '@catalog/consumer/sync/sync-options';

export interface MarketplacePlace {
  root: string;
  work: string;
  market: string;
  lines: string[];
  author(files: FileTree): void;
  configure(yaml: string): void;
  config(): Config;
  /** Runs `catalog sync --config --trust`. */
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  /** Runs a sync and returns the report of its only target. */
  run(options?: Partial<SyncOptions>): Promise<TargetReport>;
  /** Returns the files, without those of catalog and git. */
  tree(): Record<string, string>;
}

export function skillText(name: string, body = 'Do it.'): string {
  return `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\n${body}\n`;
}

export function skillOf(name: string, version = '1.0.0', body?: string): FileTree {
  return {
    [`ops/${name}/ARTIFACT.md`]: `---\ntype: skill\nversion: ${version}\n---\n`,
    [`ops/${name}/SKILL.md`]: skillText(name, body),
  };
}

export function targetOf(more: string = ''): string {
  return `targets:
  - id: acme
    kind: marketplace
    target: ./market
    harness: [harness-a]
    plugins: [{name: ops, include: ["ops/**"]}]
${more}`;
}

/** Environment for git, without the settings of the developer. */
const GIT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

export function createMarketplacePlace(files: FileTree = skillOf('check')): MarketplacePlace {
  const root = temporaryFolder();
  const work = `${root}/work`;
  const market = `${work}/market`;
  const lines: string[] = [];
  mkdirSync(`${work}/.catalog`, { recursive: true });
  writeTree(`${root}/registry`, { '.keep': '', ...files });
  const env = { PATH: process.env['PATH'] ?? '', HOME: `${root}/home`, ...GIT };
  const config = (): Config =>
    loadConfig({
      cwd: work,
      home: `${root}/home`,
      env: { CATALOG_REGISTRY: `${root}/registry` },
      flags: { config: true },
    });
  const sync = (options: Partial<SyncOptions> = {}): Promise<SyncReport> =>
    runSync(config(), {
      mode: 'sync',
      wait_ms: 0,
      trust: true,
      marketplaces: { env, onLine: (line) => lines.push(line) },
      ...options,
    });
  return {
    root,
    work,
    market,
    lines,
    config,
    sync,
    author: (more) => writeTree(`${root}/registry`, more),
    configure: (yaml) => writeTree(work, { '.catalog/sync.yaml': yaml }),
    run: async (options) => {
      const [report] = (await sync(options)).targets;
      if (report === undefined) throw new Error('no report');
      return report;
    },
    tree: () => readTree(market, ['.catalog', '.git']),
  };
}
