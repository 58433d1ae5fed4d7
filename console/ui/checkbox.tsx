import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import css from './checkbox.module.css'
import { withCode } from './inline-code.tsx'

export function Checkbox({
  label,
  hint,
  isChecked,
  isMixed = false,
  isLabelHidden = false,
  onChecked,
  ...rest
}: {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isChecked: boolean
  /** Neither all nor none of what it stands for. */
  readonly isMixed?: boolean
  readonly isLabelHidden?: boolean
  readonly onChecked: (isChecked: boolean) => void
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'checked' | 'type'>): ReactNode {
  const id = useId()
  return (
    <span className={css.check}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        checked={isChecked}
        ref={(input) => {
          if (input !== null) input.indeterminate = isMixed
        }}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <label htmlFor={id} className={isLabelHidden ? 'for-readers' : undefined}>
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={css.hint}>
          {withCode(hint)}
        </span>
      )}
    </span>
  )
}
