/** Health check of the container image: succeeds if the registry responds on the port of CATALOG_BIND. */
import http from 'node:http';
import https from 'node:https';

const port = (process.env.CATALOG_BIND ?? '').split(':').at(-1) || 8080;

/** The certificate is not verified, because it does not name the loopback address. */
function check(protocol, onError) {
  protocol
    .get({ host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false }, (response) =>
      process.exit(response.statusCode === 200 ? 0 : 1),
    )
    .on('error', onError);
}

// The registry uses TLS if `tls.cert` is set, which may be in its settings file.
check(http, () => check(https, () => process.exit(1)));
