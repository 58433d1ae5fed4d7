// Processes of a tier that are replaced one by one, and calls that go on meanwhile.
import type { Scope } from '#contract/scopes.ts'
import type { Tenant } from './client.ts'
import { eventually } from './eventually.ts'
import { start, type Env, type Place, type Program, type Running } from './processes.ts'

const callEveryMs = 25
/** A machine that answers more slowly is asked less: piled up calls would slow down what they are to meet. */
const openMax = 10
/** A key may be used ten times a second. */
const keysCount = 8

export type Member = { readonly program: Program; readonly env: Env; current: Running }

/** Whoever is the current one in the end is ended then. */
export async function startPair(
  program: Program,
  env: Env,
  undo: AsyncDisposableStack,
  place?: Place,
): Promise<Member[]> {
  const pair = await Promise.all([start(program, env, place), start(program, env, place)])
  const members = pair.map((current) => ({ program, env: { ...env, PORT: new URL(current.url).port }, current }))
  for (const member of members) undo.defer(async () => void (await member.current.kill('SIGKILL')))
  return members
}

export const urlsOf = (members: readonly Member[]): string[] => members.map(({ current }) => current.url)

/**
 * One after the other: stopped as an orchestrator stops it, and the next only when its successor gets calls. `place`:
 * where the successors are.
 */
export async function roll(
  members: readonly Member[],
  taken = (_url: string) => Promise.resolve(),
  place?: Place,
): Promise<void> {
  for (const member of members) {
    const { code, stderr } = await member.current.kill('SIGTERM')
    if (code !== 0) throw new Error(`${member.program} ended with ${code}: ${stderr}`)
    member.current = await start(member.program, member.env, place)
    await taken(member.current.url)
  }
}

const used: readonly Scope[] = ['projects:read', 'projects:write']

/** The secrets of new keys. */
export const keysOf = async (tenant: Pick<Tenant, 'key'>): Promise<string[]> => {
  const keys = await Promise.all(Array.from({ length: keysCount }, () => tenant.key(used)))
  return keys.map(({ secret }) => secret)
}

type Called = { readonly status: number | string; readonly ms: number; readonly id?: string }

/** Reads and writes in turn, each with the next key, at a steady pace. */
export function keepCalling(secrets: readonly string[], next: () => string) {
  const answers: Called[] = []
  const running = new Set<Promise<void>>()
  let made = 0
  const timer = setInterval(() => {
    if (running.size >= openMax) return
    const secret = secrets[made % secrets.length] ?? ''
    const isWrite = Math.floor(made / secrets.length) % 2 === 0
    const begun = Date.now()
    const called = call(next, secret, isWrite, made++)
      .catch((error: unknown): Omit<Called, 'ms'> => ({ status: String((error as Error).cause ?? error) }))
      .then((answer) => void answers.push({ ...answer, ms: Date.now() - begun }))
      .finally(() => running.delete(called))
    running.add(called)
  }, callEveryMs)
  return {
    more: (count: number, from = answers.length) => eventually(() => answers.length >= from + count, 'more', 60_000),
    end: async () => {
      clearInterval(timer)
      await Promise.all(running)
      return answers
    },
  }
}

async function call(next: () => string, secret: string, isWrite: boolean, number: number): Promise<Omit<Called, 'ms'>> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const write = { method: 'POST', body: JSON.stringify({ name: `Project ${number}` }) }
  const response = await fetch(`${next()}/api/v1/projects`, { headers, ...(isWrite && write) })
  const body = (await response.json()) as { id?: string; code?: string }
  if (response.ok) return { status: response.status, ...(isWrite && body.id !== undefined && { id: body.id }) }
  return { status: `${response.status} ${body.code}` }
}
