import type { ReactNode } from 'react'
import css from './field.module.css'

/** Some controls under one name. */
export const FieldGroup = ({
  legend,
  hint,
  children,
}: {
  readonly legend: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}): ReactNode => (
  <fieldset className={css.group}>
    <legend className={css.label}>{legend}</legend>
    {hint !== undefined && <p className={css.hint}>{hint}</p>}
    {children}
  </fieldset>
)
