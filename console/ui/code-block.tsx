import type { ReactNode } from 'react'
import css from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

export const CodeBlock = ({ text, what }: { readonly text: string; readonly what: string }): ReactNode => (
  <div className={css.block}>
    {/* What it stands in may scroll, so a keyboard must reach it. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre className={css.text} tabIndex={0} aria-label={what}>
      <code>{text}</code>
    </pre>
    <span className={css.copy}>
      <CopyButton text={text} what={what} />
    </span>
  </div>
)

/** One value to be copied: an address, an id, a prefix. */
export const CopyLine = ({ text, what }: { readonly text: string; readonly what: string }): ReactNode => (
  <span className={css.line}>
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
)
