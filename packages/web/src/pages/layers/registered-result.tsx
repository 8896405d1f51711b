import type { RegisteredLayer } from '@catalog/contract/records/layer';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { layerHref } from '../../app/links.ts';
import { countOf } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { WebhookInstructions } from './webhook-steps.tsx';
import * as buttonStyles from '../../parts/button.module.css';
import * as pageStyles from '../../parts/page.module.css';

export function RegisteredResult({
  title,
  lead,
  result,
}: {
  title: string;
  lead: string;
  result: RegisteredLayer;
}): ReactElement {
  const { layer, webhook_url, webhook_secret, restored_versions = 0 } = result;
  return (
    <>
      <h1>{title}</h1>
      <p className={pageStyles.lead}>{lead}</p>
      {restored_versions > 0 && (
        <Notice kind="warn" title="This layer was removed earlier">
          Exact pins load {countOf(restored_versions, 'version')} of the removed layer again.
        </Notice>
      )}
      {layer.source_type === 'git' && webhook_url !== undefined && (
        <>
          <h2>Set up the webhook</h2>
          <p>A push is then ingested within seconds. Without it, the registry polls.</p>
          <WebhookInstructions
            provider={layer.git_provider}
            url={webhook_url}
            secret={webhook_secret}
          />
        </>
      )}
      <Link className={buttonStyles.primary} href={layerHref(layer.id)}>
        Watch the ingest
      </Link>
    </>
  );
}
