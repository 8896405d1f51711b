import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import type { EgressRules } from '../egress/check-address.ts';
import { certificateBundle } from '../egress/certificate-bundle.ts';

/** Where the bucket is and how it is reached. */
export interface S3Options {
  bucket: string;
  /** Of AWS itself when undefined. */
  endpoint: string | undefined;
  /** Where consumers reach the store, when that is not where the registry does. */
  public_endpoint?: string | undefined;
  region: string;
  /** `endpoint/bucket/key`, not `bucket.endpoint/key`. */
  force_path_style: boolean;
  /** Undefined leaves them to the chain of the AWS SDK: variables, files, the role of the machine. */
  credentials: { access_key_id: string; secret_access_key: string } | undefined;
  /** Leads every key; without a slash at either end. */
  prefix: string;
  presign_ttl_seconds: number;
  egress: Pick<EgressRules, 'proxy' | 'ca_file'>;
  now: () => Date;
}

/** Connections of one process to the store. */
const MOST_CONNECTIONS = 50;
const CONNECT_MS = 2_000;
/** How long nothing may come or go before a request is given up. */
export const IDLE_MS = 10_000;
/** The AWS SDK starts to count idle time this long after a request, if its limit is at least 6 s. */
const SDK_DELAY_MS = 3_000;
/** How long the head of an answer may take, with all that is sent before it. */
const REQUEST_MS = 60_000;
/** Tries of one request; pauses of random length lie between them. */
const ATTEMPTS = 3;

/** A client of the store. It connects when it is first used. */
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
    // Every write names its checksum and every read is hashed here: the SDK need not add its own,
    // which some stores do not know.
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
    maxSockets: MOST_CONNECTIONS,
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

/** How a request is told to end with its caller. */
export function endWith(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
