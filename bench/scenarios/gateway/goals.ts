// How much cheaper the gateway is to be than what it is measured beside.
import type { Row } from '../../measure/rounds.ts'
import type { Goal } from '../../report/goals.ts'

type Wanted = Readonly<Record<string, number>>

/** The CPU of each row in parts of the gateway's. */
export const wantedOfReading: Wanted = {
  'same path': 0.85,
  'reply-from': 1.6,
  'plain policy': 2.6,
  'nginx + auth_request': 1.15,
}
export const wantedOfWriting: Wanted = {
  'same path': 0.75,
  'reply-from': 1.3,
  'plain policy': 2,
  'nginx + auth_request': 1.1,
}

/** Of the rows that this machine can measure. */
export const goalsOf = (rows: readonly Row[], wanted: Wanted): Goal[] =>
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
