import { z } from 'zod';
import { posture, protectedResource } from '../records/access.ts';
import { text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

export const signIn = defineEndpoint({
  name: 'sign_in',
  methods: ['GET'],
  path: '/v1/ui/auth/sign-in',
  summary: 'Redirects the browser to the identity provider.',
  access: 'none',
  writes: false,
  responses: { 302: null },
  errors: ['registry.read_only'],
});

export const signInCallback = defineEndpoint({
  name: 'sign_in_callback',
  methods: ['GET'],
  path: '/v1/ui/auth/callback',
  summary: 'Handles the redirect back from the identity provider.',
  access: 'none',
  writes: false,
  open_query: true,
  responses: { 302: null },
  errors: ['auth.exchange_failed', 'registry.read_only'],
});

export const signOut = defineEndpoint({
  name: 'sign_out',
  methods: ['POST'],
  path: '/v1/ui/auth/sign-out',
  summary: 'Ends the browser session.',
  access: 'none',
  writes: false,
  responses: { 204: null, 303: null },
  errors: [],
});

export const session = defineEndpoint({
  name: 'session',
  methods: ['GET', 'HEAD'],
  path: '/v1/ui/session',
  summary: "Returns the caller's identity and the state of the session.",
  access: 'posture',
  writes: false,
  responses: { 200: posture },
  errors: [],
});

export const webUi = defineEndpoint({
  name: 'web_ui',
  methods: ['GET', 'HEAD'],
  path: '/app/',
  summary: 'Serves the web UI.',
  access: 'none',
  writes: false,
  open_query: true,
  responses: { 200: null, 304: null },
  media_type: 'text/html',
  errors: [],
});

export const webUiAsset = defineEndpoint({
  name: 'web_ui_asset',
  methods: ['GET', 'HEAD'],
  path: '/app/assets/{file}',
  summary: 'Serves a script, style sheet, font or image of the web UI.',
  access: 'none',
  writes: false,
  params: z.strictObject({ file: text.describe('File name.') }),
  responses: { 200: null, 304: null },
  media_type: 'application/octet-stream',
  errors: ['registry.not_found'],
});

/** Pages of the web UI. All of them are the same document, so that any link can be opened directly. */
export const webUiPage = defineEndpoint({
  name: 'web_ui_page',
  methods: ['GET', 'HEAD'],
  path: '/app/{page...}',
  summary: 'Serves a page of the web UI.',
  access: 'none',
  writes: false,
  params: z.strictObject({
    page: text.meta({
      description: 'Path of the page; it may contain slashes.',
      examples: ['artifacts/ops/deploy/check'],
    }),
  }),
  open_query: true,
  responses: { 200: null, 304: null, 404: null },
  media_type: 'text/html',
  errors: [],
});

export const webUiRoot = defineEndpoint({
  name: 'web_ui_root',
  methods: ['GET', 'HEAD'],
  path: '/',
  summary: 'Redirects to the web UI.',
  access: 'none',
  writes: false,
  open_query: true,
  responses: { 302: null },
  errors: [],
});

/** An addition of catalog to the specification: shows clients without a token where to sign in. */
export const resourceMetadata = defineEndpoint({
  name: 'resource_metadata',
  methods: ['GET', 'HEAD'],
  path: '/.well-known/oauth-protected-resource',
  summary: 'Returns the protected resource metadata of this registry (RFC 9728).',
  access: 'none',
  writes: false,
  responses: { 200: protectedResource },
  errors: [],
});

export const browserEndpoints: readonly Endpoint[] = [
  signIn,
  signInCallback,
  signOut,
  session,
  webUi,
  webUiAsset,
  webUiPage,
  webUiRoot,
  resourceMetadata,
];
