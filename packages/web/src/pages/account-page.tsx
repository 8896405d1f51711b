import type { Posture } from '@catalog/contract/records/access';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { layersQuery, sessionQuery } from '../api/queries.ts';
import { layerHref } from '../app/links.ts';
import { useTitle } from '../app/title.ts';
import { countOf } from '../parts/format.ts';
import { EmptyRegistry } from '../parts/empty-registry.tsx';
import { Notice, Skeleton } from '../parts/notice.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { SignInLink } from '../parts/sign-in-link.tsx';
import { visibilityOf, whyVisible } from '../parts/visibility.ts';
import { classes } from '../parts/classes.ts';
import * as chipStyles from '../parts/chip.module.css';
import * as factsStyles from '../parts/facts.module.css';
import * as pageStyles from '../parts/page.module.css';
import * as plainListStyles from '../parts/plain-list.module.css';
import * as textStyles from '../parts/text.module.css';

export function AccountPage(): ReactElement {
  useTitle('What you can see');
  const session = useQuery(sessionQuery);
  return (
    <div className={pageStyles.page}>
      <QueryView query={session} loading={<Skeleton label="Loading the session" lines={6} />}>
        {(posture) => (
          <>
            <h1>{posture.subject ?? describeMode(posture).title}</h1>
            <p className={pageStyles.lead}>{describeMode(posture).text}</p>
            {posture.subject === undefined && posture.browser_auth.enabled && (
              <p>
                <SignInLink>Sign in</SignInLink>
              </p>
            )}
            <dl className={factsStyles.wide}>
              {posture.email !== undefined && (
                <>
                  <dt>Email</dt>
                  <dd>{posture.email}</dd>
                </>
              )}
              <dt>Layers</dt>
              <dd>
                {posture.layer_capabilities.manage_any_layer
                  ? 'You may manage every layer.'
                  : posture.subject === undefined
                    ? 'You may read layers that are public.'
                    : 'You may manage layers of your own.'}
              </dd>
            </dl>
            <VisibleLayers posture={posture} />
          </>
        )}
      </QueryView>
    </div>
  );
}

function describeMode(posture: Posture): { title: string; text: string } {
  const { subject, public_mode, identity_provider_configured, browser_auth } = posture;
  if (subject !== undefined) {
    return { title: subject, text: 'Signed in.' };
  }
  if (public_mode) {
    return {
      title: 'Public registry',
      text: 'Every caller is anonymous and sees the same artifacts.',
    };
  }
  if (!identity_provider_configured) {
    return {
      title: 'Open registry',
      text: 'This registry does not authenticate callers: everyone who can reach it can use it.',
    };
  }
  return {
    title: 'Not signed in',
    text: browser_auth.enabled
      ? 'You see what is public. Sign in to see what is shared with you.'
      : 'You see what is public. This page has no sign-in: open it through your organization’s proxy, or use catalog login on the command line.',
  };
}

function VisibleLayers({ posture }: { posture: Posture }): ReactElement {
  const layers = useQuery(layersQuery());
  const isOpen = !posture.identity_provider_configured || posture.public_mode;
  return (
    <section>
      <h2>Why you see what you see</h2>
      <QueryView query={layers} loading={<Skeleton label="Loading layers" lines={4} />}>
        {({ layers: list }) =>
          list.length === 0 ? (
            isOpen ? (
              <EmptyRegistry />
            ) : (
              <Notice title="No layers are visible to you">
                Ask an administrator for access, or sign in as another user.
              </Notice>
            )
          ) : (
            <>
              <p className={textStyles.meta}>
                {countOf(list.length, 'layer')}, highest precedence first
              </p>
              <ul className={plainListStyles.list}>
                {list.toReversed().map((layer) => (
                  <li key={layer.id}>
                    <Link className={textStyles.link} href={layerHref(layer.id)}>
                      {layer.id}
                    </Link>
                    <span className={classes(chipStyles.chip, plainListStyles.chip)}>
                      {visibilityOf(layer)}
                    </span>
                    <p className={textStyles.note}>{whyVisible(layer, posture.subject, isOpen)}</p>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </section>
  );
}
