import { checkFields } from '../artifact/check-fields.ts';
import type { Manifest } from '../artifact/types.ts';
import type { AuthoredDomain } from '../layer/types.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import {
  MAX_PROSE,
  flag,
  listOf,
  member,
  record,
  text,
  integerBetween,
  type Member,
} from '../manifest/field-checks.ts';
import { readManifest } from '../manifest/read-manifest.ts';

export interface DomainDiscovery {
  max_depth?: number;
  fold_below_artifacts?: number;
  fold_passthrough_chains?: boolean;
  notable_count?: number;
  target_response_tokens?: number;
  /** Featured ids in the order of the author. */
  featured?: string[];
  /** Patterns of ids that are listed last. */
  deprioritize?: string[];
  keywords?: string[];
}

export interface DomainFields {
  unlisted?: boolean;
  description?: string;
  discovery?: DomainDiscovery;
  /** Patterns or ids to import. */
  include?: string[];
  exclude?: string[];
}

export interface Domain {
  path: string;
  layer: string;
  fields: DomainFields;
  body: string;
  manifest?: Manifest;
}

export type DomainReading =
  | { kind: 'ok'; domain: Domain; diagnostics: Diagnostic[] }
  | { kind: 'refused'; problems: Diagnostic[] };

const texts = listOf(text());

const discovery = record<DomainDiscovery>({
  create: () => ({}),
  members: [
    member('max_depth', integerBetween(1)),
    member('fold_below_artifacts', integerBetween(0)),
    member('fold_passthrough_chains', flag()),
    member('notable_count', integerBetween(0)),
    member('target_response_tokens', integerBetween(0)),
    member('featured', texts),
    member('deprioritize', texts),
    member('keywords', texts),
  ],
});

export const DOMAIN_KEYS: ReadonlyMap<string, Member<DomainFields>> = new Map(
  [
    member<DomainFields, 'unlisted'>('unlisted', flag()),
    member<DomainFields, 'description'>('description', text(MAX_PROSE)),
    member<DomainFields, 'discovery'>('discovery', discovery),
    member<DomainFields, 'include'>('include', texts),
    member<DomainFields, 'exclude'>('exclude', texts),
  ].map((row) => [row.name, row]),
);

/** Parses a `DOMAIN.md`. Its diagnostics contain the path of the domain as the artifact id. */
export function readDomain(domain: AuthoredDomain, layer: string): DomainReading {
  const { path } = domain;
  const place = { file: `${path}/DOMAIN.md`, artifact_id: path, layer };
  const reading = readManifest(domain.bytes, place);
  if (reading.kind === 'refused') return reading;
  const { manifest } = reading;
  const fields: DomainFields = {};
  const diagnostics = checkFields(manifest, DOMAIN_KEYS, fields, place);
  return {
    kind: 'ok',
    domain: { path, layer, fields, body: manifest.body, manifest },
    diagnostics,
  };
}
