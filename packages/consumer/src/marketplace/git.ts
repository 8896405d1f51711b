import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { MarketplaceTarget } from '../config/types.ts';
import { withoutSecrets } from './without-secrets.ts';
import { runProgram, type Outcome } from './run-program.ts';

/** Runs git with the user's configuration for credentials, keys and signing. */
export interface Git {
  try(words: readonly string[], input?: string): Promise<Outcome>;
  /** Runs git, and throws an error with `advice` on failure. */
  run(words: readonly string[], advice: string, input?: string): Promise<string>;
  fail(message: string, advice: string, output?: string): CatalogError;
}

/** Environment variables of a git hook or alias that started catalog; they would direct git to another repository. */
const REDIRECTING_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
];

export function openGit(
  { id, directory, publish }: MarketplaceTarget,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Git {
  const surroundings: Record<string, string | undefined> = {
    ...env,
    ...identityOf(publish?.author),
    LC_ALL: 'C',
    // Disables prompts, and transports that run a program from a URL.
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_LITERAL_PATHSPECS: '1',
    // A repository in a parent folder belongs to the user and must not be used.
    GIT_CEILING_DIRECTORIES: directory,
  };
  for (const name of REDIRECTING_VARIABLES) delete surroundings[name];

  function fail(message: string, advice: string, output: string = ''): CatalogError {
    const printed = withoutSecrets(output.trim());
    return new CatalogError(
      'materialize.publish_failed',
      `${id}: ${message}${printed === '' ? '' : `\n${printed}`}`,
      { details: { targets: [id], step: 'git', output: printed }, suggested_action: advice },
    );
  }

  function attempt(words: readonly string[], input: string = ''): Promise<Outcome> {
    const program = { directory, env: surroundings, input, keep_stdout: true } as const;
    return runProgram({ ...program, words: ['git', ...words] }, signal);
  }

  return {
    fail,
    try: attempt,
    run: async (words, advice, input) => {
      const outcome = await attempt(words, input);
      if (outcome.status === 0) return outcome.stdout;
      throw fail(`git ${words[0] ?? ''} failed.`, advice, outcome.output);
    },
  };
}

function identityOf(author: string | undefined): Record<string, string> {
  const [, name, email] = /^(.*) <(.*)>$/.exec(author ?? '') ?? [];
  if (name === undefined || email === undefined) return {};
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
