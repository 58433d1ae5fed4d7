// PGlite as Prisma's adapter calls it. The adapter brings the same parsers with every query, and each time PGlite merges
// them with three hundred of its own, which takes longer than a small query. Here they are merged with the first one.
import type { PGlite, QueryOptions, Transaction } from '@electric-sql/pglite'

export function mergingParsersOnce(pglite: PGlite): PGlite {
  let merged: QueryOptions['parsers']

  const queryIn =
    (session: Pick<Transaction, 'query'>): Transaction['query'] =>
    (sql, values, { parsers, ...options } = {}) => {
      if (parsers !== merged) pglite.parsers = { ...pglite.parsers, ...parsers }
      merged = parsers
      return session.query(sql, values, options)
    }

  const transaction: PGlite['transaction'] = (work) => pglite.transaction((tx) => work({ ...tx, query: queryIn(tx) }))
  return Object.assign(Object.create(pglite), { query: queryIn(pglite), exec: pglite.exec.bind(pglite), transaction })
}
