// The keys whose changes a webhook leaves out: chosen by name where one may see keys, kept as they are where not.
import { useState, type ReactNode } from 'react'
import { useWholeList, useWorkspace } from '../../app/workspace.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyChoices } from './webhook-words.ts'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

const useKeys = () => {
  const isVisible = useWorkspace().may('api-keys:read')
  return useWholeList('api-keys.list', {}, { enabled: isVisible }).data
}

/** From so many on, one is sought by its name. */
const soughtFrom = 20

export function IgnoredKeysField({
  ids,
  mistake,
  onIds,
}: {
  readonly ids: readonly string[]
  readonly mistake: string | undefined
  onIds(ids: readonly string[]): void
}): ReactNode {
  const [sought, setSought] = useState('')
  const choices = keyChoices(useKeys() ?? [], ids)
  if (choices.length === 0) return null
  const text = sought.trim().toLowerCase()
  const found = choices.filter(({ id, label }) => ids.includes(id) || label.toLowerCase().includes(text))
  return (
    <FieldGroup legend={texts.ignoredApiKeys} hint={texts.changesMadeWithTheseKeys}>
      <details className={css.segment} open={ids.length > 0}>
        <summary>
          {texts.apiKeys}
          <span className={css.soft}>{texts.countOfKeys(ids.length, choices.length)}</span>
          <Icon name="chevron" />
        </summary>
        {choices.length > soughtFrom && (
          <TextField label={texts.findAKey} value={sought} autoComplete="off" onValue={setSought} />
        )}
        {found.map(({ id, label }) => (
          <Checkbox
            key={id}
            label={label}
            isChecked={ids.includes(id)}
            onChecked={(isOn) => onIds(isOn ? [...ids, id] : ids.filter((each) => each !== id))}
          />
        ))}
      </details>
      {mistake !== undefined && (
        <p className={css.mistake} role="alert">
          <Icon name="warning" />
          {mistake}
        </p>
      )}
    </FieldGroup>
  )
}

/** By their names, where one may see keys. */
export function IgnoredKeys({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const keys = useKeys() ?? []
  return ids.length === 0 ? texts.none : ids.map((id) => keys.find((key) => key.id === id)?.name ?? id).join(', ')
}
