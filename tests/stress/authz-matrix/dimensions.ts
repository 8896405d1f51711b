// Dimensions of the matrix: registries, callers, layers, and contents of a request. The oracle, the
// fixture and the requests share only this plain data.

export type ProviderName =
  | 'none'
  | 'public'
  | 'trusted-headers'
  | 'injected-session-token'
  | 'oidc-jwt';

export interface Mode {
  name: string;
  provider: ProviderName;
  tenancy: 'single' | 'multi';
  /** Write access in a registry without authentication (SPEC-76). */
  open_writes?: 'deny';
}

export const modes: readonly Mode[] = [
  { name: 'none', provider: 'none', tenancy: 'single' },
  { name: 'public', provider: 'public', tenancy: 'single' },
  { name: 'none-denied', provider: 'none', tenancy: 'single', open_writes: 'deny' },
  { name: 'public-denied', provider: 'public', tenancy: 'single', open_writes: 'deny' },
  { name: 'trusted-headers', provider: 'trusted-headers', tenancy: 'single' },
  { name: 'injected-session-token', provider: 'injected-session-token', tenancy: 'single' },
  { name: 'oidc-jwt', provider: 'oidc-jwt', tenancy: 'single' },
  { name: 'trusted-headers-tenants', provider: 'trusted-headers', tenancy: 'multi' },
  { name: 'injected-session-token-tenants', provider: 'injected-session-token', tenancy: 'multi' },
  { name: 'oidc-jwt-tenants', provider: 'oidc-jwt', tenancy: 'multi' },
];

export type Credential = 'none' | 'good' | 'expired' | 'forged' | 'other-audience';

/** The tenant under test, another active tenant, a deactivated tenant, an unknown name, or no name. */
export type Organization = 'home' | 'abroad' | 'inactive' | 'unknown' | 'none';

export interface CallerKind {
  name: string;
  credential: Credential;
  organization: Organization;
  subject: string;
  email: string;
  /** Value of the claim in a token; the email in proxy headers is always trusted. */
  email_verified?: boolean;
  groups: readonly string[];
  admin_of?: 'home' | 'abroad';
  operator?: true;
  /** State of this subject in the directory of the home tenant. */
  directory?: { active: boolean; groups: readonly string[] };
  /** OAuth scope of the token; headers have no scope. */
  scope?: string;
  browser?: 'same-origin' | 'cross-site' | 'foreign-origin';
}

/** The group that layers are shared with. */
export const GROUP = 'crew';
export const OWNER = 'olga';
export const GRANTED_USER = 'ursula';
export const GRANTED_EMAIL = 'emil@example.test';

const defaultCaller = {
  credential: 'good',
  organization: 'home',
  email: '',
  groups: [],
} as const;

export const callers: readonly CallerKind[] = [
  { name: 'admin', ...defaultCaller, subject: 'adele', admin_of: 'home' },
  { name: 'owner', ...defaultCaller, subject: OWNER },
  { name: 'member-by-user', ...defaultCaller, subject: GRANTED_USER },
  {
    name: 'member-by-email',
    ...defaultCaller,
    subject: 'emil',
    email: GRANTED_EMAIL,
    email_verified: true,
  },
  { name: 'unverified-email', ...defaultCaller, subject: 'emma', email: GRANTED_EMAIL },
  {
    name: 'email-like-a-subject',
    ...defaultCaller,
    subject: 'elsa',
    email: GRANTED_USER,
    email_verified: true,
  },
  { name: 'member-by-group', ...defaultCaller, subject: 'greta', groups: ['other', GROUP] },
  {
    name: 'member-by-directory',
    ...defaultCaller,
    subject: 'sven',
    directory: { active: true, groups: [GROUP] },
  },
  { name: 'other-subject', ...defaultCaller, subject: 'oscar', groups: ['other'] },
  { name: 'anonymous', ...defaultCaller, credential: 'none', organization: 'none', subject: '' },
  { name: 'expired', ...defaultCaller, credential: 'expired', subject: 'adele', admin_of: 'home' },
  { name: 'forged', ...defaultCaller, credential: 'forged', subject: 'adele', admin_of: 'home' },
  {
    name: 'other-audience',
    ...defaultCaller,
    credential: 'other-audience',
    subject: 'adele',
    admin_of: 'home',
  },
  {
    name: 'unknown-tenant',
    ...defaultCaller,
    organization: 'unknown',
    subject: 'adele',
    admin_of: 'home',
  },
  {
    name: 'inactive-tenant',
    ...defaultCaller,
    organization: 'inactive',
    subject: 'adele',
    admin_of: 'home',
  },
  { name: 'no-tenant', ...defaultCaller, organization: 'none', subject: 'adele', admin_of: 'home' },
  {
    name: 'deactivated',
    ...defaultCaller,
    subject: 'dora',
    admin_of: 'home',
    directory: { active: false, groups: [GROUP] },
  },
  {
    name: 'narrowed-admin',
    ...defaultCaller,
    subject: 'nora',
    admin_of: 'home',
    operator: true,
    scope: 'openid catalog:load:*',
  },
  { name: 'operator', ...defaultCaller, subject: 'otto', operator: true },
  {
    name: 'operator-without-tenant',
    ...defaultCaller,
    organization: 'none',
    subject: 'otto',
    operator: true,
  },
  {
    name: 'admin-abroad',
    ...defaultCaller,
    organization: 'abroad',
    subject: 'fred',
    admin_of: 'abroad',
  },
  { name: 'admin-from-abroad', ...defaultCaller, subject: 'fred', admin_of: 'abroad' },
  {
    name: 'same-origin-browser',
    ...defaultCaller,
    subject: 'adele',
    admin_of: 'home',
    browser: 'same-origin',
  },
  {
    name: 'cross-site-browser',
    ...defaultCaller,
    subject: 'adele',
    admin_of: 'home',
    browser: 'cross-site',
  },
  {
    name: 'foreign-origin-browser',
    ...defaultCaller,
    subject: 'adele',
    admin_of: 'home',
    browser: 'foreign-origin',
  },
];

export interface LayerClass {
  name: string;
  state: 'absent' | 'live' | 'deleted' | 'expired';
  /** Defined by an admin for others, or owned by a user. */
  defined: 'admin' | 'user';
  owner: string;
  public: boolean;
  organization: boolean;
  groups: readonly string[];
  users: readonly string[];
  /** Source of its content; the last two are folders on the registry's host. */
  source: 'network' | 'network-beside-path' | 'local' | 'file';
}

const shared = {
  state: 'live',
  defined: 'admin',
  owner: '',
  public: false,
  organization: false,
  groups: [],
  users: [],
  source: 'network',
} as const;
const own = { ...shared, defined: 'user', owner: OWNER, users: [OWNER] } as const;
const others = { ...own, owner: 'ophelia', users: ['ophelia'] } as const;

export const layerClasses: readonly LayerClass[] = [
  { name: 'own', ...own },
  { name: 'absent', ...shared, state: 'absent' },
  { name: 'expired', ...own, state: 'expired' },
  { name: 'shared-public', ...shared, public: true },
  { name: 'shared-organization', ...shared, organization: true },
  { name: 'shared-group', ...shared, groups: ['elsewhere', GROUP] },
  { name: 'shared-user', ...shared, users: [GRANTED_USER, GRANTED_EMAIL] },
  { name: 'shared-none', ...shared },
  // An empty name grants no access, also to callers without an email address.
  { name: 'shared-empty-name', ...shared, users: [''] },
  // The owner of an admin-defined layer has no rights as its owner.
  { name: 'shared-named-owner', ...shared, owner: OWNER, organization: true },
  { name: 'others', ...others },
  { name: 'deleted-shared', ...shared, state: 'deleted', organization: true },
  { name: 'deleted-own', ...own, state: 'deleted' },
  { name: 'deleted-others', ...others, state: 'deleted' },
  { name: 'local-shared', ...shared, organization: true, source: 'local' },
  { name: 'local-own', ...own, source: 'local' },
  { name: 'deleted-local-own', ...own, state: 'deleted', source: 'local' },
  { name: 'file-own', ...own, source: 'file' },
  { name: 'beside-path-own', ...own, source: 'network-beside-path' },
];

export interface Registration {
  name: string;
  source: 'network' | 'network-beside-path' | 'local' | 'file' | 'path';
  /** Fields that only have an effect for an admin, as sent; `@caller` is the subject. */
  fields: Readonly<Record<string, unknown>>;
  /** Rejected for every caller. */
  malformed?: true;
}

export const registrations: readonly Registration[] = [
  { name: 'plain', source: 'network', fields: {} },
  { name: 'owner', source: 'network', fields: { owner: 'paula' } },
  { name: 'owner-self', source: 'network', fields: { owner: '@caller' } },
  { name: 'public', source: 'network', fields: { public: true } },
  { name: 'organization', source: 'network', fields: { organization: true } },
  { name: 'groups', source: 'network', fields: { groups: [GROUP] } },
  { name: 'users', source: 'network', fields: { users: [GRANTED_USER] } },
  {
    name: 'falsy',
    source: 'network',
    fields: { owner: '', public: false, organization: false, groups: [], users: null },
  },
  { name: 'local', source: 'local', fields: {} },
  { name: 'local-public', source: 'local', fields: { public: true } },
  { name: 'file', source: 'file', fields: {} },
  { name: 'path', source: 'path', fields: {} },
  { name: 'beside-path', source: 'network-beside-path', fields: {} },
  {
    name: 'unknown-provider',
    source: 'network',
    fields: { git_provider: 'nobody' },
    malformed: true,
  },
];

export const patches = [
  'nothing',
  'ref',
  'root',
  'force_push_policy',
  'git_provider',
  'unknown-provider',
  'rotate_webhook_secret',
  'local_path',
  'local_path-and-public',
  'public',
  'organization',
  'groups',
  'users',
  'empty-users',
  'owner',
  'restated',
] as const;
export type Patch = (typeof patches)[number];

/** Ids in a reorder, in addition to the layer under test. */
export const reorders = ['alone', 'twice', 'with-first', 'nothing'] as const;
export type Reorder = (typeof reorders)[number];
