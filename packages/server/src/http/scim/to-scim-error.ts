import { SCIM_MEDIA_TYPE } from '@catalog/contract/records/scim';
import { ScimError, type ScimType } from '@catalog/core/scim/scim-error';
import { BODY_TOO_LARGE } from '../read-body.ts';
import { toErrorResponse, type ErrorResponse } from '../to-envelope.ts';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

export function toScimErrorResponse(error: unknown, request_id: string): ErrorResponse {
  if (error instanceof ScimError) {
    const { status, scimType, message } = error;
    return {
      status,
      code: `scim.${scimType ?? status}`,
      details: {},
      value: errorBody(status, message, scimType),
      media_type: SCIM_MEDIA_TYPE,
      unexpected: false,
    };
  }
  const answer = toErrorResponse(error, request_id);
  const { code, details } = answer;
  const status = details['constraint'] === BODY_TOO_LARGE ? 413 : statusOf(answer);
  const message = 'message' in answer.value ? String(answer.value.message) : '';
  const about = code === 'registry.unavailable' ? `${code}, request ${request_id}` : code;
  return {
    ...answer,
    status,
    value: errorBody(status, `${message} (${about})`, undefined),
    media_type: SCIM_MEDIA_TYPE,
  };
}

/** Returns the status of a SCIM error: 405 for an unsupported method. */
function statusOf({ status, details }: ErrorResponse): number {
  return details['constraint'] === 'method' ? 405 : status;
}

function errorBody(status: number, detail: string, scimType: ScimType | undefined): object {
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}
