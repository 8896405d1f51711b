import type { EntryPoint } from '@catalog/testkit/entry-points';
import type { RequirementRow } from '@catalog/testkit/requirement-rows';

/**
 * Requirements of a command, its configuration, its environment or its loop, regardless of their
 * text.
 */
const COMMAND_REQUIREMENTS = /^(?:CLI|CFG|ENV|WATCH)-/;

const MENTIONS_PROGRAM = /`catalog(?:-mcp)? [a-z]|startup aborts|version output/;

/** Areas of the HTTP document whose behavior belongs to a consumer, without a request. */
const CONSUMER_AREAS: ReadonlySet<string> = new Set(['materialize', 'mcp', 'network']);

/**
 * A requirement of such an area, or of the configuration, is about HTTP only if it contains a
 * status.
 */
const CONTAINS_STATUS = /\b[2-5]\d\d\b/;

/**
 * Returns the entry point that a requirement needs; undefined if any test is sufficient. The first matching rule
 * decides.
 */
export function requiredEntryPoint(row: RequirementRow): EntryPoint | undefined {
  if (COMMAND_REQUIREMENTS.test(row.id) || MENTIONS_PROGRAM.test(row.requirement))
    return 'packed-program';
  if (row.doc === 'consumer') return undefined;
  // The first milestone has no server. Its requirements of the HTTP document are about code that
  // the server shares with the command line (manifests, pins, the envelope).
  if (row.milestone === 'foundation') return undefined;
  if (CONSUMER_AREAS.has(row.area) || row.area === 'config' || row.area === 'api version') {
    return CONTAINS_STATUS.test(row.requirement) ? 'http' : undefined;
  }
  return 'http';
}
