// A table in a frame that scrolls where it is too wide. `label` is its caption, for readers, and the name of the frame.
import { useId, type ReactNode, type Ref } from 'react'
import { classNames } from './class-names.ts'
import { IsTight } from './dotted-name.tsx'
import css from './table-frame.module.css'

export function TableFrame({
  ref,
  label,
  isTight = false,
  isBusy = false,
  rowCount,
  children,
}: {
  readonly ref?: Ref<HTMLDivElement>
  readonly label: string
  /** Whether words break where they would make it too wide. */
  readonly isTight?: boolean
  readonly isBusy?: boolean
  /** Of a table of which some rows are drawn: how many it has, with its head. */
  readonly rowCount?: number
  readonly children: ReactNode
}): ReactNode {
  const id = useId()
  return (
    // It scrolls, so a keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={ref} className={css.frame} role="region" aria-labelledby={id} tabIndex={0}>
      <table
        className={classNames(css.table, rowCount !== undefined && css.long, isTight && css.tight)}
        aria-busy={isBusy || undefined}
        aria-rowcount={rowCount}
      >
        <caption id={id} className="for-readers">
          {label}
        </caption>
        <IsTight value={isTight}>{children}</IsTight>
      </table>
    </div>
  )
}
