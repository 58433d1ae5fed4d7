// The form of a key, a new one or one that is changed, and what it asks the API for. Pure.
import type { Input } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import type { ApiPolicy } from '#contract/key-policy.ts'
import { presetNamed, type PresetName } from '#contract/key-preset.ts'
import type { Scope } from '#contract/scopes.ts'
import type { ToolNames } from '#contract/surface.ts'
import type { Mistakes } from '../../ui/form-mistakes.ts'
import { addressLines } from './address-list.ts'
import { texts } from './texts.tsx'

export const expiries = ['never', '30', '90', '365', 'date'] as const
export type Expiry = (typeof expiries)[number]

export type KeyForm = {
  readonly name: string
  readonly description: string
  /** The ID of a member; empty: no owner. */
  readonly ownerId: string
  readonly scopes: ReadonlySet<string>
  readonly http: boolean
  readonly mcp: boolean
  readonly toolNames: ToolNames
  readonly expiry: Expiry
  /** `YYYY-MM-DD`, for the expiry `date`. */
  readonly expiryDate: string
  /** Days; empty: none. */
  readonly maxAge: string
  /** Calls, in the long run and at once; both empty: as every key. */
  readonly perMinute: string
  readonly burst: string
  readonly ipAllowlist: string
}

export const emptyForm: KeyForm = {
  name: '',
  description: '',
  ownerId: '',
  scopes: new Set<string>(),
  http: true,
  mcp: false,
  toolNames: 'auto',
  expiry: '90',
  expiryDate: '',
  maxAge: '',
  perMinute: '',
  burst: '',
  ipAllowlist: '',
}

/** A key as the form shows it. */
export const keyFormOf = (key: ApiKey): KeyForm => ({
  name: key.name,
  description: key.description ?? '',
  ownerId: key.ownerId ?? '',
  scopes: new Set(key.scopes),
  http: key.surfaces.includes('http'),
  mcp: key.surfaces.includes('mcp'),
  toolNames: key.toolNames,
  expiry: key.expiresAt === null ? 'never' : 'date',
  expiryDate: key.expiresAt?.slice(0, 10) ?? '',
  maxAge: key.rotationPolicy?.maxAgeDays.toString() ?? '',
  perMinute: key.rateLimit?.perMinute.toString() ?? '',
  burst: key.rateLimit?.burst.toString() ?? '',
  ipAllowlist: key.ipAllowlist.join('\n'),
})

export type Access = Pick<KeyForm, 'scopes' | 'http' | 'mcp'>

/** How programs with a preset connect. Assistants call tools; all others call the HTTP API. */
const viaMcp: ReadonlySet<PresetName> = new Set(['agent'])

export const accessOfPreset = (name: PresetName): Access => ({
  scopes: new Set(presetNamed(name).scopes),
  http: !viaMcp.has(name),
  mcp: viaMcp.has(name),
})

export function isPreset({ scopes, http, mcp }: Access, name: PresetName): boolean {
  const preset = accessOfPreset(name)
  const isSameSurfaces = http === preset.http && mcp === preset.mcp
  return isSameSurfaces && scopes.size === preset.scopes.size && scopes.isSubsetOf(preset.scopes)
}

export type KeyInput = Input<OperationNamed<'api-keys.create'>>
const dayMs = 86_400_000

export function keyInputOf(form: KeyForm, nowMs: number): KeyInput {
  const lines = addressLines(form.ipAllowlist)
  return {
    name: form.name.trim(),
    description: form.description.trim() || null,
    ownerId: form.ownerId || null,
    // The matrix has no others.
    scopes: [...form.scopes] as Scope[],
    surfaces: [...(form.http ? (['http'] as const) : []), ...(form.mcp ? (['mcp'] as const) : [])],
    toolNames: form.toolNames,
    expiresAt: expiresAt(form, nowMs)?.toISOString() ?? null,
    rotationPolicy: form.maxAge === '' ? null : { maxAgeDays: Number(form.maxAge) },
    rateLimit: hasNoRate(form) ? null : { perMinute: Number(form.perMinute), burst: Number(form.burst) },
    ipAllowlist: [...new Set(lines.flatMap((line) => (line.kind === 'range' ? [line.text] : [])))],
  }
}

/** Null: never. */
export function expiresAt({ expiry, expiryDate }: Pick<KeyForm, 'expiry' | 'expiryDate'>, nowMs: number): Date | null {
  if (expiry === 'never') return null
  if (expiry !== 'date') return new Date(nowMs + Number(expiry) * dayMs)
  const date = new Date(`${expiryDate}T23:59:59.000Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

export const rotateBy = (maxAge: string, nowMs: number): Date | null =>
  /^\d{1,3}$/.test(maxAge) ? new Date(nowMs + Number(maxAge) * dayMs) : null

/** Checks that no schema can express: fields that belong together, and the policy of the workspace. */
export function keyMistakes(form: KeyForm, policy: ApiPolicy | null, nowMs: number): Mistakes {
  const lines = addressLines(form.ipAllowlist)
  const until = expiresAt(form, nowMs)
  const found = {
    ...(!form.http && !form.mcp && { http: texts.chooseAtLeastOne }),
    ...(form.expiry === 'date' && (until === null || until.getTime() < nowMs) && { expiryDate: texts.enterADateInThe }),
    ...(policy?.requireExpiry === true &&
      form.expiry === 'never' && { expiry: texts.thisWorkspaceRequiresAnExpiration }),
    ...(form.maxAge !== '' && !isMaxAge(form.maxAge) && { maxAge: texts.enterANumberOfDays }),
    ...(!hasNoRate(form) && rateMistakes(form)),
    ...(policy?.requireIpAllowlist === true && lines.length === 0 && { ipAllowlist: texts.thisWorkspaceRequiresAnIp }),
    ...(lines.some(({ kind }) => kind === 'unreadable') && {
      ipAllowlist: texts.eachLineMustBeAn,
    }),
  }
  return found
}

const isMaxAge = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 365

type Rate = Pick<KeyForm, 'perMinute' | 'burst'>
const hasNoRate = ({ perMinute, burst }: Rate): boolean => perMinute === '' && burst === ''

/** The largest that are possible, the API knows. */
const rateMistakes = (rate: Rate): Mistakes =>
  Object.fromEntries(
    (['perMinute', 'burst'] as const).flatMap((name) =>
      /^[1-9]\d{0,5}$/.test(rate[name]) ? [] : [[name, texts.enterAWholeNumber1]],
    ),
  )

/** A rule that a key broke before, in a field that does not change, does not prevent other changes. */
export const rulesOfChanged = (policy: ApiPolicy | null, before: KeyForm, after: KeyForm): ApiPolicy | null =>
  policy && {
    ...policy,
    requireExpiry: policy.requireExpiry && before.expiry !== after.expiry,
    requireIpAllowlist: policy.requireIpAllowlist && before.ipAllowlist !== after.ipAllowlist,
  }
