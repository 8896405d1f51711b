export interface Answer {
  status: number;
  body: unknown;
}

export interface Request {
  method?: string;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Timeout for a response. Exceeding it is a fault, because a kill closes the connection. */
const TIMEOUT_MS = 30_000;

/** Returns undefined if the connection closed first, so that the outcome is unknown. */
export async function sendRequest(
  url: string,
  { method = 'GET', json, headers = {} }: Request = {},
): Promise<Answer | undefined> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const received: unknown = JSON.parse(await response.text());
    return { status: response.status, body: received };
  } catch (error) {
    // `fetch` throws a TypeError if a connection closes; a truncated body is not valid JSON.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function sendAndExpect<Body>(
  url: string,
  [status, schema]: readonly [number, { parse(value: unknown): Body }],
  request?: Request,
): Promise<Body> {
  const answer = await sendRequest(url, request);
  if (answer?.status !== status) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
  return schema.parse(answer.body);
}
