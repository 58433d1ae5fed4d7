// The label, the hint and the error message of a control, tied together for screen readers.
import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'
import { withCode } from './inline-code.tsx'
import { texts } from './texts.tsx'

export type Labels = {
  readonly label: string
  readonly hint?: ReactNode
  readonly mistake?: string | undefined
  /** Shown beside the label of what may stay empty. */
  readonly isOptional?: boolean
  /** Only screen readers get the label. */
  readonly isLabelHidden?: boolean
}
/** Attributes of the control. */
type Tied = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true }

export function Labelled({
  label,
  hint,
  mistake,
  isOptional = false,
  isLabelHidden = false,
  children,
}: Labels & { readonly children: (tied: Tied) => ReactNode }): ReactNode {
  const id = useId()
  const [hintId, mistakeId] = [`${id}-hint`, `${id}-mistake`]
  const describedBy = classNames(hint !== undefined && hintId, mistake !== undefined && mistakeId)
  const tied: Tied = {
    id,
    ...(describedBy !== '' && { 'aria-describedby': describedBy }),
    ...(mistake !== undefined && { 'aria-invalid': true }),
  }
  return (
    <div className={css.field}>
      <label htmlFor={id} className={isLabelHidden ? 'for-readers' : css.label}>
        {label}
        {isOptional && <span className={css.optional}>{texts.optional}</span>}
      </label>
      {children(tied)}
      {mistake !== undefined && (
        <p id={mistakeId} className={css.mistake}>
          <Icon name="warning" />
          {withCode(mistake)}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className={css.hint}>
          {withCode(hint)}
        </p>
      )}
    </div>
  )
}

/** Splits the props into those of the label and those of the control. */
export function splitLabels<Props extends Labels>(props: Props): [Labels, Omit<Props, keyof Labels>] {
  const { label, hint, mistake, isOptional, isLabelHidden, ...rest } = props
  const labels = {
    label,
    mistake,
    ...(hint !== undefined && { hint }),
    ...(isOptional !== undefined && { isOptional }),
    ...(isLabelHidden !== undefined && { isLabelHidden }),
  }
  return [labels, rest]
}
