// The old and the new value of each changed field. Screen readers get words, not only colours and positions.
import type { ReactNode } from 'react'
import type { Changes } from '#contract/event.ts'
import css from './changes-diff.module.css'

export const ChangesDiff = ({ changes }: { readonly changes: Changes }): ReactNode => (
  <dl className={css.diff}>
    {Object.entries(changes).map(([field, { from, to }]) => (
      <div key={field}>
        <dt>
          <code>{field}</code>
        </dt>
        <dd>
          <del className={css.from} aria-label="from">
            {valueText(from)}
          </del>
          <ins className={css.to} aria-label="to">
            {valueText(to)}
          </ins>
        </dd>
      </div>
    ))}
  </dl>
)

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
