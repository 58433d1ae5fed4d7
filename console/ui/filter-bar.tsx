// The filters of a list. Their values are the search parameters of the page, so the address, back and reload keep them.
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { SelectField, TextField, type Choice } from './field.tsx'
import css from './filter-bar.module.css'
import { texts } from './texts.tsx'

export const FilterBar = ({
  isFiltered,
  onClear,
  children,
}: {
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}): ReactNode => (
  <search className={css.bar} aria-label={texts.filters}>
    {children}
    {isFiltered && (
      <Button variant="quiet" icon="close" onClick={onClear}>
        {texts.clear}
      </Button>
    )}
  </search>
)

/** A filter that another page has led here with, and that no field shows: a button that takes it back. */
export function FilterChip({
  name,
  type = '',
  id,
  onRemove,
}: {
  readonly name: string
  /** Of the object, such as `api_key`. */
  readonly type?: string | undefined
  /** Its beginning is shown, which tells it from most others. Undefined where the name says all. */
  readonly id?: string
  readonly onRemove: () => void
}): ReactNode {
  const text = id === undefined ? name : texts.ofObject(name, type.replaceAll('_', ' '), id.slice(0, 8))
  return (
    <Button icon="close" size="small" aria-label={texts.removeTheFilter(text)} onClick={onRemove}>
      {text}
    </Button>
  )
}

const typingMs = 250

/** Applied when the typing stops. `/` leads to it from anywhere on the page. */
export function FilterSearch({
  label,
  value = '',
  onValue,
}: {
  readonly label: string
  readonly value?: string | undefined
  readonly onValue: (value: string | undefined) => void
}): ReactNode {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  // The address has changed: back, or a cleared filter.
  if (value !== applied) {
    setApplied(value)
    setText(value)
  }
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onValue(text.trim() === '' ? undefined : text), typingMs)
    return () => clearTimeout(timer)
  }, [text, value, onValue])
  return (
    <div className={css.search}>
      <TextField
        isLabelHidden
        type="search"
        label={label}
        placeholder={label}
        value={text}
        data-shortcut="/"
        onValue={setText}
      />
    </div>
  )
}

/** `all` stands for no filter. */
export const FilterSelect = <Value extends string>({
  label,
  all,
  value,
  choices,
  onValue,
}: {
  readonly label: string
  readonly all: string
  readonly value: Value | undefined
  readonly choices: readonly (Choice & { readonly value: Value })[]
  readonly onValue: (value: Value | undefined) => void
}): ReactNode => (
  <div className={css.select}>
    <SelectField
      isLabelHidden
      label={label}
      value={value ?? ''}
      choices={[{ value: '', label: all }, ...choices]}
      // The value is one of the choices.
      onValue={(chosen) => onValue(chosen === '' ? undefined : (chosen as Value))}
    />
  </div>
)
