export interface NetworkRepo {
  kind: 'network';
  scheme: 'https' | 'http' | 'ssh' | 'git';
  /** Host in lowercase; IPv6 addresses without brackets. */
  host: string;
  port: number;
  /** Path on the host of the repository. Without a leading slash, it is relative to a home directory. */
  path: string;
  user: string;
  has_password: boolean;
}

export type RepoPlace =
  | NetworkRepo
  /** A path on the registry's host, or anything that cannot be classified. */
  | { kind: 'host_path' };

export const DEFAULT_PORTS = { https: 443, http: 80, ssh: 22, git: 9418 } as const;

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
 * Classifies a repository by its string ('Local-source authorization' 4). Everything that is not certainly a network
 * URL counts as a host path: `file:`, `ext::`, a drive letter, an unknown scheme, a control character.
 */
export function classifyRepo(repo: string): RepoPlace {
  if (!PRINTABLE.test(repo)) return HOST_PATH;
  return repo.includes('://') ? readAddress(repo) : readShortForm(repo);
}

export function isHostPath(repo: string): boolean {
  return classifyRepo(repo).kind === 'host_path';
}

/** Returns host and port of a repository URL; undefined for a path on the registry's host. */
export function repoHost(repo: string): string | undefined {
  const place = classifyRepo(repo);
  return place.kind === 'host_path' ? undefined : `${place.host}:${place.port}`;
}

/** Printable ASCII without spaces. URLs escape all other characters. */
const PRINTABLE = /^[!-~]+$/;

function readAddress(repo: string): RepoPlace {
  // A URL parser would use the start of the path as the host.
  const url = repo.includes(':///') ? null : URL.parse(repo);
  const scheme = SCHEMES[url?.protocol ?? ''];
  // URL parsers disagree on backslashes.
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

/** The SSH form `user@host:path`. A slash before the colon makes it a path. */
const SHORT_FORM = /^(?:(?<user>[^@:/]*)@)?(?<host>[^:/@[\]]+|\[[0-9A-Fa-f:.]+\]):(?<path>.+)$/;

function readShortForm(repo: string): RepoPlace {
  const { user = '', host: name = '', path = '' } = SHORT_FORM.exec(repo)?.groups ?? {};
  const host = name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  // `ext::command` runs a program, and `c:\repo` is a drive.
  if (path.startsWith(':') || host.length < 2 || !isHost(host)) return HOST_PATH;
  if (!isUser(user) || !isPath(path)) return HOST_PATH;
  return { kind: 'network', scheme: 'ssh', host, port: 22, path, user, has_password: false };
}

/** Returns true for a host name or IP address that no command line parses as an option. */
function isHost(host: string): boolean {
  return (
    /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/.test(host) || /^[0-9a-f:.]*:[0-9a-f:.]*$/.test(host)
  );
}

function isUser(user: string): boolean {
  return user === '' || /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/.test(user);
}

/**
 * Returns true for a path without characters that the shell of the remote host would interpret, such as quotes and
 * dollar signs.
 */
function isPath(path: string): boolean {
  return /^[A-Za-z0-9_~/.][A-Za-z0-9_~/.+%@:,=-]*$/.test(path);
}
