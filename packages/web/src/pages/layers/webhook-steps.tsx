import type { DetailedLayer } from '@catalog/contract/records/layer';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { changes } from '../../api/changes.ts';
import { Command } from '../../parts/command.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useLayerChange } from './use-layer-change.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './webhook-steps.module.css';

const STEPS: Readonly<Record<string, { name: string; steps: readonly ReactNode[] }>> = {
  'git-host-a': {
    name: 'GitHub',
    steps: [
      <>
        Open the repository’s <b>Settings</b>, then <b>Webhooks</b>, then <b>Add webhook</b>.
      </>,
      <>
        Paste the URL into <b>Payload URL</b> and set <b>Content type</b> to{' '}
        <code>application/json</code>.
      </>,
      <>
        Paste the secret into <b>Secret</b> and keep <b>Just the push event</b>.
      </>,
    ],
  },
  'git-host-b': {
    name: 'GitLab',
    steps: [
      <>
        Open the project’s <b>Settings</b>, then <b>Webhooks</b>, then <b>Add new webhook</b>.
      </>,
      <>
        Paste the URL, and the secret into <b>Secret token</b>.
      </>,
      <>
        Select <b>Push events</b> as the trigger.
      </>,
    ],
  },
  'git-host-c': {
    name: 'Bitbucket',
    steps: [
      <>
        Open <b>Repository settings</b>, then <b>Webhooks</b>, then <b>Add webhook</b>.
      </>,
      <>
        Paste the URL and the secret, and select <b>Repository push</b>.
      </>,
    ],
  },
};

export function WebhookInstructions({
  provider,
  url,
  secret,
}: {
  provider: string;
  url: string | undefined;
  secret: string | undefined;
}): ReactElement {
  const host = STEPS[provider] ?? STEPS['git-host-a'];
  return (
    <div className={styles.webhook}>
      {url !== undefined && (
        <>
          <h3>URL</h3>
          <Command text={url} label="Copy the webhook URL" />
        </>
      )}
      {secret !== undefined && (
        <>
          <h3>Secret</h3>
          <Command text={secret} label="Copy the webhook secret" />
          <p className={textStyles.note}>
            Copy the secret now: it is shown once. You can replace it on the page of the layer.
          </p>
        </>
      )}
      <h3>{host?.name}</h3>
      <ol className={styles.steps}>
        {host?.steps.map((step, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a fixed list
          <li key={at}>{step}</li>
        ))}
      </ol>
    </div>
  );
}

/** Shows the webhook settings. The registry returns a secret only once, when it creates it. */
export function WebhookSteps({
  layer,
  isReadOnly,
}: {
  layer: DetailedLayer;
  isReadOnly: boolean;
}): ReactElement {
  const [isAsking, setAsking] = useState(false);
  const rotate = useLayerChange(changes.updateLayer);
  const secret = rotate.data?.webhook_secret;
  return (
    <section>
      <h2>Webhook</h2>
      <p>
        With a webhook, a push is ingested within seconds. Without one, the registry polls the
        repository.
      </p>
      <WebhookInstructions provider={layer.git_provider} url={layer.webhook_url} secret={secret} />
      {secret === undefined && (
        <p className={textStyles.note}>
          The registry showed the secret when the layer was added. If you no longer have it, create
          a new one.
        </p>
      )}
      {rotate.error !== null && <Failure error={rotate.error} />}
      <Button
        className={buttonStyles.button}
        isDisabled={isReadOnly}
        onPress={() => setAsking(true)}
      >
        Create a new secret
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Create a new webhook secret?"
          confirm="Create a new secret"
          isPending={rotate.isPending}
          error={rotate.error}
          onCancel={() => setAsking(false)}
          onConfirm={() =>
            rotate.mutate(
              { id: layer.id, body: { rotate_webhook_secret: true } },
              { onSuccess: () => setAsking(false) },
            )
          }
        >
          The registry rejects pushes signed with the old secret from then on, until you change the
          secret at the git host.
        </ConfirmDialog>
      )}
    </section>
  );
}
