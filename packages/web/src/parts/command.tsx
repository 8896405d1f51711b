import { Fragment, type ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';

/** Longer options may break anywhere, so that they fit. */
const MAX_OPTION = 30;

/** One line to paste into a terminal. It breaks between options. */
export function Command({ text, label }: { text: string; label: string }): ReactElement {
  return (
    <div className="command">
      <code>
        {text.split(/ (?=--)/).map((option, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- an option may occur twice
          <Fragment key={at}>
            {at > 0 && ' '}
            <span className={option.length > MAX_OPTION ? 'break' : undefined}>{option}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
