/** What kind of mistake a refused request makes (RFC 7644, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers';

/** A refusal of the directory receiver, answered in the form its standard gives errors. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

/** A request that cannot be taken as it is. */
export function badRequest(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, detail, scimType);
}

const SHOWN = 100;

/** Text of the sender in a message: enough of it to find the place. */
export function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
