// What stands around a control: its label, a hint and what is wrong with it, tied together for readers.
import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'

export type Labels = {
  readonly label: string
  readonly hint?: ReactNode
  readonly mistake?: string | undefined
  /** Shown beside the label of what may stay empty. */
  readonly isOptional?: boolean
  /** The label is for readers alone. */
  readonly isLabelHidden?: boolean
}
/** What the control must carry. */
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
        {isOptional && <span className={css.optional}>optional</span>}
      </label>
      {children(tied)}
      {mistake !== undefined && (
        <p id={mistakeId} className={css.mistake}>
          <Icon name="warning" />
          {mistake}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** What is for the label, and what is for the control. */
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
