import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import type { EgressRules } from '../egress/check-address.ts';
import { certificateBundle } from '../egress/certificate-bundle.ts';

export interface S3Options {
  bucket: string;
  /** URL of the S3 service; undefined for AWS. */
  endpoint: string | undefined;
  /** URL that consumers use, if it differs from `endpoint`. */
  public_endpoint?: string | undefined;
  region: string;
  /** If true, URLs have the form `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  force_path_style: boolean;
  /** If undefined, the credential chain of the AWS SDK applies. */
  credentials: { access_key_id: string; secret_access_key: string } | undefined;
  /** Prefix of all keys, without leading and trailing slashes. */
  prefix: string;
  presign_ttl_seconds: number;
  egress: Pick<EgressRules, 'proxy' | 'ca_file'>;
  now: () => Date;
}

const MAX_CONNECTIONS = 50;
const CONNECT_MS = 2_000;
export const IDLE_MS = 10_000;
/** For timeouts of at least 6 s, the SDK starts its idle timer this long after the request. */
const SDK_DELAY_MS = 3_000;
/** Timeout from sending the request to receiving the response headers. */
const REQUEST_MS = 60_000;
const ATTEMPTS = 3;

/** Connects on first use. */
export function openS3Client(options: S3Options): S3Client {
  const { endpoint, region, force_path_style, credentials, egress } = options;
  return new S3Client({
    region,
    forcePathStyle: force_path_style,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: credentials.access_key_id,
            secretAccessKey: credentials.secret_access_key,
          },
        }),
    maxAttempts: ATTEMPTS,
    // Every write already includes a checksum and every read is hashed, so the SDK must not add checksums that some
    // stores do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS - SDK_DELAY_MS,
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
      ...agents(egress),
    },
  });
}

function agents({ proxy, ca_file }: S3Options['egress']): {
  httpAgent: HttpAgent;
  httpsAgent: HttpsAgent;
} {
  const common = {
    keepAlive: true,
    maxSockets: MAX_CONNECTIONS,
    proxyEnv: {
      ...(proxy.http === undefined ? {} : { http_proxy: proxy.http }),
      ...(proxy.https === undefined ? {} : { https_proxy: proxy.https }),
      no_proxy: proxy.except.join(','),
    },
  };
  return {
    httpAgent: new HttpAgent(common),
    httpsAgent: new HttpsAgent({
      ...common,
      ...(ca_file === undefined ? {} : { ca: certificateBundle(ca_file) }),
    }),
  };
}

export function endWith(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
