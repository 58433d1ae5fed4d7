// Programs of others that the product is measured beside, where the machine has them.
import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { start, type Child } from './child.ts'
import { until } from './wait-until.ts'

export type OtherProgram = Child & { readonly url: string }
type Parts = { readonly name: string; readonly args: readonly string[]; readonly port: number }

const listensWithinMs = 10_000

export const isInstalled = (name: string): boolean => spawnSync(name, ['-v']).error === undefined

/** Resolves when it listens. */
export async function serveOther({ name, args, port }: Parts): Promise<OtherProgram> {
  const child = start({ name, core: 'measured', command: name, args })
  try {
    await until(`${name} to listen`, listensWithinMs, async () => (await isListening(port)) || null)
    return { ...child, url: `http://127.0.0.1:${port}` }
  } catch (error) {
    await child.stop()
    throw new Error(`${name} does not listen:\n${child.output()}`, { cause: error })
  }
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
