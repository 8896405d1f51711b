import { SANDBOX_PROFILES } from '@catalog/core/artifact/types';
import { CAPABILITY_KINDS } from '@catalog/core/capabilities/capability';
import { RULE_FALLBACKS } from '@catalog/harness/rule-fallback';
import { CONTENT_VERDICTS } from '../trust/content-rule.ts';

/**
 * Every key of `sync.yaml`: the one table that checking, `catalog config show` and the reference
 * page come from. A key that is not here stops the program (decision 36).
 */

export type Shape =
  | { kind: 'string' }
  | { kind: 'boolean' }
  | { kind: 'enum'; values: readonly string[]; unsupported?: Unsupported }
  | { kind: 'list'; of: Shape }
  /** One text, or a list of them. */
  | { kind: 'texts' }
  | { kind: 'map'; of: Shape }
  | { kind: 'object'; members: Readonly<Record<string, Member>> };

/** Values of the specification that this version could only ignore, and therefore rejects. */
export interface Unsupported {
  values: readonly string[];
  why: string;
  fix: string;
}

export interface Member {
  shape: Shape;
  summary: string;
  required?: boolean;
  /** Allowed only in `~/.catalog/sync.yaml`. */
  user_only?: boolean;
}

const STRING: Shape = { kind: 'string' };
const STRINGS: Shape = { kind: 'list', of: STRING };
const HARNESSES: Shape = { kind: 'texts' };

const SCOPE_MEMBERS = {
  include: { shape: STRINGS, summary: 'Globs of artifact ids to deliver; all when empty.' },
  exclude: {
    shape: STRINGS,
    summary: 'Globs of artifact ids to leave out, applied after include.',
  },
  type: { shape: STRINGS, summary: 'Artifact types to deliver; all when empty.' },
} satisfies Record<string, Member>;

const COMMANDS: Shape = {
  kind: 'list',
  of: {
    kind: 'object',
    members: {
      run: { shape: STRINGS, summary: 'The command and its arguments, run without a shell.' },
      sh: { shape: STRING, summary: 'A line for the shell.' },
      skip_if_no_changes: {
        shape: { kind: 'boolean' },
        summary: 'Leave it out when the rendering changed nothing.',
      },
      continue_on_error: { shape: { kind: 'boolean' }, summary: 'Go on when it fails.' },
      timeout: { shape: STRING, summary: 'How long it may take, such as 30s.' },
    },
  },
};

const VERIFY_SIGNATURES: Member = {
  shape: {
    kind: 'enum',
    values: ['never'],
    unsupported: {
      values: ['medium-and-above', 'always'],
      why: 'this version does not verify signatures, so artifacts would be written unchecked',
      fix: 'Set it to never, or remove it.',
    },
  },
  summary: 'Which artifacts must carry a valid signature. Signatures are not verified yet.',
};

const RULE_FALLBACK: Member = {
  shape: { kind: 'enum', values: RULE_FALLBACKS },
  summary:
    'What becomes of a rule whose mode the harness does not have: load it always, deliver it as a skill, or skip it.',
};

export const SYNC_FILE_KEYS: Readonly<Record<string, Member>> = {
  defaults: {
    summary: 'What applies when neither a flag, a variable nor a profile says otherwise.',
    shape: {
      kind: 'object',
      members: {
        registry: { shape: STRING, summary: 'The registry: a folder, or the address of a server.' },
        harness: {
          shape: HARNESSES,
          summary: 'The adapter that lays the files out; several as a list, or with commas.',
        },
        target: { shape: STRING, summary: 'The folder to write into; the workspace when unset.' },
        profile: { shape: STRING, summary: 'The profile to use.' },
        exclude: {
          shape: STRINGS,
          summary:
            'Globs of artifact ids to leave out of every target, marketplaces included; the lists of all files add up.',
        },
        identity: {
          shape: STRING,
          summary: 'The identity provider that signs in to the registry.',
        },
        verify_signatures: VERIFY_SIGNATURES,
        min_server_version: {
          shape: STRING,
          summary: 'The lowest version of catalog this configuration works with.',
        },
        unsupported: {
          shape: { kind: 'enum', values: ['fail', 'skip'] },
          summary: 'What to do with an artifact the harness cannot take.',
        },
        on_clash: {
          shape: { kind: 'enum', values: ['fail', 'qualify'] },
          summary:
            'What to do when two artifacts want one name: fail, or put the domain before it.',
        },
        rule_fallback: RULE_FALLBACK,
      },
    },
  },
  verify_signatures: {
    ...VERIFY_SIGNATURES,
    summary: 'Same as `defaults.verify_signatures`.',
  },
  profiles: {
    summary: 'Named selections, chosen with --profile.',
    shape: {
      kind: 'map',
      of: {
        kind: 'object',
        members: {
          ...SCOPE_MEMBERS,
          target: { shape: STRING, summary: 'The folder to write into.' },
          harness: {
            shape: HARNESSES,
            summary: 'The adapter; several as a list, or with commas.',
          },
          min_server_version: { shape: STRING, summary: 'The lowest version of catalog.' },
        },
      },
    },
  },
  adapters: {
    summary:
      'Adapters of third parties: a file, or a package installed beside it; loaded once you trust it.',
    shape: STRINGS,
  },
  materialize_hooks: {
    summary:
      'Programs that see, and may change, each artifact before it is written; they run once you trust the file.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          name: { shape: STRING, summary: 'A name for messages.', required: true },
          run: {
            shape: STRINGS,
            summary: 'The program and its arguments, run without a shell.',
            required: true,
          },
          sandbox: {
            shape: { kind: 'enum', values: SANDBOX_PROFILES },
            summary: 'How far it is shut in.',
            required: true,
          },
          types: { shape: STRINGS, summary: 'Artifact types it sees; all when unset.' },
          harnesses: { shape: STRINGS, summary: 'Harnesses it works for; all when unset.' },
          timeout: {
            shape: STRING,
            summary: 'How long it may take for one artifact, such as 30s (the default).',
          },
          reads: {
            shape: STRINGS,
            summary: 'What a sandboxed one may read of the home folder beside its own file.',
          },
        },
      },
    },
  },
  executable_content: {
    summary:
      'Policy for executable content; the most specific rule wins. Only ~/.catalog/sync.yaml may allow; other files can only tighten.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          policy: {
            shape: { kind: 'enum', values: CONTENT_VERDICTS },
            summary: 'Write it, ask for approval first, or leave the artifact out.',
            required: true,
          },
          registry: {
            shape: STRING,
            summary: 'A folder or the URL of a server; every registry when unset.',
          },
          layer: { shape: STRING, summary: 'A layer; every layer when unset.' },
          kinds: {
            shape: {
              kind: 'list',
              of: { kind: 'enum', values: Object.keys(CAPABILITY_KINDS) },
            },
            summary: 'Kinds of capabilities; all when unset.',
          },
        },
      },
    },
  },
  safe_directories: {
    summary:
      'Workspaces whose `.catalog` may belong to another user, and targets that every user may write to: a folder, `<folder>/*` for every folder below it, or `*` for all. Only in ~/.catalog/sync.yaml.',
    shape: STRINGS,
    user_only: true,
  },
  object_hosts: {
    summary:
      'Hosts at private addresses that a registry at a public address may send downloads to: `host`, `host:port` or `*.domain`. Only in ~/.catalog/sync.yaml.',
    shape: STRINGS,
    user_only: true,
  },
  targets: {
    summary: 'What one run delivers to; the highest file that lists any decides.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          id: { shape: STRING, summary: 'A name for messages and the lock file.', required: true },
          kind: {
            shape: { kind: 'enum', values: ['workspace', 'marketplace'] },
            summary: 'Files for a harness (the default), or a repository harnesses import.',
          },
          target: { shape: STRING, summary: 'The folder to write into.' },
          harness: {
            shape: HARNESSES,
            summary:
              'The adapter, several as a list or with commas; for a marketplace the harnesses that import it, and `agent-plugins` for packages of that specification.',
          },
          profile: { shape: STRING, summary: 'The profile (workspace targets).' },
          ...SCOPE_MEMBERS,
          rule_fallback: {
            ...RULE_FALLBACK,
            summary: 'Same as `defaults.rule_fallback`, for one workspace target.',
          },
          harnesses: {
            shape: STRINGS,
            summary: 'Another spelling of the list under `harness` (marketplace targets).',
          },
          git: {
            summary: 'Where a marketplace is published, for the commands of its workflow.',
            shape: {
              kind: 'object',
              members: {
                remote: {
                  shape: STRING,
                  summary: 'The address of the repository.',
                  required: true,
                },
                branch: { shape: STRING, summary: 'The branch.' },
              },
            },
          },
          publish: {
            summary: 'Publishing that needs no command of your own; only from a trusted file.',
            shape: {
              kind: 'object',
              members: {
                git: {
                  summary: 'Commit what was rendered and push it, when anything changed.',
                  required: true,
                  shape: {
                    kind: 'object',
                    members: {
                      remote: {
                        shape: STRING,
                        summary: 'The address of the repository; that of `git` when unset.',
                      },
                      branch: { shape: STRING, summary: 'The branch; `main` when unset.' },
                      author: {
                        shape: STRING,
                        summary: 'Who commits, as `Name <address>`; what git is set to when unset.',
                      },
                    },
                  },
                },
              },
            },
          },
          commit_message: {
            shape: STRING,
            summary:
              'The first line of a publishing commit; may hold {{.ChangedCount}}, {{.OutputID}} and {{.Timestamp}}.',
          },
          description: { shape: STRING, summary: 'One line about a marketplace.' },
          identity: { shape: STRING, summary: 'Who publishes; for people to read.' },
          plugins: {
            summary: 'What a marketplace offers; an artifact goes into the first that takes it.',
            shape: {
              kind: 'list',
              of: {
                kind: 'object',
                members: {
                  name: { shape: STRING, summary: 'The plugin.', required: true },
                  description: { shape: STRING, summary: 'One line about it.' },
                  ...SCOPE_MEMBERS,
                },
              },
            },
          },
          workflow: {
            summary: 'Commands around rendering a marketplace; they run only from a trusted file.',
            shape: {
              kind: 'object',
              members: {
                prepare: { shape: COMMANDS, summary: 'Before rendering.' },
                publish: { shape: COMMANDS, summary: 'After rendering.' },
                prepare_on_error: { shape: COMMANDS, summary: 'When preparing failed.' },
                publish_on_error: { shape: COMMANDS, summary: 'When publishing failed.' },
              },
            },
          },
        },
      },
    },
  },
};
