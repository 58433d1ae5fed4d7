// What a new key may do: the scopes that were given, or those of the preset that was named. One of the two.
import { Fault, type FieldCode } from '#contract/fault.ts'
import { presetNamed, type KeyPreset } from '#contract/key-preset.ts'
import type { Scope } from '#contract/scope.ts'

type Given = { readonly scopes?: readonly Scope[]; readonly preset?: KeyPreset }

export function scopesOf({ scopes, preset }: Given): Scope[] {
  if (scopes !== undefined && preset !== undefined)
    throw refused('/preset', 'not_unique', 'Give `scopes` or a `preset`, not both.')
  if (preset !== undefined) return [...presetNamed(preset).scopes]
  if (scopes !== undefined) return [...scopes]
  throw refused('/scopes', 'required', 'Give `scopes` or a `preset`.')
}

const refused = (pointer: string, code: FieldCode, detail: string): Fault =>
  new Fault('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] })
