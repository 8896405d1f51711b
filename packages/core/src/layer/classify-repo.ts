/** A git remote that is reached over a network, in its parts. */
export interface NetworkRepo {
  kind: 'network';
  scheme: 'https' | 'http' | 'ssh' | 'git';
  /** Lower case, an IPv6 address without its brackets. */
  host: string;
  port: number;
  /** As the host of the repository sees it; with a leading slash unless it starts from a home folder. */
  path: string;
  /** Empty where none is named. */
  user: string;
  /** Whether the address carries a password or token. */
  has_password: boolean;
}

/** What a layer's `repo` names. */
export type RepoPlace =
  | NetworkRepo
  /** A path on the registry's host, as far as it can be told. */
  | { kind: 'host_path' };

export const DEFAULT_PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;

/** Names git gives to the transports that leave the machine. */
const SCHEMES: Readonly<Record<string, NetworkRepo['scheme']>> = {
  'https:': 'https',
  'http:': 'http',
  'ssh:': 'ssh',
  'git+ssh:': 'ssh',
  'ssh+git:': 'ssh',
  'git:': 'git',
};

const HOST_PATH: RepoPlace = { kind: 'host_path' };

/**
 * Whether a git remote is a network endpoint or a path on the registry's own host, by its text alone
 * ('Local-source authorization' 4). Whatever is not certainly a network endpoint counts as a host
 * path: `file:`, `ext::`, a drive letter, a misspelt scheme, anything with a control character.
 */
export function classifyRepo(repo: string): RepoPlace {
  if (!PRINTABLE.test(repo)) return HOST_PATH;
  return repo.includes('://') ? readAddress(repo) : readShortForm(repo);
}

export function isHostPath(repo: string): boolean {
  return classifyRepo(repo).kind === 'host_path';
}

/** The host and port of a network endpoint; undefined for a path on the registry's host. */
export function repoHost(repo: string): string | undefined {
  const place = classifyRepo(repo);
  return place.kind === 'host_path' ? undefined : `${place.host}:${place.port}`;
}

/** No space, control character or anything outside ASCII: an address writes those in escapes. */
const PRINTABLE = /^[!-~]+$/;

function readAddress(repo: string): RepoPlace {
  // An address without a host would be read as if its path began with one.
  const url = repo.includes(':///') ? null : URL.parse(repo);
  const scheme = SCHEMES[url?.protocol ?? ''];
  // A backslash is a slash to some readers of an address and not to others.
  if (url === null || scheme === undefined || repo.includes('\\')) return HOST_PATH;
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (!isHost(host) || !isUser(url.username)) return HOST_PATH;
  if (url.search !== '' || url.hash !== '' || !isPath(url.pathname)) return HOST_PATH;
  return {
    kind: 'network',
    scheme,
    host,
    port: url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port),
    path: url.pathname,
    user: url.username,
    has_password: url.password !== '',
  };
}

/** `user@host:path`, as ssh writes it; a slash before the colon makes it a path. */
const SHORT_FORM = /^(?:(?<user>[^@:/]*)@)?(?<host>[^:/@[\]]+|\[[0-9A-Fa-f:.]+\]):(?<path>.+)$/;

function readShortForm(repo: string): RepoPlace {
  const { user = '', host: name = '', path = '' } = SHORT_FORM.exec(repo)?.groups ?? {};
  const host = name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  // `ext::command` and the like name a program; `c:\repo` a drive.
  if (path.startsWith(':') || host.length < 2 || !isHost(host)) return HOST_PATH;
  if (!isUser(user) || !isPath(path)) return HOST_PATH;
  return { kind: 'network', scheme: 'ssh', host, port: 22, path, user, has_password: false };
}

/** A name, or an address; never something a command line could take for an option. */
function isHost(host: string): boolean {
  return (
    /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/.test(host) || /^[0-9a-f:.]*:[0-9a-f:.]*$/.test(host)
  );
}

function isUser(user: string): boolean {
  return user === '' || /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(user);
}

/** Quotes, dollars and the like mean something to the shell at the other end of ssh. */
function isPath(path: string): boolean {
  return /^[A-Za-z0-9_~/.][A-Za-z0-9_~/.+%@:,=-]*$/.test(path);
}
