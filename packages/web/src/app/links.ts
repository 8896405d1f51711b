export const BASE = '/app';

/** The first tab is the default. */
export const ARTIFACT_TABS = ['overview', 'files', 'versions', 'harnesses', 'provenance'] as const;
export type ArtifactTab = (typeof ARTIFACT_TABS)[number];

export interface ArtifactLink {
  tab?: ArtifactTab;
  /** Exact version; the latest one if absent. */
  version?: string | undefined;
  /** Layer of the version, if another layer serves the artifact. */
  layer?: string | undefined;
  file?: string;
  from?: string;
  to?: string;
  harness?: string;
}

export function artifactHref(id: string, { tab, ...rest }: ArtifactLink = {}): string {
  const query = { tab: tab === 'overview' ? undefined : tab, ...rest };
  return `/artifacts/${encodePath(id)}${toSearch(query)}`;
}

export function markdownHref(id: string, version: string, layer?: string): string {
  return `/v1/artifact.md${toSearch({ id, version, layer })}`;
}

export function domainHref(path: string): string {
  return path === '' ? '/browse' : `/browse/${encodePath(path)}`;
}

export interface SearchLink {
  q?: string;
  type?: string;
  tag?: string;
  scope?: string;
  layer?: string;
  harness?: string;
}

export function splitValues(values: string): string[] {
  return values.split(',').filter((value) => value !== '');
}

export function toggleValue(values: string, value: string): string {
  const chosen = splitValues(values);
  const isChosen = chosen.includes(value);
  return (isChosen ? chosen.filter((each) => each !== value) : [...chosen, value]).join(',');
}

export function searchHref({ q, type, tag, scope, layer, harness }: SearchLink): string {
  return `/search${toSearch({ q, type, tag, scope, layer, harness })}`;
}

export function layerHref(id: string): string {
  return `/layers/${encodeURIComponent(id)}`;
}

/**
 * Decodes a path; invalid escapes stay as they are. Returns undefined for `.` and `..`, with which a link would leave
 * this application.
 */
export function decodePath(path: string): string | undefined {
  const decoded = path.split('/').map(decode).join('/');
  return decoded.split('/').some((segment) => /^\.\.?$/.test(segment)) ? undefined : decoded;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function toSearch(values: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
