// The statements in docs/operating/capacity.md that look at all workspaces, printed from the list that the tests hold
// every statement against. `npm run docs` writes them; docs/check.ts refuses a list that is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedStatements } from '../test/support/tenancy/allowed-statements.ts'

export const capacityPage = join(import.meta.dirname, 'operating/capacity.md')
const block = /(?<=<!-- statements -->\n)[^]*(?=<!-- \/statements -->)/

/** Of the process or the part that sends them. A transaction is named with the file of the same statement outside. */
export function withStatements(text: string): string {
  const byPart = Map.groupBy(allowedStatements, ([file]) => partOf(file))
  const rows = [...byPart].map(([part, statements]) => {
    const what = new Set(statements.map(([, , why]) => why).filter((why) => !why.startsWith('the same')))
    return `| ${part} | ${[...what].join('; ')} |`
  })
  return text.replace(block, () => ['| sent by | what it looks for |', '|---|---|', ...rows, ''].join('\n'))
}

const partOf = (file: string | null): string =>
  file?.split('/').slice(0, 2).join('/').replace(/\.ts$/, '') ?? 'transactions'

if (import.meta.main) writeFileSync(capacityPage, withStatements(readFileSync(capacityPage, 'utf8')))
