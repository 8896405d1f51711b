import type { Layer } from '@catalog/contract/records/layer';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import { changes } from '../../api/changes.ts';
import { layersQuery } from '../../api/queries.ts';
import { useRegistryState } from '../../api/registry-state.ts';
import { layerHref } from '../../app/links.ts';
import { Failure } from '../../parts/failure.tsx';
import { shortReference } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import {
  allowDraft,
  checkDraft,
  listAudiences,
  mustRegisterAgain,
  toBody,
  type Audience,
  type DraftProblems,
  type LayerDraft,
  type LayerRights,
} from './layer-draft.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as checkStyles from '../../parts/check.module.css';
import * as styles from './layer-form.module.css';

const AUDIENCE_TEXTS: Readonly<Record<Audience, { label: string; explains: string }>> = {
  me: { label: 'Only me', explains: 'Nobody else sees it.' },
  organization: {
    label: 'Organization',
    explains: 'Every signed-in user sees it.',
  },
  groups: {
    label: 'Groups',
    explains: 'Members of these groups see it, as your identity provider reports them.',
  },
  users: { label: 'Users', explains: 'Only the people you name see it.' },
  public: {
    label: 'Everyone',
    explains: 'Also people who are not signed in see it.',
  },
};

export function LayerForm({
  initial,
  layer,
  rights,
  submitLabel,
  isPending,
  error,
  onChange,
  onSubmit,
}: {
  initial: LayerDraft;
  /** Layer to edit; undefined for a new one. */
  layer?: Layer;
  rights: LayerRights;
  submitLabel: string;
  isPending: boolean;
  error: Error | null;
  onChange?: (draft: LayerDraft) => void;
  onSubmit: (draft: LayerDraft) => void;
}): ReactElement {
  const [draft, setDraft] = useState(() =>
    layer === undefined ? allowDraft(initial, rights) : initial,
  );
  const [problems, setProblems] = useState<DraftProblems>({});
  const test = useMutation({ mutationFn: changes.testSource });
  const existing = useQuery(layersQuery());
  const { read_only_lag_seconds } = useRegistryState();
  const isNew = layer === undefined;
  const isTaken = isNew && existing.data?.layers.some(({ id }) => id === draft.id) === true;
  const audiences = listAudiences(rights).filter(({ audience }) => isNew || audience !== 'me');
  const mayMove = isNew || !layer.user_defined || layer.owner === rights.subject;

  function change(part: Partial<LayerDraft>): void {
    const next = { ...draft, ...part };
    setDraft(next);
    test.reset();
    onChange?.(next);
    if (Object.keys(problems).length > 0) setProblems(checkDraft(next));
  }
  function whenComplete(form: HTMLFormElement | null, then: () => void): void {
    const found = checkDraft(draft);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first === undefined) then();
    else form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    whenComplete(event.currentTarget, () => onSubmit(draft));
  }
  const field = (name: 'id' | 'repo' | 'ref' | 'root' | 'local_path' | 'groups' | 'users') => ({
    name,
    value: draft[name],
    problem: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {isNew && (
        <>
          <Field label="Name" {...field('id')}>
            {isTaken
              ? 'A layer with this name exists. Adding it again replaces its settings.'
              : 'Identifies the layer, such as platform or payments.'}
          </Field>
          <fieldset className={styles.choices}>
            <legend>Source</legend>
            {(['git', 'local'] as const).map((type) => (
              <label key={type} className={styles.choice}>
                <input
                  className={checkStyles.check}
                  type="radio"
                  name="source_type"
                  checked={draft.source_type === type}
                  disabled={type === 'local' && !rights.is_admin}
                  onChange={() => change({ source_type: type })}
                />
                <span>
                  <b>{type === 'git' ? 'Git repository' : 'Folder on the server'}</b>
                  <small>
                    {type === 'git'
                      ? 'Read from a branch or tag; a webhook reports every push.'
                      : 'For development and single machines. Only administrators may add one.'}
                  </small>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
      {draft.source_type === 'git' ? (
        <>
          <Field
            label="Repository"
            placeholder="https://github.com/acme/agents.git"
            isReadOnly={!mayMove}
            {...field('repo')}
          >
            {mayMove
              ? 'An HTTPS or SSH URL that the server can read.'
              : 'Only the owner of a personal layer can change its URL.'}
          </Field>
          <div className={styles.field}>
            <label htmlFor="git-provider">Git host</label>
            <select
              id="git-provider"
              value={draft.git_provider}
              onChange={({ target }) => change({ git_provider: target.value })}
            >
              <option value="git-host-a">GitHub</option>
              <option value="git-host-b">GitLab</option>
              <option value="git-host-c">Bitbucket</option>
            </select>
            <small>Decides how webhooks are verified.</small>
          </div>
          <div className={styles.pair}>
            <Field label="Branch or tag (optional)" placeholder="main" {...field('ref')} />
            <Field label="Folder in it (optional)" placeholder="agents" {...field('root')} />
          </div>
        </>
      ) : (
        <Field label="Path" placeholder="/srv/agents" {...field('local_path')} />
      )}
      {layer !== undefined && mustRegisterAgain(draft, layer) && (
        <Notice kind="warn" title="This registers the layer again">
          It keeps its artifacts until the new source has been read, and gets a new webhook secret.
        </Notice>
      )}
      {layer?.user_defined !== true && (
        <fieldset className={styles.choices}>
          <legend>Who sees it</legend>
          {audiences.map(({ audience, isAllowed }) => (
            <label key={audience} className={styles.choice}>
              <input
                className={checkStyles.check}
                type="radio"
                name="audience"
                value={audience}
                checked={draft.audience === audience}
                disabled={!isAllowed}
                onChange={() => change({ audience })}
              />
              <span>
                <b>{AUDIENCE_TEXTS[audience].label}</b>
                <small>
                  {AUDIENCE_TEXTS[audience].explains}
                  {!isAllowed && ' Only administrators can choose this.'}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {draft.audience === 'groups' && (
        <Field label="Groups" placeholder="payments, platform" {...field('groups')}>
          Separated by commas.
        </Field>
      )}
      {draft.audience === 'users' && (
        <Field label="Users" placeholder="alice, bob@example.com" {...field('users')}>
          Subjects or email addresses, separated by commas.
        </Field>
      )}
      {test.data !== undefined && (
        <Notice title="The registry can read this source">
          {test.data.commit === undefined
            ? 'The folder exists.'
            : `The newest commit is ${shortReference(test.data.commit)}.`}
        </Notice>
      )}
      {test.error !== null && <Failure error={test.error} />}
      {error !== null && <Failure error={error} />}
      <div className={styles.actions}>
        <button
          type="submit"
          className={buttonStyles.primary}
          disabled={isPending || read_only_lag_seconds !== undefined}
        >
          {isPending ? 'Saving…' : submitLabel}
        </button>
        <button
          type="button"
          className={buttonStyles.button}
          disabled={test.isPending}
          onClick={({ currentTarget: { form } }) =>
            whenComplete(form, () => test.mutate(toBody(draft)))
          }
        >
          {test.isPending ? 'Testing…' : 'Test the source'}
        </button>
        <Link className={buttonStyles.button} href={isNew ? '/layers' : layerHref(layer.id)}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

function Field({
  label,
  name,
  value,
  placeholder,
  problem,
  isReadOnly = false,
  onChange,
  children,
}: {
  label: string;
  name: string;
  value: string;
  placeholder?: string;
  problem: string | undefined;
  isReadOnly?: boolean;
  onChange: (value: string) => void;
  children?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        placeholder={placeholder}
        readOnly={isReadOnly}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-text`}
        onChange={({ target }) => onChange(target.value)}
      />
      <small id={`${id}-text`} className={problem === undefined ? undefined : styles.problem}>
        {problem ?? children}
      </small>
    </div>
  );
}
