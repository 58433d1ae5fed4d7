// What a change of a key widens and what it narrows, in a sentence each, before it is saved. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { dayText } from '../../ui/moment-text.ts'
import { texts } from './texts.tsx'

type Limits = Pick<ApiKey, 'scopes' | 'surfaces' | 'expiresAt' | 'rotationPolicy' | 'rateLimit' | 'ipAllowlist'>
export type KeyChanges = { readonly widened: readonly string[]; readonly narrowed: readonly string[] }

const surfaceWords = { http: texts.theHttpApi, mcp: 'MCP' } as const

export function keyChanges(before: Limits, after: Limits): KeyChanges {
  const expiry = lastDay(after) - lastDay(before)
  const age = maxAge(after) - maxAge(before)
  const [moreScopes, fewerScopes] = [scopesBeyond(after, before), scopesBeyond(before, after)]
  const [moreSurfaces, fewerSurfaces] = [surfacesBeyond(after, before), surfacesBeyond(before, after)]
  const rate = rateChange(before.rateLimit, after.rateLimit)
  const addresses = addressChanges(before.ipAllowlist, after.ipAllowlist)
  return {
    widened: [
      ...(moreScopes.length > 0 ? [texts.theKeyGets(scopeList(moreScopes))] : []),
      ...(moreSurfaces.length > 0 ? [texts.theKeyCanUse(moreSurfaces.join(' and '))] : []),
      ...(expiry > 0 ? [expirySentence(before, after)] : []),
      ...(age > 0 ? [ageSentence(after)] : []),
      ...(rate > 0 ? [rateSentence(after)] : []),
      ...addresses.widened,
    ],
    narrowed: [
      ...(fewerScopes.length > 0 ? [texts.theKeyLoses(scopeList(fewerScopes))] : []),
      ...(fewerSurfaces.length > 0 ? [texts.theKeyCanNoLonger(fewerSurfaces.join(' and '))] : []),
      ...(expiry < 0 ? [expirySentence(before, after)] : []),
      ...(age < 0 ? [ageSentence(after)] : []),
      ...(rate < 0 ? [rateSentence(after)] : []),
      ...addresses.narrowed,
    ],
  }
}

/** A scope that another one includes is neither given nor taken away. A key has no others than these. */
const scopesBeyond = (of: Limits, other: Limits): string[] =>
  of.scopes.filter((scope) => !covers(other.scopes, scope as Scope))

const scopeList = (scopes: readonly string[]): string =>
  texts.theScopeTheScopes(scopes.length, scopes.map((scope) => `\`${scope}\``).join(', '))

const surfacesBeyond = (of: Limits, other: Limits): string[] =>
  of.surfaces.filter((surface) => !other.surfaces.includes(surface)).map((surface) => surfaceWords[surface])

/** Beyond all dates. It is finite, so that two of them differ by nothing. */
const never = Number.MAX_SAFE_INTEGER
const lastDay = ({ expiresAt }: Limits): number => (expiresAt === null ? never : Date.parse(expiresAt))
const maxAge = ({ rotationPolicy }: Limits): number => rotationPolicy?.maxAgeDays ?? never

const expiryText = ({ expiresAt }: Limits): string =>
  expiresAt === null ? 'never' : texts.on(dayText(new Date(expiresAt)))
const expirySentence = (before: Limits, after: Limits): string =>
  after.expiresAt === null
    ? texts.theKeyWillNeverExpire(expiryText(before))
    : texts.theKeyExpiresInsteadOf(expiryText(after), expiryText(before))

const ageSentence = ({ rotationPolicy }: Limits): string =>
  rotationPolicy === null ? texts.theSecretDoesNotHave : texts.theSecretMustBeRotated(rotationPolicy.maxAgeDays)

/** The default of the plan is not known here: a limit of the key’s own counts as narrower. */
function rateChange(before: Limits['rateLimit'], after: Limits['rateLimit']): number {
  if (before === null || after === null) return Number(before !== null) - Number(after !== null)
  return after.perMinute - before.perMinute || after.burst - before.burst
}
const rateSentence = ({ rateLimit }: Limits): string =>
  rateLimit === null ? texts.theKeyGetsTheDefault : texts.theKeyCanMakeRequests(rateLimit.perMinute, rateLimit.burst)

function addressChanges(before: readonly string[], after: readonly string[]): KeyChanges {
  const [added, removed] = [
    after.filter((each) => !before.includes(each)),
    before.filter((each) => !after.includes(each)),
  ]
  if (added.length === 0 && removed.length === 0) return { widened: [], narrowed: [] }
  if (after.length === 0) return { widened: [texts.theKeyCanBeUsed], narrowed: [] }
  if (before.length === 0) return { widened: [], narrowed: [texts.theKeyCanBeUsedFrom(addressList(added))] }
  return {
    widened: added.length === 0 ? [] : [texts.theKeyCanAlsoBe(addressList(added))],
    narrowed: removed.length === 0 ? [] : [texts.theKeyCanNoLongerBe(addressList(removed))],
  }
}

const shownMax = 5

const addressList = (addresses: readonly string[]): string => {
  const more = addresses.length - shownMax
  return addresses.slice(0, shownMax).join(', ') + (more > 0 ? texts.andMore(more) : '')
}
