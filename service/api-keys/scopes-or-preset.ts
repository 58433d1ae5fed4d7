// The scopes of a new key: those that were given, or those of the preset that was named. Exactly one of the two.
import { presetNamed, type PresetName } from '#contract/key-preset.ts'
import type { Scope } from '#contract/scopes.ts'
import { invalidValue } from '../faults/shared-faults.ts'

type Given = { readonly scopes?: readonly Scope[]; readonly preset?: PresetName }

export function scopesOf({ scopes, preset }: Given): Scope[] {
  if (scopes !== undefined && preset !== undefined)
    throw invalidValue('/preset', 'not_unique', 'Give `scopes` or a `preset`, not both.')
  if (preset !== undefined) return [...presetNamed(preset).scopes]
  if (scopes !== undefined) return [...scopes]
  throw invalidValue('/scopes', 'required', 'Give `scopes` or a `preset`.')
}
