// The programs that the bench starts beside the product (bench/programs): the plan goes into a file, the result comes
// back as the last line that the program prints. plan.ts is the other end.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFile, start, type Child } from './child.ts'
import type { Core } from './cores.ts'
import { until } from './wait-until.ts'

export type Server = Child & { readonly url: string }
type Begun<R> = Omit<Child, 'ended'> & { ended(withinMs: number): Promise<R> }

const programs = join(import.meta.dirname, '../programs')
const listensWithinMs = 10_000

/** A program that does one thing and reports. */
export async function runProgram<R>(name: string, core: Core, plan: object, withinMs: number): Promise<R> {
  await using child = startProgram(name, core, plan)
  await child.finished(withinMs)
  return lastLine(child) as R
}

/** A program that listens until it is stopped. */
export async function serveProgram(name: string, core: Core, plan: object): Promise<Server> {
  const child = startProgram(name, core, plan)
  const listening = () =>
    child.isRunning() ? (lastLine(child) as { url: string }) : child.finished(0).then(() => null)
  try {
    const { url } = await until(`${name} to listen`, listensWithinMs, listening)
    return { ...child, url }
  } catch (error) {
    await child.stop()
    throw new Error(`${name} does not listen:\n${child.output()}`, { cause: error })
  }
}

/** A program that goes on until it is told to end, and then reports. */
export function beginProgram<R>(name: string, core: Core, plan: object): Begun<R> {
  const child = startProgram(name, core, plan)
  const ended = async (withinMs: number) => {
    // One that has ended by itself has failed, and says why.
    if (child.isRunning()) process.kill(child.pid, 'SIGTERM')
    await child.finished(withinMs)
    return lastLine(child) as R
  }
  return { ...child, ended }
}

function startProgram(name: string, core: Core, plan: object): Child {
  const file = scratchFile(`${name}.json`)
  writeFileSync(file, JSON.stringify(plan))
  return start({ name, core, args: [join(programs, `${name}.ts`), file] })
}

/** Throws where there is none yet. */
const lastLine = (child: Child): unknown => JSON.parse(child.output().trim().split('\n').at(-1) ?? '')
