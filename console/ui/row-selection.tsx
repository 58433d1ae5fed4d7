// Rows of a table that can be chosen, one by one or all that are shown.
import type { ReactNode } from 'react'
import { Checkbox } from './checkbox.tsx'
import css from './row-selection.module.css'
import { texts } from './texts.tsx'

export type Selection<Row> = {
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly nameOf: (row: Row) => string
  readonly canChoose?: (row: Row) => boolean
}

export const ChooseCell = <Row,>({
  row,
  id,
  selection: { chosen, onChosen, nameOf, canChoose },
}: {
  readonly row: Row
  readonly id: string
  readonly selection: Selection<Row>
}): ReactNode => (
  <td className={css.check}>
    <Checkbox
      isLabelHidden
      label={texts.select(nameOf(row))}
      disabled={canChoose?.(row) === false}
      isChecked={chosen.has(id)}
      onChecked={(isChecked) =>
        onChosen(new Set(isChecked ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
      }
    />
  </td>
)

export function ChooseAllHead<Row>({
  rows,
  idOf,
  selection: { chosen, onChosen, canChoose },
}: {
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly selection: Selection<Row>
}): ReactNode {
  const ids = rows.filter((row) => canChoose?.(row) !== false).map(idOf)
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <th scope="col" className={css.check}>
      <Checkbox
        isLabelHidden
        label={texts.selectAll}
        disabled={ids.length === 0}
        isChecked={isAll}
        isMixed={!isAll && chosen.size > 0}
        onChecked={(isChecked) => onChosen(new Set(isChecked ? ids : []))}
      />
    </th>
  )
}
