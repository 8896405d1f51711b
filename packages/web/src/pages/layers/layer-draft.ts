import type { RegisterLayerBody } from '@catalog/contract/records/layer';

export const AUDIENCES = ['organization', 'groups', 'users', 'public'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** What is typed into the form of a new layer. */
export interface LayerDraft {
  id: string;
  source_type: 'git' | 'local';
  repo: string;
  ref: string;
  root: string;
  local_path: string;
  git_provider: string;
  audience: Audience;
  /** Separated by commas. */
  groups: string;
  users: string;
}

export const EMPTY_DRAFT: LayerDraft = {
  id: '',
  source_type: 'git',
  repo: '',
  ref: '',
  root: '',
  local_path: '',
  git_provider: 'github',
  audience: 'organization',
  groups: '',
  users: '',
};

export type DraftProblems = Partial<Record<keyof LayerDraft, string>>;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What is missing or malformed, by field. */
export function checkDraft(draft: LayerDraft): DraftProblems {
  const problems: DraftProblems = {};
  if (draft.id === '') problems.id = 'Enter a name.';
  else if (!ID.test(draft.id)) {
    problems.id =
      'Use letters, digits, dots, dashes and underscores; start with a letter or digit.';
  }
  if (draft.source_type === 'git' && draft.repo.trim() === '') {
    problems.repo = 'Enter the URL of the repository.';
  }
  if (draft.source_type === 'local' && draft.local_path.trim() === '') {
    problems.local_path = 'Enter the path of the folder on the server.';
  }
  if (draft.audience === 'groups' && toList(draft.groups).length === 0) {
    problems.groups = 'Enter at least one group.';
  }
  if (draft.audience === 'users' && toList(draft.users).length === 0) {
    problems.users = 'Enter at least one user.';
  }
  return problems;
}

/** The request that registers the layer. */
export function toBody(draft: LayerDraft): RegisterLayerBody {
  const { id, source_type, audience } = draft;
  const source =
    source_type === 'git'
      ? {
          repo: draft.repo.trim(),
          git_provider: draft.git_provider,
          ...(draft.ref.trim() === '' ? {} : { ref: draft.ref.trim() }),
          ...(draft.root.trim() === '' ? {} : { root: draft.root.trim() }),
        }
      : { local_path: draft.local_path.trim() };
  const visibility =
    audience === 'public'
      ? { public: true }
      : audience === 'organization'
        ? { organization: true }
        : audience === 'groups'
          ? { groups: toList(draft.groups) }
          : { users: toList(draft.users) };
  return { id, source_type, ...source, ...visibility };
}

function toList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
