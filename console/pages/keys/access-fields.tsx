// Presets of scopes and surfaces, the matrix of scopes, and in words what the key can do with it.
import type { ReactNode } from 'react'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import css from './access-fields.module.css'
import { accessOfPreset, isPreset, type Access } from './key-form.ts'
import { ScopeMatrix } from './scope-matrix.tsx'
import { canDelete, sentences } from './scope-words.ts'
import { texts } from './texts.tsx'

const names: Readonly<Record<PresetName, string>> = {
  'read-only': 'Read only',
  sync: texts.sync,
  agent: texts.agent,
  webhooks: texts.webhooks,
}

export const AccessFields = ({
  values,
  mistake,
  onChange,
}: {
  readonly values: Access
  readonly mistake: string | undefined
  readonly onChange: (change: Partial<Access>) => void
}): ReactNode => (
  <>
    <p className={css.meaning}>{texts.startFromAPreset}</p>
    <div className={css.presets} role="group" aria-label={texts.presets}>
      {presetNames.map((name) => (
        <button
          key={name}
          type="button"
          className={css.preset}
          aria-pressed={isPreset(values, name)}
          onClick={() => onChange(accessOfPreset(name))}
        >
          <span className={css.name}>{names[name]}</span>
          <span className={css.meaning}>{presetNamed(name).meaning}</span>
          <span className={css.meaning}>{accessOfPreset(name).mcp ? texts.usedOverMcp : texts.usedOverTheHttpApi}</span>
        </button>
      ))}
    </div>
    <ScopeMatrix held={values.scopes} onHeld={(scopes) => onChange({ scopes })} />
    {mistake !== undefined && <Notice tone="bad" title={mistake} />}
    {values.scopes.size > 0 && <Meaning held={values.scopes} />}
  </>
)

const Meaning = ({ held }: { readonly held: ReadonlySet<string> }): ReactNode => (
  <Notice
    tone={canDelete(held) ? 'warn' : 'info'}
    title={canDelete(held) ? texts.thisKeyCanDeleteData : texts.permissionsOfThisKey}
  >
    <ul className={css.sentences}>
      {sentences(held).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </Notice>
)
