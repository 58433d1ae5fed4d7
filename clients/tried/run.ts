// `npm run try-clients -- [name…] [--write] [--seconds n]`: runs clients, generators and suites of others as they are
// against the product, and prints what became of each. Takes the installation that BASE_URL and API_KEY name, else
// starts the product on embedded parts. `--write` keeps the table in docs/clients.md; `--seconds` says how long each
// may take. Ends with 1 where one failed, with 2 where a name is unknown.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { candidatesIn, tryCandidate, type Outcome } from './candidate.ts'
import { openInstallation } from './installation.ts'
import { printed, withTable } from './table.ts'

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: import.meta.dirname },
    seconds: { type: 'string', default: '180' },
    write: { type: 'boolean', default: false },
  },
})
const page = join(import.meta.dirname, '../../docs/clients.md')
const all = candidatesIn(values.folder)
const unknown = names.filter((name) => !all.some((candidate) => candidate.name === name))
if (unknown.length > 0 || (values.write && names.length > 0)) {
  console.error(
    unknown.length > 0
      ? `Unknown: ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}`
      : '--write keeps the table of all clients, so it takes no names',
  )
  process.exit(2)
}

await using installation = await openInstallation()
const outcomes: Outcome[] = []
for (const candidate of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const outcome = await tryCandidate(
    candidate,
    values.folder,
    await installation.access(candidate.title),
    Number(values.seconds) * 1_000,
  )
  console.log(`${outcome.result.padEnd(7)} ${candidate.name}${outcome.detail && `: ${outcome.detail}`}`)
  if (outcome.result === 'failed') console.log(outcome.output.replaceAll(/^/gm, '        '))
  outcomes.push(outcome)
}
console.log(`\n${printed(outcomes)}`)
if (values.write) writeFileSync(page, withTable(readFileSync(page, 'utf8'), outcomes, new Date()))
if (outcomes.some(({ result }) => result === 'failed')) process.exitCode = 1
