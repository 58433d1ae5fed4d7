// The id that ties a caller's request to our log lines and answers. A caller may bring one, if it is harmless to print.
import { randomUUID } from 'node:crypto'

const safe = /^[\w.:@/+=-]{1,128}$/

export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && safe.test(header) ? header : randomUUID()
