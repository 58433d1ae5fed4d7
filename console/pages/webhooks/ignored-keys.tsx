// The keys whose changes a webhook leaves out: chosen by name where one may see keys, kept as they are where not.
import type { ReactNode } from 'react'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyChoices } from './webhook-words.ts'
import css from './webhooks.module.css'

const useKeys = () => {
  const isVisible = useWorkspace().may('api-keys:read')
  return useAnswer('api-keys.list', { limit: 200 }, { enabled: isVisible }).data?.data
}

export function IgnoredKeysField({
  ids,
  mistake,
  onIds,
}: {
  readonly ids: readonly string[]
  readonly mistake: string | undefined
  onIds(ids: readonly string[]): void
}): ReactNode {
  const choices = keyChoices(useKeys() ?? [], ids)
  if (choices.length === 0) return null
  return (
    <FieldGroup
      legend="Ignored keys"
      hint="Changes made with these keys are not sent. Use this for a sync that also writes to this workspace."
    >
      <details className={css.segment} open={ids.length > 0}>
        <summary>
          Keys
          <span className={css.soft}>
            {ids.length} of {choices.length}
          </span>
        </summary>
        {choices.map(({ id, label }) => (
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
  return ids.length === 0 ? 'None' : ids.map((id) => keys.find((key) => key.id === id)?.name ?? id).join(', ')
}
