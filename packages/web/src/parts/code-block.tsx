import { useQuery } from '@tanstack/react-query';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';
import { languageOf } from './languages.ts';
import { classes } from './classes.ts';
import * as styles from './code-block.module.css';

/** Maximum length of highlighted code; longer code would block the page. */
const MAX_HIGHLIGHTED = 60_000;

export function CodeBlock({
  text,
  language,
  hasLines = false,
  hasCopy = false,
  className,
}: {
  text: string;
  language?: string | undefined;
  hasLines?: boolean;
  hasCopy?: boolean;
  className?: string;
}): ReactElement {
  const known = languageOf(language);
  const { data } = useQuery({
    queryKey: ['highlight', known, text],
    queryFn: async () => {
      const { highlight } = await import('../lazy/highlight.ts');
      return known === undefined ? null : highlight(text, known);
    },
    enabled: known !== undefined && text.length <= MAX_HIGHLIGHTED,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const lines = data ?? text.split('\n').map((line) => [{ text: line, kind: '' }]);
  const code = (
    <pre
      className={classes(styles.pre, hasLines && styles.lines, !hasCopy && className)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
      tabIndex={0}
    >
      <code>
        {lines.map((tokens, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity
          <span key={at} className={styles.line}>
            {tokens.map((token, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- nor have tokens
              <span key={column} data-kind={token.kind === '' ? undefined : token.kind}>
                {escapeControls(token.text, 'tabs')}
              </span>
            ))}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
  if (!hasCopy) return code;
  return (
    <div className={classes(styles.block, className)}>
      {code}
      <CopyButton text={text} label="Copy the code" />
    </div>
  );
}
