import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { column, command, declaredStatements, query, type Column, type Declared } from '#prisma/statements.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { freshPostgres } from '../support/database.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { describeStatement } from '../support/described-statement.ts'

const root = join(import.meta.dirname, '../..')
const productFiles = (): readonly string[] =>
  globSync('{cli,dispatcher,gateway,prisma,runtime,service,standalone}/**/*.ts', {
    cwd: root,
    exclude: ['prisma/generated/**'],
  }).toSorted()
const isRowsFile = (file: string): boolean => /(?:^|[/-])rows\.ts$/.test(file)

/** How Postgres calls the types that a column may be declared as. */
const typesOf: Readonly<Record<Column<unknown>['type'], readonly string[]>> = {
  text: ['text', 'character varying'],
  uuid: ['uuid'],
  int: ['integer', 'smallint'],
  bigint: ['bigint'],
  float: ['double precision', 'real'],
  decimal: ['numeric'],
  bool: ['boolean'],
  time: ['timestamp with time zone'],
  day: ['date'],
  json: ['jsonb', 'json'],
  bytes: ['bytea'],
}

/** Stands for each argument of a statement: it has all members, and is a list of one. Only the text is looked at. */
const anything: unknown = new Proxy(() => {}, {
  apply: () => anything,
  get: (_target, name) => {
    if (name === Symbol.iterator) return () => [anything][Symbol.iterator]()
    if (name === Symbol.toPrimitive) return () => '1'
    if (name === 'length') return 1
    if (name === 'toJSON') return () => null
    if (name === 'then' || typeof name === 'symbol') return undefined
    return name in Array.prototype ? [anything][name as 'map'].bind([anything]) : anything
  },
})
const argumentsMax = 8

/** With its examples; else with all that may be given, and with nothing of what may be left out. */
function textsOf({ build, examples }: Declared): readonly string[] {
  const make = build as (...given: readonly unknown[]) => Prisma.Sql
  if (examples.length > 0) return examples.map((given) => make(...given).text)
  const full = make(...Array.from({ length: argumentsMax }, () => anything)).text
  try {
    return [full, make(...Array.from({ length: argumentsMax }, () => null)).text]
  } catch {
    return [full]
  }
}

async function mistakesOf(client: Client, statement: Declared, text: string): Promise<readonly string[]> {
  try {
    const described = await describeStatement(client, text)
    const { columns } = statement
    if (columns === null) return []
    return [
      ...described.filter(({ name }) => !(name in columns)).map(({ name }) => `${name} is not declared`),
      ...Object.entries(columns).flatMap(([name, declared]) => {
        const found = described.find((one) => one.name === name)
        if (found === undefined) return [`${name} is not returned`]
        return fits(declared, found) ? [] : [`${name} is ${found.type}${found.isMandatory === false ? ' or null' : ''}`]
      }),
    ]
  } catch (error) {
    return [String(error)]
  }
}

type Described = { readonly type: string; readonly isMandatory: boolean | null }

const fits = ({ type, isList, isNullable, isPresent }: Column<unknown>, found: Described): boolean =>
  typesOf[type].some((name) => found.type === (isList ? `${name}[]` : name)) &&
  (isNullable || isPresent || found.isMandatory !== false)

onPostgres(() => {
  let client: Client
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await freshPostgres()
    drop = database.drop
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await drop()
  })

  test('each declared statement returns the columns that it declares', async () => {
    for (const file of productFiles().filter(isRowsFile)) await import(join(root, file))

    const mistakes: string[] = []
    for (const statement of declaredStatements)
      for (const text of textsOf(statement))
        for (const mistake of await mistakesOf(client, statement, text)) mistakes.push(`${mistake}: ${text.trim()}`)
    expect(mistakes).toEqual([])
  })

  test.each([
    ['a column that no table has', { key: column.uuid }, 'SELECT keey AS key FROM api_key', /keey/],
    ['a column that is not returned', { id: column.uuid, name: column.text }, 'SELECT id FROM api_key', /^name is not/],
    ['a column that is not declared', { id: column.uuid }, 'SELECT id, name FROM api_key', /^name is not declared/],
    ['another type', { count: column.int }, 'SELECT count(*) AS count FROM api_key', /^count is bigint/],
    ['a column that may be null', { at: column.time }, 'SELECT revoked_at AS at FROM api_key', /^at is .* or null/],
    ['a parameter of another type', { id: column.uuid }, 'SELECT id FROM api_key WHERE version = $1::text', /operator/],
  ])('%s is noticed before the statement runs', async (_what, columns, text, mistake) => {
    const statement = { columns, build: () => Prisma.raw(text), examples: [] }

    const mistakes = await mistakesOf(client, statement, text)

    expect(mistakes[0]).toMatch(mistake)
  })
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('a row of a statement is as it declares, and a NULL that it does not declare fails the test that meets it', async () => {
    const { db } = database
    const columns = { at: column.time, big: column.bigint, ids: column.uuid.list, kind: column.text.of<'a'>().orNull }
    const read = query(
      columns,
      (id: string) => Prisma.sql`SELECT now() AS at, 7::bigint AS big, ARRAY[${id}]::uuid[] AS ids, NULL::text AS kind`,
    )
    const readLess = query({ kind: column.text }, () => Prisma.sql`SELECT NULL::text AS kind`)
    const lock = command((id: string) => Prisma.sql`DELETE FROM api_key WHERE id = ${id}::uuid`)
    const id = '7b7e1b9a-0000-4000-8000-000000000001'

    expect(await read(db, id)).toEqual([{ at: expect.any(Date), big: 7n, ids: [id], kind: null }])
    expect(await lock(db, id)).toBe(0)
    await expect(readLess(db)).rejects.toThrow('Column kind is declared as text: null')
  })
})

const inFolders = (names: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(names).flatMap(([folder, files]) => files.map((file) => `${folder}/${file}.ts`))

/** Sends statements whose columns depend on the collection, and on the fields that the caller asks for. */
const undeclared = ['service/collection/rows.ts']

/** Conditions, sort keys and what is searched in, made where their rule is: a rows file sends them. */
const partsOfStatements = inFolders({
  'service/collection': ['filters', 'outdated-references', 'pagination', 'read', 'text-matching'],
})

const sources = productFiles()
  .filter((file) => !file.startsWith('prisma/'))
  .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))
const isRaw = (source: string): boolean => /\$(?:query|execute)Raw|\bPrisma\.sql`|#prisma\/statements/.test(source)

test('raw statements are declared', () => {
  const found = sources.filter(({ source }) => /\$(?:query|execute)Raw/.test(source)).map(({ file }) => file)

  expect(found).toEqual(undeclared)
})

test('raw statements stand in files called rows.ts or …-rows.ts', () => {
  const found = sources.filter(({ file, source }) => !isRowsFile(file) && isRaw(source)).map(({ file }) => file)

  expect(found).toEqual(partsOfStatements)
})
