// A table in a frame that scrolls where it is too wide. `label` is its caption, for readers, and the name of the frame.
import { useId, type ReactNode } from 'react'
import css from './table-frame.module.css'

export function TableFrame({
  label,
  isBusy = false,
  children,
}: {
  readonly label: string
  readonly isBusy?: boolean
  readonly children: ReactNode
}): ReactNode {
  const id = useId()
  return (
    // It scrolls, so a keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.frame} role="region" aria-labelledby={id} tabIndex={0}>
      <table className={css.table} aria-busy={isBusy || undefined}>
        <caption id={id} className="for-readers">
          {label}
        </caption>
        {children}
      </table>
    </div>
  )
}
