// One of a few choices, each with what it means, on a card: a radio group.
import { useId, type ReactNode } from 'react'
import css from './choice-cards.module.css'

type Choice<Value extends string> = { readonly value: Value; readonly label: string; readonly meaning: ReactNode }

export function ChoiceCards<Value extends string>({
  legend,
  isLegendHidden = false,
  value,
  choices,
  onValue,
}: {
  readonly legend: string
  /** For a group below a heading with the same words. */
  readonly isLegendHidden?: boolean
  readonly value: Value
  readonly choices: readonly Choice<Value>[]
  readonly onValue: (value: Value) => void
}): ReactNode {
  const id = useId()
  return (
    <fieldset className={css.group}>
      <legend className={isLegendHidden ? 'for-readers' : css.legend}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={css.card}>
          <input
            type="radio"
            name={id}
            aria-label={choice.label}
            aria-describedby={`${id}-${choice.value}`}
            checked={choice.value === value}
            onChange={() => onValue(choice.value)}
          />
          <span className={css.label}>{choice.label}</span>
          <span id={`${id}-${choice.value}`} className={css.meaning}>
            {choice.meaning}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
