// Controls for text and for a choice, each with its label.
import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'
import { Labelled, splitLabels, type Labels } from './labelled.tsx'

type Changed = { readonly onValue: (value: string) => void }

export function TextField({
  onValue,
  ...props
}: Labels &
  Changed &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { readonly ref?: Ref<HTMLInputElement> }): ReactNode {
  const [labels, rest] = splitLabels(props)
  return (
    <Labelled {...labels}>
      {(tied) => (
        <input
          type="text"
          {...rest}
          {...tied}
          className={css.control}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Labelled>
  )
}

export function TextArea({
  onValue,
  isCode = false,
  ...props
}: Labels &
  Changed & { readonly isCode?: boolean } & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>): ReactNode {
  const [labels, rest] = splitLabels(props)
  return (
    <Labelled {...labels}>
      {(tied) => (
        <textarea
          rows={4}
          {...rest}
          {...tied}
          className={classNames(css.control, css.area, isCode && css.code)}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Labelled>
  )
}

export type Choice = { readonly value: string; readonly label: string }

export function SelectField({
  onValue,
  choices,
  ...props
}: Labels &
  Changed & { readonly choices: readonly Choice[] } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    'onChange'
  >): ReactNode {
  const [labels, rest] = splitLabels(props)
  return (
    <Labelled {...labels}>
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
    </Labelled>
  )
}
