// Which installation is called, and as whom. A secret and the address that it is sent to come from the same place: a
// variable that names another address does not get the secret of a profile.
import type { Options } from '#clients/client.ts'
import type { Audience } from '#contract/operation.ts'
import { UsageError } from './arguments.ts'
import type { Access } from './command.ts'
import { profileNamed, readProfiles, type Profile } from './profiles.ts'

type Environment = Readonly<Record<string, string | undefined>>

export const defaultUrl = 'http://127.0.0.1:8080'

/** By which variables each is given; the first is the one that pages name. */
export const accessVariables = {
  url: ['WORKSPACE_API_URL', 'BASE_URL'],
  api: ['WORKSPACE_API_KEY'],
  settings: ['OPERATOR_TOKEN'],
  workspace: ['WORKSPACE_ID'],
  profile: ['WORKSPACE_PROFILE'],
} as const

/**
 * The profile that `--profile` names comes first, then the environment, then the current profile. Where the environment
 * has both secrets, it is that of the first of `audiences` that it has. Null: there is no secret anywhere. Throws a
 * UsageError where a profile is named that is not there.
 */
export function findAccess(
  environment: Environment,
  named: string | undefined,
  audiences: readonly Audience[],
): Access | null {
  if (named !== undefined) return ofProfile(environment, named)
  const url = urlIn(environment)
  const audience = audiences.find((each) => valueOf(environment, each) !== undefined)
  const token = audience === undefined ? undefined : valueOf(environment, audience)
  if (audience !== undefined && token !== undefined) {
    const workspaceId = valueOf(environment, 'workspace') ?? null
    return { baseUrl: url ?? defaultUrl, token, audience, workspaceId, profile: null }
  }
  const name = valueOf(environment, 'profile')
  if (name !== undefined) return ofProfile(environment, name)
  const { current } = readProfiles(environment)
  return current === null ? null : ofProfile(environment, current)
}

/** Says which secret is used where the caller may have meant another that is there too. Null: there is none. */
export function choiceNote(
  environment: Environment,
  { audience, token, profile }: Access,
  audiences: readonly Audience[],
): string | null {
  if (profile !== null) return null
  const used = `Using ${accessVariables[audience][0]} from the environment`
  const other = audiences.find((each) => each !== audience && valueOf(environment, each) !== undefined)
  if (other !== undefined) return `${used}, not ${accessVariables[other][0]}: unset the one that is not meant.`
  const passedOver = usualProfile(environment)
  if (passedOver === undefined || passedOver.token === token || !audiences.includes(passedOver.audience)) return null
  return `${used}, not the profile ${passedOver.name}: --profile ${passedOver.name} uses that one.`
}

/** What would be used without a secret in the environment. A file that cannot be used has none. */
function usualProfile(environment: Environment): Profile | undefined {
  try {
    const all = readProfiles(environment)
    const name = valueOf(environment, 'profile') ?? all.current
    return all.profiles.find((each) => each.name === name)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function ofProfile(environment: Environment, name: string): Access {
  const { baseUrl, token, audience, workspaceId } = profileNamed(readProfiles(environment), name)
  const url = urlIn(environment)
  if (url !== undefined && url !== baseUrl)
    throw new UsageError(
      `The profile ${name} is of ${baseUrl}, and the environment names ${url}. Its secret is sent nowhere else: unset ${accessVariables.url.join(' and ')}, or log in there too.`,
    )
  return { baseUrl, token, audience, workspaceId: valueOf(environment, 'workspace') ?? workspaceId, profile: name }
}

export function urlIn(environment: Environment): string | undefined {
  const url = valueOf(environment, 'url')
  return url === undefined ? undefined : checkedUrl(url, accessVariables.url.find((name) => environment[name]) ?? '')
}

/** The origin alone, without a slash at its end. */
export function checkedUrl(text: string, from: string): string {
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new UsageError(`${from} must be an address such as ${defaultUrl}, not "${text}".`)
  const { origin, pathname, username } = new URL(text)
  if (username !== '') throw new UsageError(`${from} must have no user in it.`)
  return origin + pathname.replace(/\/+$/, '')
}

function valueOf(environment: Environment, name: keyof typeof accessVariables): string | undefined {
  const found = accessVariables[name].find((each) => (environment[each] ?? '') !== '')
  return found === undefined ? undefined : environment[found]
}

/** Would it be sent where others on the way can read it? */
export function isSentInClear(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** `workspaceId`: of this call, before that of the profile. */
export function callOptions(access: Access, workspaceId: string | undefined, userAgent: string): Options {
  const { baseUrl, token, audience } = access
  const workspace = workspaceId ?? access.workspaceId ?? undefined
  return { baseUrl, token, audience, userAgent, ...(workspace !== undefined && { workspaceId: workspace }) }
}
