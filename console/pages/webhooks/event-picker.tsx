// The kinds of events, by resource, to be chosen one by one or all of a resource, with an example of what is sent
// beside.
import { eventKinds } from 'virtual:event-kinds'
import { useState, type ReactNode } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isChosen, toggled, withoutAll } from './webhook-form.ts'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

const segments = [...new Set(eventKinds.map(({ type }) => segmentOf(type)))]

const usualType = 'tasks.updated'

/** The first type that is chosen by name or by its resource. */
const firstShown = (patterns: readonly string[]): string =>
  (patterns.includes('*') ? undefined : eventKinds.find(({ type }) => isChosen(patterns, type))?.type) ?? usualType

function segmentOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}

export function EventPicker({
  patterns,
  payload,
  mistake,
  onPatterns,
}: {
  readonly patterns: readonly string[]
  readonly payload: 'full' | 'thin'
  readonly mistake: string | undefined
  onPatterns(patterns: readonly string[]): void
}): ReactNode {
  const [shown, setShown] = useState(() => firstShown(patterns))
  return (
    <fieldset className={css.picker} aria-invalid={mistake !== undefined || undefined} tabIndex={-1}>
      <legend className={css.legend}>{texts.eventTypes}</legend>
      {mistake !== undefined && (
        <p className={css.mistake} role="alert">
          <Icon name="warning" />
          {mistake}
        </p>
      )}
      <div className={css.kinds}>
        <Checkbox
          label={texts.allEventsIncludingFutureEvent}
          isChecked={patterns.includes('*')}
          onChecked={(isOn) => onPatterns(isOn ? ['*'] : [])}
        />
        {segments.map((segment) => (
          <Segment key={segment} segment={segment} patterns={patterns} onPatterns={onPatterns} onShown={setShown} />
        ))}
      </div>
      <Example type={shown} payload={payload} />
    </fieldset>
  )
}

function Segment({
  segment,
  patterns,
  onPatterns,
  onShown,
}: {
  readonly segment: string
  readonly patterns: readonly string[]
  onPatterns(patterns: readonly string[]): void
  onShown(type: string): void
}): ReactNode {
  const all = `${segment}.*`
  const kinds = eventKinds.filter(({ type }) => segmentOf(type) === segment)
  const count = kinds.filter(({ type }) => isChosen(patterns, type)).length
  return (
    <details className={css.segment}>
      <summary>
        <code>{segment}</code>
        <span className={css.soft}>{texts.countOfKinds(count, kinds.length)}</span>
        <Icon name="chevron" />
      </summary>
      <Checkbox
        label={<code>{all}</code>}
        hint={texts.allEventTypesOfThis}
        disabled={patterns.includes('*')}
        isChecked={isChosen(patterns, all)}
        onChecked={(isOn) => onPatterns(isOn ? [...withoutAll(patterns, segment), all] : withoutAll(patterns, segment))}
      />
      {kinds.map(({ type, summary }) => (
        <div key={type} onFocus={() => onShown(type)} onMouseEnter={() => onShown(type)}>
          <Checkbox
            label={<code>{type}</code>}
            hint={summary}
            disabled={patterns.includes('*') || patterns.includes(all)}
            isChecked={isChosen(patterns, type)}
            onChecked={(isOn) => onPatterns(toggled(patterns, type, isOn))}
          />
        </div>
      ))}
    </details>
  )
}

function Example({ type, payload }: { readonly type: string; readonly payload: 'full' | 'thin' }): ReactNode {
  const kind = eventKinds.find((each) => each.type === type)
  if (kind === undefined) return null
  const { data: _data, changes: _changes, ...thin } = kind.example
  return (
    <div className={css.example}>
      <p>{texts.examplePayloadFor(type, payload === 'thin')}</p>
      <CodeBlock
        text={JSON.stringify(payload === 'thin' ? thin : kind.example, null, 2)}
        what={texts.exampleOf(type)}
      />
    </div>
  )
}
