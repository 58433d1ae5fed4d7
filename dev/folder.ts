// The folder of `npm run dev`: its data, and a file that says that the folder is ours. Only such a folder is deleted,
// and only while no other `npm run dev` uses it.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import type { Seeded } from './seed/seed.ts'

/** `seeded` is null until the sample data is whole. */
export type State = { readonly receiversPort: number; readonly seeded: Seeded | null }

const stateFile = 'dev.json'

/** Returns what the folder holds; null where the sample data is still to be made, in a folder that is then empty. */
export async function openFolder(folder: string, isFresh: boolean, say: (text: string) => void): Promise<State | null> {
  if (!existsSync(join(folder, stateFile))) {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new StartupError(`The folder ${folder} holds what npm run dev has not made. Name another with --folder.`)
    return null
  }
  const state = readState(folder)
  if (!isFresh && state.seeded !== null) return state
  if (!isFresh) say('The sample data was not finished: beginning anew.')
  await mustBeFree(state.receiversPort).catch((error: unknown) => {
    throw new StartupError(`The folder ${folder} is in use by another npm run dev. Stop that one first.`, {
      cause: error,
    })
  })
  // The file goes last: a folder that is deleted only in part is still known as ours.
  for (const name of readdirSync(folder)) if (name !== stateFile) rmSync(join(folder, name), { recursive: true })
  rmSync(join(folder, stateFile))
  return null
}

function readState(folder: string): State {
  const path = join(folder, stateFile)
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as State
  } catch (error) {
    throw new StartupError(`${path} cannot be read. Delete the folder, or name another with --folder.`, {
      cause: error,
    })
  }
}

/** A process that is killed leaves the old text or the new one. */
export function keepState(folder: string, state: State): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, stateFile)
  writeFileSync(`${path}.partial`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.partial`, path)
}

/** Rejects with the error that a port in use gives. */
export async function mustBeFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
