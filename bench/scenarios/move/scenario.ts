// A workspace that moves to another installation, and is compared field by field.
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts } from '../../product/database.ts'
import { newDeployment } from '../../product/settings.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Column } from '../../report/table.ts'
import type { Scenario } from '../../scenario.ts'
import type { Sample } from '../../report/table.ts'
import { fill, move } from './move.ts'
import { openPlace, type Place } from './place.ts'
import { rowsToMove } from './rows.ts'

const rowsDefault = 100_000
const rowsMax = 1_000_000

const columns: readonly Column[] = [
  { figure: 'rows', title: 'rows', digits: 0 },
  { figure: 'exported', title: 'exported/s', digits: 0 },
  { figure: 'imported', title: 'imported/s', digits: 0 },
  { figure: 'refused', title: 'refused', digits: 0 },
  { figure: 'different', title: 'differences', digits: 0 },
]
const row = 'CRM entities'
const none = (figure: string) => ({ says: `${figure} rows`, own: { row, figure }, atMost: 0 })

/** Each call of an import counts as several: its bytes are not what is measured. */
const rates = {
  RATE_LIMIT_KEY_PER_MINUTE: '100000',
  RATE_LIMIT_KEY_BURST: '10000',
  RATE_LIMIT_WORKSPACE_PER_MINUTE: '100000',
  RATE_LIMIT_WORKSPACE_BURST: '10000',
}

export const moving: Scenario = {
  name: 'move',
  about:
    'A workspace of companies, contacts and deals is exported by a job, translated, imported by jobs into a second installation (gateway, service and database of its own), exported there, and compared field by field: everything but ids, versions, and the time and key of the import. Every third row has a history from elsewhere; rows link to later ones, have several own ids, emails and addresses with gaps.',
  prepare: async ({ rows: asked = rowsDefault }: Sizes) => {
    const rows = Math.min(asked, rowsMax)
    await using database = await emptyDatabase()
    const facts = await serverFacts(database)
    const measured = { name: row, measure: () => measure(rows) }
    const goals = [none('refused'), none('different')]
    const about = `${rows.toLocaleString('en-US')} rows, once. Both installations share the machine; jobs work half of the time.`
    const part = { title: 'To another installation', about, columns, rows: [measured], goals, roundsMax: 1 }
    return { parts: [part], facts, [Symbol.asyncDispose]: async () => {} }
  },
}

async function measure(count: number): Promise<Sample> {
  await using old = await startInstallation()
  await fill(old.place, rowsToMove(count))
  await using other = await startInstallation()
  const { rows, exportMs, importMs, refusals, differences } = await move(old.place, other.place)
  for (const example of [...refusals.map((each) => JSON.stringify(each)), ...differences].slice(0, 20))
    console.error(example)
  return {
    rows,
    exported: (rows / exportMs) * 1_000,
    imported: (rows / importMs) * 1_000,
    refused: refusals.length,
    different: differences.length,
  }
}

async function startInstallation(): Promise<AsyncDisposable & { readonly place: Place }> {
  await using undo = new AsyncDisposableStack()
  const [deployment, database] = [newDeployment(), undo.use(await emptyDatabase())]
  undo.defer(() => removeQueues(deployment))
  await migrate(database.url)
  const service = undo.use(await startService(deployment, database.url, rates))
  const gateway = undo.use(await startGateway(deployment, service.url, rates))
  const place = await openPlace(gateway.url, deployment.operatorToken)
  const kept = undo.move()
  return { place, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
