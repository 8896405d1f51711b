import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import {
  runCatalog,
  startCatalog,
  type CatalogRun,
  type RunningCatalog,
} from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';

export interface Workspace {
  root: string;
  home: string;
  registry: string;
  /** Runs the packed program; `env` is its whole environment in addition to PATH and HOME. */
  run: Command<CatalogRun>;
  ok: Command<CatalogRun>;
  json: Command<{ code: number | null; document: Document; stderr: string }>;
  /** Runs the program with `--json` and returns its error, validated against the contract. */
  error: Command<{ code: number | null; error: ErrorEnvelope; stderr: string }>;
  start: (words: Words, env?: Environment) => RunningCatalog;
}

type Environment = Readonly<Record<string, string>>;
/** A command line whose words contain no quotes or spaces can be one string. */
type Words = string | readonly string[];
type Command<T> = (words: Words, env?: Environment) => Promise<T>;

type Document = Record<string, unknown>;

export function openWorkspace(registry: FileTree = {}, files: FileTree = {}): Workspace {
  const folder = realpathSync(temporaryFolder('catalog-e2e-'));
  const place = {
    root: join(folder, 'work'),
    home: join(folder, 'home'),
    registry: join(folder, 'registry'),
  };
  for (const path of Object.values(place)) mkdirSync(path);
  writeTree(place.registry, registry);
  writeTree(place.root, files);

  const options = (env: Environment = {}) => ({
    cwd: place.root,
    home: place.home,
    env,
  });
  const run: Command<CatalogRun> = (words, env) => runCatalog(split(words), options(env));

  async function runJson(words: Words, env?: Environment) {
    const { code, stdout, stderr } = await run([...split(words), '--json'], env);
    return { code, document: parseOne(stdout, stderr), stderr };
  }

  return {
    ...place,
    run,
    json: runJson,
    async ok(words, env) {
      const result = await run(words, env);
      if (result.code === 0) return result;
      throw new Error(
        `catalog ${split(words).join(' ')}: exit ${String(result.code)}\n${result.stdout}${result.stderr}`,
      );
    },
    async error(words, env) {
      const { code, document, stderr } = await runJson(words, env);
      if (code === 0) throw new Error(`catalog ${split(words).join(' ')} succeeded`);
      return { code, error: errorEnvelope.parse(document['error']), stderr };
    },
    start(words, env) {
      const running = startCatalog(split(words), options(env));
      onTestFinished(async () => {
        running.signal('SIGKILL');
        await running.ended;
      });
      return running;
    },
  };
}

function split(words: Words): readonly string[] {
  return typeof words === 'string' ? words.split(' ') : words;
}

function parseOne(stdout: string, stderr: string): Document {
  try {
    const parsed: Document = JSON.parse(stdout);
    return parsed;
  } catch (cause) {
    throw new Error(`stdout is not one JSON document: ${stdout}\n${stderr}`, { cause });
  }
}

export const OPS: FileTree = {
  'ops/DOMAIN.md': '---\ndescription: Operations.\n---\nHow we run things.\n',
  'ops/deploy/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\ntags: [deploy]\n---\n',
  'ops/deploy/check/SKILL.md':
    '---\nname: check\ndescription: Verify a release before it ships.\n---\nRun scripts/check.sh.\n',
  'ops/deploy/check/scripts/check.sh': { x: '#!/bin/sh\necho checked\n' },
  'ops/deploy/check/references/policy.md': 'Never on Fridays.\n',
  'ops/deploy/check/assets/form.txt': 'Form.\n',
  'ops/deploy/ship/ARTIFACT.md':
    '---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Start a guided release.\n---\nShip $ARGUMENTS.\n',
  'ops/guard/no-friday/ARTIFACT.md':
    '---\ntype: rule\nname: no-friday\nversion: 1.0.0\ndescription: Avoid releases on Fridays.\nrule_mode: glob\nrule_globs: "deploy/**,infra/**"\n---\nDo not release on Friday.\n',
  'ops/guard/log-stop/ARTIFACT.md':
    '---\ntype: hook\nname: log-stop\nversion: 1.0.0\ndescription: Log the end of each turn.\nhook_event: stop\nhook_action: bash scripts/log.sh\n---\n',
  'ops/guard/log-stop/scripts/log.sh': { x: '#!/bin/sh\ncat >> turns.log\n' },
  'ops/bots/triager/ARTIFACT.md':
    '---\ntype: agent\nname: triager\nversion: 1.0.0\ndescription: Sort incoming incidents.\n---\nYou triage.\n',
  'ops/ref/terms/ARTIFACT.md':
    '---\ntype: context\nname: terms\nversion: 1.0.0\ndescription: The words we use at work.\n---\nA ship is a release.\n',
  'ops/tools/warehouse/ARTIFACT.md':
    '---\ntype: mcp-server\nname: wh\nversion: 1.0.0\ndescription: Access to the warehouse.\nserver_identifier: npx:wh-mcp\n---\nSee docs.\n',
};

export function skill(
  id: string,
  description = `Do what ${id} is for.`,
  body = 'Do it.',
): FileTree {
  const name = id.slice(id.lastIndexOf('/') + 1);
  return {
    [`${id}/ARTIFACT.md`]: '---\ntype: skill\nversion: 1.0.0\n---\n',
    [`${id}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
  };
}
