/** What a registry answered. */
export interface Answer {
  status: number;
  body: unknown;
}

export interface Request {
  method?: string;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** An answer that takes longer is a fault and not a kill. */
const PATIENCE_MS = 30_000;

/**
 * One request of somebody whose registry may be killed at any moment: undefined where the connection
 * ended first, and nobody knows what was done.
 */
export async function ask(
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const received: unknown = JSON.parse(await response.text());
    return { status: response.status, body: received };
  } catch (error) {
    // What `fetch` throws when a connection ends is a TypeError; what was cut short is no JSON.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same of somebody who counts on an answer, and knows which. */
export async function askSurely<Body>(
  url: string,
  [status, schema]: readonly [number, { parse(value: unknown): Body }],
  request?: Request,
): Promise<Body> {
  const answer = await ask(url, request);
  if (answer?.status !== status) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
  return schema.parse(answer.body);
}
