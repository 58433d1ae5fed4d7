// The form of a new key, and what it asks the API for. Pure.
import type { Input } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import type { ApiPolicy } from '#contract/key-policy.ts'
import type { Scope } from '#contract/scopes.ts'
import type { Mistakes } from '../../ui/form-mistakes.ts'
import { addressLines } from './address-list.ts'

export const expiries = ['never', '30', '90', '365', 'date'] as const
export type Expiry = (typeof expiries)[number]

export type KeyForm = {
  readonly name: string
  readonly description: string
  readonly scopes: ReadonlySet<string>
  readonly http: boolean
  readonly mcp: boolean
  readonly expiry: Expiry
  /** `YYYY-MM-DD`, for the expiry `date`. */
  readonly expiryDate: string
  /** Days; empty: none. */
  readonly maxAge: string
  readonly ipAllowlist: string
}

export const emptyForm: KeyForm = {
  ...{ name: '', description: '', scopes: new Set<string>(), http: true, mcp: false },
  ...{ expiry: '90', expiryDate: '', maxAge: '', ipAllowlist: '' },
}

type KeyInput = Input<OperationNamed<'api-keys.create'>>
const dayMs = 86_400_000

export function keyInputOf(form: KeyForm, nowMs: number): KeyInput {
  const lines = addressLines(form.ipAllowlist)
  return {
    name: form.name.trim(),
    ...(form.description.trim() !== '' && { description: form.description.trim() }),
    // The matrix has no others.
    scopes: [...form.scopes] as Scope[],
    surfaces: [...(form.http ? (['http'] as const) : []), ...(form.mcp ? (['mcp'] as const) : [])],
    expiresAt: expiresAt(form, nowMs)?.toISOString() ?? null,
    rotationPolicy: form.maxAge === '' ? null : { maxAgeDays: Number(form.maxAge) },
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

/** What no schema says: what belongs together, and what the workspace demands. */
export function keyMistakes(form: KeyForm, policy: ApiPolicy | null, nowMs: number): Mistakes {
  const lines = addressLines(form.ipAllowlist)
  const until = expiresAt(form, nowMs)
  const found = {
    ...(!form.http && !form.mcp && { http: 'Choose at least one.' }),
    ...(form.expiry === 'date' && (until === null || until.getTime() < nowMs) && { expiryDate: 'A day to come.' }),
    ...(policy?.requireExpiry === true && form.expiry === 'never' && { expiry: 'This workspace demands an expiry.' }),
    ...(form.maxAge !== '' && !isMaxAge(form.maxAge) && { maxAge: 'A number of days from 1 to 365.' }),
    ...(policy?.requireIpAllowlist === true &&
      lines.length === 0 && { ipAllowlist: 'This workspace demands that its keys name their addresses.' }),
    ...(lines.some(({ kind }) => kind === 'unreadable') && { ipAllowlist: 'Not every line is an address or a range.' }),
  }
  return found
}

const isMaxAge = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 365
