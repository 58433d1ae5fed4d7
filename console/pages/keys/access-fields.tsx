// Presets, the matrix, and in words what the key can do with it.
import type { ReactNode } from 'react'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import css from './access-fields.module.css'
import { ScopeMatrix } from './scope-matrix.tsx'
import { canDelete, sentences } from './scope-words.ts'

const names: Readonly<Record<PresetName, string>> = {
  'read-only': 'Read only',
  sync: 'Sync',
  agent: 'Agent',
  webhooks: 'Webhooks',
}

export const AccessFields = ({
  held,
  mistake,
  onHeld,
}: {
  readonly held: ReadonlySet<string>
  readonly mistake: string | undefined
  readonly onHeld: (held: ReadonlySet<string>) => void
}): ReactNode => (
  <>
    <div className={css.presets} role="group" aria-label="Presets">
      {presetNames.map((name) => (
        <button
          key={name}
          type="button"
          className={css.preset}
          aria-pressed={isSame(held, presetNamed(name).scopes)}
          onClick={() => onHeld(new Set(presetNamed(name).scopes))}
        >
          <span className={css.name}>{names[name]}</span>
          <span className={css.meaning}>{presetNamed(name).meaning}</span>
        </button>
      ))}
    </div>
    <ScopeMatrix held={held} onHeld={onHeld} />
    {mistake !== undefined && <Notice tone="bad" title={mistake} />}
    {held.size > 0 && <Meaning held={held} />}
  </>
)

const Meaning = ({ held }: { readonly held: ReadonlySet<string> }): ReactNode => (
  <Notice
    tone={canDelete(held) ? 'warn' : 'info'}
    title={canDelete(held) ? 'This key can delete' : 'Permissions of this key'}
  >
    <ul className={css.sentences}>
      {sentences(held).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </Notice>
)

const isSame = (held: ReadonlySet<string>, scopes: readonly string[]): boolean =>
  held.size === scopes.length && scopes.every((scope) => held.has(scope))
