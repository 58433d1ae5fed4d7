// What ten thousand callers that leave do to a gateway.
import type { Column } from '../../report/table.ts'
import type { Scenario } from '../../scenario.ts'
import { abortsEach, atOnce, leaving, phases, slots } from './rows.ts'

const columns: readonly Column[] = [
  { figure: 'aborts', title: 'callers that left', digits: 0 },
  { figure: 'socketsLeft', title: 'sockets more than before', digits: 0 },
  { figure: 'memoryMib', title: 'own memory after four fifths of them, MiB more', digits: 1 },
  { figure: 'slotsFree', title: `slots free afterwards, of ${slots}`, digits: 0 },
]

export const aborts: Scenario = {
  name: 'aborts',
  about: `A gateway process before a service that holds its answers, or gives long ones; ${abortsEach} callers leave, ${atOnce} at a time, one half by closing and one half by a reset.`,
  prepare: async () => ({
    parts: [
      {
        title: 'By the phase of the call',
        about:
          'Sockets are those of the gateway process, callers’ and service’s, once their number stands still: it may be below that before, where kept connections have ended. Memory is counted from a fifth of the way on; garbage that nobody has collected yet is in it.',
        columns,
        rows: phases.map(leaving),
        roundsMax: 1,
      },
    ],
    facts: {},
    [Symbol.asyncDispose]: async () => {},
  }),
}
