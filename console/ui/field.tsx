// A control with its label, a hint and what is wrong with it, tied together for readers.
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { classNames } from './class-names.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'

type Around = {
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

function Field({
  label,
  hint,
  mistake,
  isOptional = false,
  isLabelHidden = false,
  children,
}: Around & { readonly children: (tied: Tied) => ReactNode }): ReactNode {
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
      <label htmlFor={id} className={isLabelHidden ? css.hidden : css.label}>
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

type Changed = { readonly onValue: (value: string) => void }

export function TextField({
  onValue,
  ...props
}: Around &
  Changed &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { readonly ref?: Ref<HTMLInputElement> }): ReactNode {
  const [around, rest] = split(props)
  return (
    <Field {...around}>
      {(tied) => (
        <input
          type="text"
          {...rest}
          {...tied}
          className={css.control}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

export function TextArea({
  onValue,
  isCode = false,
  ...props
}: Around &
  Changed & { readonly isCode?: boolean } & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>): ReactNode {
  const [around, rest] = split(props)
  return (
    <Field {...around}>
      {(tied) => (
        <textarea
          rows={4}
          {...rest}
          {...tied}
          className={classNames(css.control, css.area, isCode && css.code)}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

export type Choice = { readonly value: string; readonly label: string }

export function SelectField({
  onValue,
  choices,
  ...props
}: Around &
  Changed & { readonly choices: readonly Choice[] } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    'onChange'
  >): ReactNode {
  const [around, rest] = split(props)
  return (
    <Field {...around}>
      {(tied) => (
        <span className={css.select}>
          <select {...rest} {...tied} className={css.control} onChange={(event) => onValue(event.target.value)}>
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <Icon name="chevron" />
        </span>
      )}
    </Field>
  )
}

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
      <label htmlFor={id} className={isLabelHidden ? css.hidden : undefined}>
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
    </span>
  )
}

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

function split<Props extends Around>(props: Props): [Around, Omit<Props, keyof Around>] {
  const { label, hint, mistake, isOptional, isLabelHidden, ...rest } = props
  const around = {
    label,
    mistake,
    ...(hint !== undefined && { hint }),
    ...(isOptional !== undefined && { isOptional }),
    ...(isLabelHidden !== undefined && { isLabelHidden }),
  }
  return [around, rest]
}
