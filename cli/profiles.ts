// The profiles: which installations the user has logged in to, with the secret of each. They stand in one file that
// only its owner may read; one that others may read is refused, since the secret may be known by then.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { writeFileSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UsageError } from './arguments.ts'
import type { Access } from './command.ts'

export type Profile = Pick<Access, 'baseUrl' | 'token' | 'audience' | 'workspaceId'> & {
  readonly name: string
  /** As whom: the name of the key. */
  readonly label: string
}
export type Profiles = { readonly current: string | null; readonly profiles: readonly Profile[] }

type Environment = Readonly<Record<string, string | undefined>>

const none: Profiles = { current: null, profiles: [] }
const folderMode = 0o700
const fileMode = 0o600
const othersMask = 0o077
const bytesMax = 1_000_000
const nameForm = /^[\w.-]{1,40}$/

/** The base directory specification ignores a path that is not absolute. */
export function profilesPath({ XDG_CONFIG_HOME: home = '', HOME: user = homedir() }: Environment): string {
  return join(isAbsolute(home) ? home : join(user, '.config'), 'workspace-cli', 'profiles.json')
}

export function assertProfileName(name: string): void {
  if (!nameForm.test(name))
    throw new UsageError(
      `A profile is named by up to 40 letters, digits, dots, hyphens and underscores, not "${name}".`,
    )
}

/** Throws a UsageError with the remedy when the file is not as it must be. */
export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return none
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const stats = fstatSync(file)
    assertPrivate(path, stats, '600')
    if (stats.size > bytesMax) throw new UsageError(`${path} is no file of profiles: it is too large.`)
    return parsed(readFileSync(file, 'utf8'), path)
  } finally {
    closeSync(file)
  }
}

/** Takes the place of the former file at once: a reader never sees half of it. */
export function writeProfiles(environment: Environment, profiles: Profiles): void {
  const path = profilesPath(environment)
  const folder = join(path, '..')
  mkdirSync(folder, { recursive: true, mode: folderMode })
  assertPrivate(folder, statSync(folder), '700')
  const next = `${path}.${process.pid}`
  rmSync(next, { force: true })
  const file = openSync(next, 'wx', fileMode)
  try {
    writeFileSync(file, `${JSON.stringify(profiles, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
}

export function withProfile({ current, profiles }: Profiles, added: Profile): Profiles {
  const others = profiles.filter(({ name }) => name !== added.name)
  return { current: current ?? added.name, profiles: [...others, added].toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Throws a UsageError where there is no such profile. Without the current one, none is. */
export function withoutProfile(all: Profiles, name: string): Profiles {
  profileNamed(all, name)
  return {
    current: all.current === name ? null : all.current,
    profiles: all.profiles.filter((each) => each.name !== name),
  }
}

export function profileNamed({ profiles }: Profiles, name: string): Profile {
  const found = profiles.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = profiles.map((each) => each.name).join(', ')
  throw new UsageError(`There is no profile ${name}.${known === '' ? '' : ` There are ${known}.`}`)
}

/** Windows keeps the home of a user to the user, and has no such modes. */
function assertPrivate(path: string, { mode, uid }: Stats, wanted: string): void {
  if (process.platform === 'win32') return
  if (uid !== process.getuid?.())
    throw new UsageError(`${path} belongs to another user, who may know what is in it. Remove it, and log in again.`)
  if ((mode & othersMask) !== 0)
    throw new UsageError(
      `${path} can be read or changed by others (mode ${(mode & 0o777).toString(8)}). Run \`chmod ${wanted} ${path}\`. If others use this machine, rotate the keys in it too.`,
    )
}

function parsed(text: string, path: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles
    if (profiles.every(isProfile) && (current === null || typeof current === 'string')) return { current, profiles }
  } catch {
    // What is no JSON, or has no list, is refused like what has a wrong one.
  }
  throw new UsageError(`${path} is damaged. Remove it, and log in again.`)
}

function isProfile(value: unknown): value is Profile {
  const { name, baseUrl, token, audience, workspaceId, label } = value as Partial<Record<keyof Profile, unknown>>
  const texts = [name, baseUrl, token, label].every((each) => typeof each === 'string')
  return (
    texts &&
    (audience === 'api' || audience === 'settings') &&
    (workspaceId === null || typeof workspaceId === 'string')
  )
}

export const codeOf = (error: unknown): string | undefined => (error as { readonly code?: string }).code
