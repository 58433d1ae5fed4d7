// The scopes of a key, as a matrix of resources and kinds of access. Included scopes are checked and disabled.
import type { ReactNode } from 'react'
import { meaningOfScope, type Scope } from '#contract/scopes.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import css from './scope-matrix.module.css'
import { accessName, columns, isImplied, matrix, segmentName, type Column } from './scope-words.ts'
import { texts } from './texts.tsx'

const heads: Readonly<Record<Column, string>> = {
  read: texts.read,
  write: texts.write,
  delete: texts.delete,
  more: texts.more,
}

type Props = { readonly held: ReadonlySet<string>; readonly onHeld: (held: ReadonlySet<string>) => void }

export const ScopeMatrix = ({ held, onHeld }: Props): ReactNode => (
  <TableFrame label={texts.scopesByResource}>
    <thead>
      <tr>
        <th scope="col">{texts.resource}</th>
        {columns.map((column) => (
          <th key={column} scope="col">
            {heads[column]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {matrix.map(({ segment, cells }) => (
        <tr key={segment}>
          <th scope="row">{segmentName(segment)}</th>
          {columns.map((column) => (
            <td key={column}>
              {cells[column] && <Cell scope={cells[column]} column={column} held={held} onHeld={onHeld} />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </TableFrame>
)

function Cell({ scope, column, held, onHeld }: Props & { readonly scope: Scope; readonly column: Column }): ReactNode {
  const implied = isImplied(held, scope)
  const name = column === 'more' ? accessName(scope) : heads[column]
  return (
    <Tooltip text={meaningOfScope(scope)}>
      <span className={css.cell}>
        <Checkbox
          isLabelHidden={column !== 'more'}
          label={column === 'more' ? name : scope}
          disabled={implied}
          isChecked={implied || held.has(scope)}
          onChecked={(isChecked) =>
            onHeld(new Set(isChecked ? [...held, scope] : [...held].filter((one) => one !== scope)))
          }
        />
      </span>
    </Tooltip>
  )
}
