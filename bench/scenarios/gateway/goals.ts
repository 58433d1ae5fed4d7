// How much cheaper the gateway is to be than what it is measured beside.
import type { Row } from '../../measure/rounds.ts'
import type { Goal } from '../../report/goals.ts'

/** The CPU of each row in parts of the gateway's. */
const wanted: Readonly<Record<string, number>> = {
  'same path': 0.9,
  'reply-from': 1.6,
  'plain policy': 3.1,
  'nginx + auth_request': 0.9,
  'express-gateway': 9,
  'express-gateway, limit by consumer': 23,
}

/** Of the rows that this machine can measure. */
export const goalsOf = (rows: readonly Row[]): Goal[] =>
  rows.flatMap(({ name }) => {
    const atLeast = wanted[name]
    return atLeast === undefined ? [] : [cheaperThan(name, atLeast)]
  })

const cheaperThan = (row: string, atLeast: number): Goal => ({
  says: `CPU of \`${row}\` over that of the gateway`,
  own: { row, figure: 'cpu' },
  over: { row: 'gateway', figure: 'cpu' },
  atLeast,
})
