// The old and the new value of each changed field. A field that had no value, such as each of a new object, has a new
// one only. Screen readers get words, not only colours and positions.
import type { ReactNode } from 'react'
import type { Changes } from '#contract/event.ts'
import css from './changes-diff.module.css'
import { texts } from './texts.tsx'

export const ChangesDiff = ({ changes }: { readonly changes: Changes }): ReactNode => (
  <dl className={css.diff}>
    {Object.entries(changes).map(([field, { from, to }]) => (
      <div key={field}>
        <dt>
          <code>{field}</code>
        </dt>
        <dd>
          {!isEmpty(from) && (
            <del className={css.from} aria-label={texts.changedFrom}>
              {valueText(from)}
            </del>
          )}
          <ins className={css.to} aria-label={texts.changedTo}>
            {valueText(to)}
          </ins>
        </dd>
      </div>
    ))}
  </dl>
)

const isEmpty = (value: unknown): boolean => value === null || value === undefined

function valueText(value: unknown): string {
  if (isEmpty(value)) return texts.emptyValue
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
