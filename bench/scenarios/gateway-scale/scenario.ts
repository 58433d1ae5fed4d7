// The gateway when there is more of something: keys that it knows, and processes.
import { randomUUID } from 'node:crypto'
import { serveProgram } from '../../measure/program.ts'
import { makeKey, makeToken, unlimitedRecord } from '../../product/keys.ts'
import type { Target } from '../../programs/load.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Scenario } from '../../scenario.ts'
import { manyKeys } from './many-keys.ts'
import { twoProcesses } from './two-processes.ts'

/** As many as a gateway keeps. */
const keysMost = 100_000
const keysOfTwo = 4_096

export const gatewayScale: Scenario = {
  name: 'gateway-scale',
  about: 'The gateway process with many keys in use, and two of them; in front of an origin that answers from memory.',
  prepare: async ({ seconds, rows = keysMost }) => {
    const count = Math.max(keysOfTwo, Math.min(rows, keysMost))
    const plan: Origin = { keys: {}, others: makeKey(unlimitedRecord).record }
    // Tokens alone: the origin makes the records.
    const targets = Array.from({ length: count }, () => targetOf(makeToken()))
    const origin = await serveProgram('origin', 'load', plan)
    return {
      parts: [
        manyKeys({ targets, origin: origin.url, seconds }),
        twoProcesses({ targets: targets.slice(0, keysOfTwo), origin: plan, seconds }),
      ],
      facts: {},
      [Symbol.asyncDispose]: origin.stop,
    }
  },
}

const targetOf = (token: string): Target => ({
  method: 'GET',
  path: `/api/v1/projects/${randomUUID()}`,
  headers: { authorization: `Bearer ${token}` },
})
