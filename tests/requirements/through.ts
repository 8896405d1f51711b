import type { Door } from '@catalog/testkit/went-through';
import type { RequirementRow } from '@catalog/testkit/requirement-rows';

/** Rows about a command, its configuration, its environment or its loop, whatever their words. */
const COMMAND_ROWS = /^(?:CLI|CFG|ENV|WATCH)-/;

/** A row that names a command line, a start of the program or what it prints. */
const SPEAKS_OF_PROGRAM = /`catalog(?:-mcp)? [a-z]|startup aborts|version output/;

/** Areas of the HTTP document whose behaviour is a consumer's and answers no request. */
const CONSUMER_AREAS: ReadonlySet<string> = new Set(['materialize', 'mcp', 'network']);

/** A row of such an area, or of the configuration, is about HTTP only if it states a status. */
const STATES_STATUS = /\b[2-5]\d\d\b/;

/**
 * The door through which a test must have gone for the row to count; undefined where any test
 * that shows the behaviour will do. The first rule that applies decides.
 */
export function requiredDoor(row: RequirementRow): Door | undefined {
  if (COMMAND_ROWS.test(row.id) || SPEAKS_OF_PROGRAM.test(row.requirement)) return 'packed-program';
  if (row.doc === 'consumer') return undefined;
  // The first milestone has no server: its rows of the HTTP document are about what the server
  // will share with the command line (manifests, pins, the envelope).
  if (row.milestone === 'foundation') return undefined;
  if (CONSUMER_AREAS.has(row.area) || row.area === 'config' || row.area === 'api version') {
    return STATES_STATUS.test(row.requirement) ? 'http' : undefined;
  }
  return 'http';
}
