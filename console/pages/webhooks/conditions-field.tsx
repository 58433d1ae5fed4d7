// The conditions on values in the form of a webhook, one in a row.
import { input } from 'virtual:input/webhooks.create'
import { useRef, type ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { mistakeIn, partsIn, partWords, type Condition } from './conditions.ts'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

const parts = partsIn(input)
const fields = Object.keys(parts)
const blankOf = (field: string): Condition => ({ field, part: parts[field]?.[0] ?? '', text: '' })

export function ConditionsField({
  conditions,
  showsMistakes,
  onConditions,
}: {
  readonly conditions: readonly Condition[]
  readonly showsMistakes: boolean
  onConditions(conditions: readonly Condition[]): void
}): ReactNode {
  const add = useRef<HTMLDivElement>(null)
  const change = (at: number, row: Condition) =>
    onConditions(conditions.map((each, index) => (index === at ? row : each)))
  function remove(at: number): void {
    onConditions(conditions.filter((_row, index) => index !== at))
    // The button that had the focus is gone.
    add.current?.querySelector('button')?.focus()
  }
  return (
    <FieldGroup legend={texts.conditions} hint={texts.anEventIsSentIf}>
      {conditions.map((condition, at) => (
        <ConditionRow
          // Rows have nothing of their own to be told apart by.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          name={texts.condition(at + 1)}
          condition={condition}
          mistake={showsMistakes ? mistakeIn(conditions, at) : undefined}
          onCondition={(row) => change(at, row)}
          onRemove={() => remove(at)}
        />
      ))}
      <div ref={add}>
        <Button size="small" onClick={() => onConditions([...conditions, blankOf(fields[0] ?? '')])}>
          {texts.addCondition}
        </Button>
      </div>
    </FieldGroup>
  )
}

const ConditionRow = ({
  name,
  condition,
  mistake,
  onCondition,
  onRemove,
}: {
  readonly name: string
  readonly condition: Condition
  readonly mistake: string | undefined
  onCondition(condition: Condition): void
  onRemove(): void
}): ReactNode => (
  <div role="group" aria-label={name} className={css.condition}>
    <SelectField
      label={texts.field}
      value={condition.field}
      choices={fields.map((value) => ({ value, label: value }))}
      onValue={(field) => onCondition({ ...blankOf(field), text: condition.text })}
    />
    <SelectField
      label={texts.operator}
      value={condition.part}
      choices={(parts[condition.field] ?? []).map((value) => ({ value, label: partWords[value] ?? value }))}
      onValue={(part) => onCondition({ ...condition, part })}
    />
    <TextField
      label={texts.values}
      value={condition.text}
      mistake={mistake}
      onValue={(text) => onCondition({ ...condition, text })}
    />
    <IconButton label={texts.remove(name)} icon="close" onClick={onRemove} />
  </div>
)
