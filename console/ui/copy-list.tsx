import type { ReactNode } from 'react'
import { CopyLine } from './code-block.tsx'
import css from './copy-list.module.css'

export type Copied = {
  readonly name: string
  readonly text: string
  /** The noun in the button’s name, such as `Copy base URL`. */
  readonly what: string
}

/** Values to be copied, one below the other, by their names. */
export const CopyList = ({ values }: { readonly values: readonly Copied[] }): ReactNode => (
  <dl className={css.list}>
    {values.map(({ name, text, what }) => (
      <div key={name} className={css.value}>
        <dt className={css.name}>{name}</dt>
        <dd>
          <CopyLine text={text} what={what} />
        </dd>
      </div>
    ))}
  </dl>
)
