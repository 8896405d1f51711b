import type { Domain } from '../domain/read-domain.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostic.ts';
import { atDomain, atDomainBody, toDiagnostic, type Finding } from './finding.ts';
import { importCycles } from './rules/domain-import-cycles.ts';
import { domainImports, resolveImports } from './rules/domain-imports.ts';
import { estimateTokens } from './tokens.ts';

export interface DomainLintContext {
  known_ids: ReadonlySet<string>;
  /** True if `DOMAIN.md` may change how its domain is shown, which is the default. */
  allow_per_domain_overrides?: boolean;
  /** Paths of domains that were listed before; empty if unknown. */
  listed_before?: ReadonlySet<string>;
}

const MAX_BODY_TOKENS = 2_000;

const DISCOVERY_SETTINGS = [
  'max_depth',
  'fold_below_artifacts',
  'fold_passthrough_chains',
  'notable_count',
  'target_response_tokens',
] as const;

/** Lints domains. The findings are advice: no domain is rejected. */
export function lintDomains(domains: readonly Domain[], context: DomainLintContext): Diagnostic[] {
  const imports = resolveImports(domains, context.known_ids);
  const findings = new Map<Domain, Finding[]>(
    domains.map((domain) => [
      domain,
      [
        ...domainImports(domain, imports.get(domain) ?? []),
        ...bodySize(domain),
        ...overriddenDiscovery(domain, context),
        ...newlyUnlisted(domain, context),
      ],
    ]),
  );
  for (const { domain, finding } of importCycles(imports)) findings.get(domain)?.push(finding);
  return [...findings]
    .flatMap(([{ path, layer }, found]) =>
      found.map((finding) => toDiagnostic(finding, { id: path, layer })),
    )
    .sort(compareDiagnostics);
}

function bodySize(domain: Domain): Finding[] {
  const tokens = estimateTokens(domain.body);
  if (tokens <= MAX_BODY_TOKENS) return [];
  return [
    {
      code: 'lint.domain_body_size',
      message: `The text has about ${tokens} tokens. The limit is ${MAX_BODY_TOKENS}, because it is part of every response about the domain.`,
      place: atDomainBody(domain),
    },
  ];
}

function overriddenDiscovery(domain: Domain, context: DomainLintContext): Finding[] {
  if (context.allow_per_domain_overrides !== false) return [];
  const { discovery = {} } = domain.fields;
  return DISCOVERY_SETTINGS.filter((key) => discovery[key] !== undefined).map((key) => ({
    code: 'lint.domain_discovery_override_disabled',
    message: `\`discovery.${key}\` has no effect: this registry does not allow domains to override it.`,
    place: atDomain(domain, 'discovery', key),
  }));
}

function newlyUnlisted(domain: Domain, { listed_before }: DomainLintContext): Finding[] {
  if (domain.fields.unlisted !== true || listed_before?.has(domain.path) !== true) return [];
  return [
    {
      code: 'lint.domain_newly_unlisted',
      message: `${domain.path} and everything below it is no longer on the map.`,
      place: atDomain(domain, 'unlisted'),
    },
  ];
}
