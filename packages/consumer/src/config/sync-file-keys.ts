import { SANDBOX_PROFILES } from '@catalog/core/artifact/types';
import { CAPABILITY_KINDS } from '@catalog/core/capabilities/capability';
import { RULE_FALLBACKS } from '@catalog/core/artifact/types';
import { SIGNATURE_POLICIES } from '../signing/signature-policy.ts';
import { CONTENT_VERDICTS } from '../trust/content-rule.ts';

/**
 * Keys of `sync.yaml`, for validation, `catalog config show` and the reference page. Unknown keys are errors (SPEC-36).
 */

/** Shape of a value in `sync.yaml`. */
export type Shape =
  | { kind: 'string' }
  | { kind: 'boolean' }
  | { kind: 'enum'; values: readonly string[]; unsupported?: Unsupported }
  | { kind: 'list'; of: Shape }
  /** A string, or a list of strings. */
  | { kind: 'texts' }
  | { kind: 'map'; of: Shape }
  | { kind: 'object'; members: Readonly<Record<string, Member>> };

/** Values of the specification that this version rejects. */
export interface Unsupported {
  values: readonly string[];
  why: string;
  fix: string;
}

/** Definition of a key in `sync.yaml`: its shape, its summary and its restrictions. */
export interface Member {
  shape: Shape;
  summary: string;
  required?: boolean;
  user_only?: boolean;
}

const STRING: Shape = { kind: 'string' };
const STRINGS: Shape = { kind: 'list', of: STRING };
const HARNESSES: Shape = { kind: 'texts' };

const SCOPE_MEMBERS = {
  include: { shape: STRINGS, summary: 'Globs of artifact ids to deliver. Defaults to all.' },
  exclude: {
    shape: STRINGS,
    summary: 'Globs of artifact ids to exclude, applied after include.',
  },
  type: { shape: STRINGS, summary: 'Artifact types to deliver. Defaults to all.' },
} satisfies Record<string, Member>;

const COMMANDS: Shape = {
  kind: 'list',
  of: {
    kind: 'object',
    members: {
      run: { shape: STRINGS, summary: 'Command and arguments, run without a shell.' },
      sh: { shape: STRING, summary: 'Shell command line.' },
      skip_if_no_changes: {
        shape: { kind: 'boolean' },
        summary: 'Skip if rendering changed nothing.',
      },
      continue_on_error: { shape: { kind: 'boolean' }, summary: 'Continue if it fails.' },
      timeout: { shape: STRING, summary: 'Timeout, such as 30s.' },
    },
  },
};

const VERIFY_SIGNATURES: Member = {
  shape: { kind: 'enum', values: SIGNATURE_POLICIES },
  summary:
    'Signatures to verify: `never`, `medium-and-above` (those of registries that sign; the default), or `always` (also reject registries that do not sign). The strictest of the user and the workspace applies.',
};

const RULE_FALLBACK: Member = {
  shape: { kind: 'enum', values: RULE_FALLBACKS },
  summary:
    'Handling of a rule whose mode the harness does not support: always load it, deliver it as a skill, or skip it. Unset, a workspace with several harnesses uses `skill`, and others use `always`.',
};

/** Top-level keys of `sync.yaml`, by name. */
export const SYNC_FILE_KEYS: Readonly<Record<string, Member>> = {
  defaults: {
    summary: 'Values to use if neither a flag, an environment variable, nor a profile sets them.',
    shape: {
      kind: 'object',
      members: {
        registry: { shape: STRING, summary: 'Registry: a folder or the URL of a server.' },
        harness: {
          shape: HARNESSES,
          summary: 'Harness to deliver to; several as a list or separated by commas.',
        },
        target: { shape: STRING, summary: 'Folder to write into. Defaults to the workspace.' },
        profile: { shape: STRING, summary: 'Profile to use.' },
        exclude: {
          shape: STRINGS,
          summary:
            'Globs of artifact ids to exclude from every target, including marketplaces. The lists of all files are combined.',
        },
        identity: {
          shape: STRING,
          summary: 'Identity provider for signing in to the registry.',
        },
        verify_signatures: VERIFY_SIGNATURES,
        min_server_version: {
          shape: STRING,
          summary: 'Minimum version of catalog for this configuration.',
        },
        unsupported: {
          shape: { kind: 'enum', values: ['fail', 'skip'] },
          summary: 'Handling of an artifact the harness does not support.',
        },
        on_clash: {
          shape: { kind: 'enum', values: ['fail', 'qualify'] },
          summary: 'Handling of two artifacts with the same name: fail, or prefix the domain.',
        },
        rule_fallback: RULE_FALLBACK,
      },
    },
  },
  verify_signatures: {
    ...VERIFY_SIGNATURES,
    summary: 'Same as `defaults.verify_signatures`.',
  },
  registry_keys: {
    summary:
      'Signing keys to trust for registries. Without an entry, the key at the first use is trusted.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          registry: { shape: STRING, summary: 'URL of the registry.', required: true },
          keys: { shape: STRINGS, summary: 'Ids of its keys, from `catalog admin keys list`.' },
          root_key: { shape: STRING, summary: 'Id of its offline root key.' },
        },
      },
    },
  },
  profiles: {
    summary: 'Named selections, chosen with --profile.',
    shape: {
      kind: 'map',
      of: {
        kind: 'object',
        members: {
          ...SCOPE_MEMBERS,
          target: { shape: STRING, summary: 'Folder to write into.' },
          harness: {
            shape: HARNESSES,
            summary: 'Harness; several as a list or separated by commas.',
          },
          min_server_version: { shape: STRING, summary: 'Minimum version of catalog.' },
        },
      },
    },
  },
  adapters: {
    summary:
      'Third-party adapters: a file, or a package installed next to it. Loaded only if you trust the file.',
    shape: STRINGS,
  },
  materialize_hooks: {
    summary:
      'Programs that receive, and may change, each artifact before it is written. Run only if you trust the file.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          name: { shape: STRING, summary: 'Name shown in messages.', required: true },
          run: {
            shape: STRINGS,
            summary: 'Program and arguments, run without a shell.',
            required: true,
          },
          sandbox: {
            shape: { kind: 'enum', values: SANDBOX_PROFILES },
            summary: 'Sandbox profile of the hook.',
            required: true,
          },
          types: { shape: STRINGS, summary: 'Artifact types the hook receives. Defaults to all.' },
          harnesses: { shape: STRINGS, summary: 'Harnesses the hook applies to. Defaults to all.' },
          timeout: {
            shape: STRING,
            summary: 'Timeout for one artifact, such as 30s (the default).',
          },
          reads: {
            shape: STRINGS,
            summary:
              'Paths below the home folder that a sandboxed hook can read, in addition to its own file.',
          },
        },
      },
    },
  },
  executable_content: {
    summary:
      'Policy for executable content; the most specific rule wins. Only ~/.catalog/sync.yaml can allow; other files can only be stricter.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          policy: {
            shape: { kind: 'enum', values: CONTENT_VERDICTS },
            summary: 'Write it, require approval first, or leave the artifact out.',
            required: true,
          },
          registry: {
            shape: STRING,
            summary: 'Folder, or URL of a server. Defaults to every registry.',
          },
          layer: { shape: STRING, summary: 'Layer. Defaults to every layer.' },
          kinds: {
            shape: {
              kind: 'list',
              of: { kind: 'enum', values: Object.keys(CAPABILITY_KINDS) },
            },
            summary: 'Kinds of capabilities. Defaults to all.',
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
      'Hosts at private addresses that a registry at a public address may use for downloads: `host`, `host:port`, or `*.domain`. Only in ~/.catalog/sync.yaml.',
    shape: STRINGS,
    user_only: true,
  },
  targets: {
    summary: 'Targets of one run. The file with the highest precedence that lists any is used.',
    shape: {
      kind: 'list',
      of: {
        kind: 'object',
        members: {
          id: { shape: STRING, summary: 'Name for messages and the lock.', required: true },
          kind: {
            shape: { kind: 'enum', values: ['workspace', 'marketplace'] },
            summary: 'Files for a harness (the default), or a repository that harnesses import.',
          },
          target: { shape: STRING, summary: 'Folder to write into.' },
          harness: {
            shape: HARNESSES,
            summary:
              'Harness, several as a list or separated by commas; for a marketplace, the harnesses that import it, and `agent-plugins` for packages of that specification.',
          },
          profile: { shape: STRING, summary: 'Profile (workspace targets).' },
          ...SCOPE_MEMBERS,
          rule_fallback: {
            ...RULE_FALLBACK,
            summary: 'Same as `defaults.rule_fallback`, for one workspace target.',
          },
          harnesses: {
            shape: STRINGS,
            summary: 'Alternative name of the list under `harness` (marketplace targets).',
          },
          git: {
            summary: 'Repository a marketplace is published to, for the commands of its workflow.',
            shape: {
              kind: 'object',
              members: {
                remote: {
                  shape: STRING,
                  summary: 'URL of the repository.',
                  required: true,
                },
                branch: { shape: STRING, summary: 'Branch.' },
              },
            },
          },
          publish: {
            summary:
              'Built-in publishing, as an alternative to commands. Used only from a trusted file.',
            shape: {
              kind: 'object',
              members: {
                git: {
                  summary: 'Commit the rendered files and push them if they changed.',
                  required: true,
                  shape: {
                    kind: 'object',
                    members: {
                      remote: {
                        shape: STRING,
                        summary: 'URL of the repository. Defaults to that of `git`.',
                      },
                      branch: { shape: STRING, summary: 'Branch. Defaults to `main`.' },
                      author: {
                        shape: STRING,
                        summary:
                          'Author of the commit, as `Name <email>`. Defaults to the git configuration.',
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
              'First line of a publishing commit; may contain {{.ChangedCount}}, {{.OutputID}}, and {{.Timestamp}}.',
          },
          description: { shape: STRING, summary: 'One-line description of a marketplace.' },
          identity: { shape: STRING, summary: 'Publisher, for people to read.' },
          plugins: {
            summary:
              'Plugins of a marketplace. An artifact belongs to the first plugin that matches it.',
            shape: {
              kind: 'list',
              of: {
                kind: 'object',
                members: {
                  name: { shape: STRING, summary: 'Name of the plugin.', required: true },
                  description: { shape: STRING, summary: 'One-line description of the plugin.' },
                  ...SCOPE_MEMBERS,
                },
              },
            },
          },
          workflow: {
            summary:
              'Commands to run around rendering a marketplace. Run only from a trusted file.',
            shape: {
              kind: 'object',
              members: {
                prepare: { shape: COMMANDS, summary: 'Commands before rendering.' },
                publish: { shape: COMMANDS, summary: 'Commands after rendering.' },
                prepare_on_error: { shape: COMMANDS, summary: 'Commands if preparing failed.' },
                publish_on_error: { shape: COMMANDS, summary: 'Commands if publishing failed.' },
              },
            },
          },
        },
      },
    },
  },
};
