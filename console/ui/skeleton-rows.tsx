import type { ReactNode } from 'react'
import css from './skeleton-rows.module.css'

const rows = [0, 1, 2, 3, 4]

type Cell = { readonly head: string; readonly className: string }

/** In place of the rows of a table that are still to come. */
export const SkeletonRows = ({ cells }: { readonly cells: readonly Cell[] }): ReactNode =>
  rows.map((row) => (
    <tr key={row}>
      {cells.map(({ head, className }, column) => (
        <td key={head} className={className} aria-hidden="true">
          <span className={css.skeleton} data-length={(row + column) % 3} />
        </td>
      ))}
    </tr>
  ))
