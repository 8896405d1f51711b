import type { Posture } from '@catalog/contract/records/access';
import type { Layer, RegisterLayerBody, UpdateLayerBody } from '@catalog/contract/records/layer';

export const AUDIENCES = ['me', 'organization', 'groups', 'users', 'public'] as const;
export type Audience = (typeof AUDIENCES)[number];

export interface LayerRights {
  /** True if the caller may create shared layers and use folders of the server. */
  is_admin: boolean;
  /** Subject; undefined if the registry does not identify the caller, who then cannot own a layer. */
  subject: string | undefined;
}

/** Returns what the caller may do. A caller who can still sign in may be an administrator. */
export function rightsOf({ layer_capabilities, subject, browser_auth }: Posture): LayerRights {
  const canSignIn = subject === undefined && browser_auth.enabled;
  return { is_admin: layer_capabilities.manage_any_layer || canSignIn, subject };
}

/** Lists the audiences that the caller may choose; the first one is the default. */
export function listAudiences({ is_admin, subject }: LayerRights): {
  audience: Audience;
  isAllowed: boolean;
}[] {
  const shared = AUDIENCES.filter((audience) => audience !== 'me');
  const shown: Audience[] =
    subject === undefined ? shared : is_admin ? [...shared, 'me'] : ['me', ...shared];
  return shown.map((audience) => ({ audience, isAllowed: is_admin || audience === 'me' }));
}

export interface LayerDraft {
  id: string;
  source_type: 'git' | 'local';
  repo: string;
  ref: string;
  root: string;
  local_path: string;
  git_provider: string;
  audience: Audience;
  /** Groups, separated by commas. */
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
  git_provider: 'git-host-a',
  audience: 'organization',
  groups: '',
  users: '',
};

export type DraftProblems = Partial<Record<keyof LayerDraft, string>>;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

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

/** Replaces an audience or source that the caller may not choose. */
export function allowDraft(draft: LayerDraft, rights: LayerRights): LayerDraft {
  const audiences = listAudiences(rights);
  const isAllowed = audiences.some(
    ({ audience, isAllowed: isChoice }) => isChoice && audience === draft.audience,
  );
  return {
    ...draft,
    audience: isAllowed ? draft.audience : (audiences[0]?.audience ?? draft.audience),
    source_type: rights.is_admin ? draft.source_type : 'git',
  };
}

export function toDraft(layer: Layer): LayerDraft {
  const { id, source_type, repo, ref, root, local_path, git_provider, groups, users } = layer;
  return {
    id,
    source_type,
    repo,
    ref,
    root,
    local_path,
    git_provider,
    audience: audienceOf(layer),
    groups: (groups ?? []).join(', '),
    users: (users ?? []).join(', '),
  };
}

function audienceOf(layer: Layer): Audience {
  if (layer.user_defined) return 'me';
  if (layer.public) return 'public';
  if (layer.organization) return 'organization';
  return (layer.groups ?? []).length > 0 ? 'groups' : 'users';
}

/**
 * Returns true if only a new registration can apply the draft: an update keeps the URL of the repository, and ignores
 * an empty branch or folder.
 */
export function mustRegisterAgain(draft: LayerDraft, layer: Layer): boolean {
  const { repo = '', ref = '', root = '' } = toBody(draft);
  const isCleared = (ref === '' && layer.ref !== '') || (root === '' && layer.root !== '');
  return draft.source_type === 'git' && (repo !== layer.repo || isCleared);
}

export function toRegistration(draft: LayerDraft, layer: Layer): RegisterLayerBody {
  const { owner, user_defined, force_push_policy } = layer;
  return {
    ...toBody(draft),
    ...(force_push_policy === undefined ? {} : { force_push_policy }),
    ...(user_defined ? {} : { owner, ...chosenVisibility(draft, layer) }),
  };
}

/** Converts a draft to an update, without the visibility of a personal layer, which is fixed. */
export function toUpdate(draft: LayerDraft, layer: Layer): UpdateLayerBody {
  const { git_provider, ref, root, local_path } = toBody(draft);
  const isMoved = draft.source_type === 'local' && local_path !== layer.local_path;
  return {
    ...(draft.source_type === 'git' ? { git_provider, ref, root } : {}),
    ...(isMoved ? { local_path } : {}),
    ...(layer.user_defined ? {} : chosenVisibility(draft, layer)),
  };
}

type Visibility = Pick<Layer, 'public' | 'organization' | 'groups' | 'users'>;

/**
 * Returns the chosen visibility. A layer keeps all its audiences until the user chooses another, because the draft
 * shows only one.
 */
function chosenVisibility(draft: LayerDraft, layer: Layer): Visibility {
  const { audience, groups, users } = toDraft(layer);
  const isKept = draft.audience === audience && draft.groups === groups && draft.users === users;
  return isKept ? pickVisibility(layer) : toVisibility(draft);
}

function pickVisibility({ organization, groups, users, ...layer }: Layer): Visibility {
  return { public: layer.public, organization, groups, users };
}

function toVisibility({ audience, groups, users }: LayerDraft): Visibility {
  return {
    public: audience === 'public',
    organization: audience === 'organization',
    groups: audience === 'groups' ? toList(groups) : [],
    users: audience === 'users' ? toList(users) : [],
  };
}

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
          : audience === 'users'
            ? { users: toList(draft.users) }
            : {};
  return { id, source_type, ...source, ...visibility };
}

function toList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
