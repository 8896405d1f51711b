import { escapeControls } from '@catalog/contract/text/escape-controls';
import { Fragment, type ReactElement } from 'react';

/** Shows a message with text between backticks as code. */
export function Message({ text }: { text: string }): ReactElement {
  return (
    <>
      {text.split(/`([^`]+)`/).map((part, at) =>
        at % 2 === 1 ? (
          // oxlint-disable-next-line react/no-array-index-key -- a part may occur twice
          <code key={at}>{escapeControls(part)}</code>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Fragment key={at}>{escapeControls(part)}</Fragment>
        ),
      )}
    </>
  );
}
