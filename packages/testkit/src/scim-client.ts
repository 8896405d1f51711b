import { scimError } from '@catalog/contract/records/scim';
import { exchange, type RequestOptions } from './http-exchange.ts';

export interface ScimAnswer {
  status: number;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: ScimBody;
}

/** Response body, not validated. */
export interface ScimBody {
  id?: string;
  detail?: string;
  scimType?: string;
  totalResults?: number;
  Resources?: readonly ScimBody[];
  [name: string]: unknown;
}

/** Client with the token of a directory. */
export interface ScimClient {
  /** Sends a request below `/scim/v2`. An error in another format than the standard's fails the test. */
  send(method: string, path: string, options?: RequestOptions): Promise<ScimAnswer>;
  ask(method: string, path: string, body?: unknown): Promise<ScimBody>;
  create(path: '/Users' | '/Groups', body: object): Promise<string>;
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>;
}

const MEDIA_TYPE = 'application/scim+json';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export function scimClient(origin: string, token: string): ScimClient {
  async function send(
    method: string,
    path: string,
    { headers = {}, ...options }: RequestOptions = {},
  ): Promise<ScimAnswer> {
    const answer = await exchange(origin, `/scim/v2${path}`, {
      ...options,
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': MEDIA_TYPE, ...headers },
    });
    const { status, raw } = answer;
    const body: ScimBody = raw.length === 0 ? {} : JSON.parse(raw.toString());
    if (raw.length > 0 && answer.headers['content-type'] !== MEDIA_TYPE) {
      throw new Error(`${status} as ${answer.headers['content-type']}: ${raw.toString()}`);
    }
    if (status >= 400) {
      const error = scimError.parse(body);
      if (error.status !== String(status)) throw new Error(`${status} says ${error.status}`);
    }
    return { status, headers: answer.headers, body };
  }

  async function ask(method: string, path: string, body?: unknown): Promise<ScimBody> {
    const answer = await send(method, path, body === undefined ? {} : { body });
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.detail}`);
  }

  return {
    send,
    ask,
    async create(path, body) {
      const { id } = await ask('POST', path, body);
      if (id === undefined) throw new Error('created without an id');
      return id;
    },
    patch: (path, ...operations) =>
      send('PATCH', path, { body: { schemas: [PATCH], Operations: operations } }),
  };
}
