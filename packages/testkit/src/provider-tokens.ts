import { exchange } from './http-exchange.ts';
import { CLI_CLIENT_ID, WEB_CLIENT, type ProviderServer } from './provider-users.ts';

/** Returns a token from the device flow, like `catalog login`. */
export async function getDeviceToken(
  provider: ProviderServer,
  name: string,
  resource?: string,
): Promise<string> {
  const started = await post(provider, provider.device_authorization_endpoint, {
    client_id: CLI_CLIENT_ID,
    scope: 'openid profile email groups',
    ...(resource !== undefined && { resource }),
  });
  await provider.approveDevice(textOf(started, 'verification_uri_complete'), name);
  const tokens = await post(provider, provider.token_endpoint, {
    client_id: CLI_CLIENT_ID,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: textOf(started, 'device_code'),
  });
  return textOf(tokens, 'access_token');
}

export async function getWorkloadToken(provider: ProviderServer, client: string): Promise<string> {
  const tokens = await post(
    provider,
    provider.token_endpoint,
    { grant_type: 'client_credentials' },
    `${encodeURIComponent(client)}:${encodeURIComponent(WEB_CLIENT.secret)}`,
  );
  return textOf(tokens, 'access_token');
}

async function post(
  { ca }: ProviderServer,
  address: string,
  form: Record<string, string>,
  login?: string,
): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(address);
  const { status, raw } = await exchange(origin, pathname, {
    method: 'POST',
    ca,
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(login !== undefined && { authorization: `Basic ${btoa(login)}` }),
    },
  });
  if (status !== 200) throw new Error(`${address} answered ${status}: ${raw.toString()}`);
  const answer: Record<string, unknown> = JSON.parse(raw.toString());
  return answer;
}

function textOf(answer: Record<string, unknown>, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(answer)}`);
  return value;
}
