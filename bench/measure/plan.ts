// A program's end of its line to the bench: program.ts is the other.
import { readFileSync } from 'node:fs'

/** What it is to do. The bench wrote it, so its shape is not looked at again. */
export const readPlan = (): unknown => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))

/** What it has found, or where it listens. */
export const report = (result: object): void => console.log(JSON.stringify(result))
