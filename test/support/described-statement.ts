// Describes a statement as Postgres sees it: it is parsed and planned, and not run.
import type { Client, Connection, FieldDef, Submittable } from 'pg'

/** `isMandatory`: read from a column of a table that admits no NULL; null where it is an expression. */
type DescribedColumn = { readonly name: string; readonly type: string; readonly isMandatory: boolean | null }

export async function describeStatement(client: Client, text: string): Promise<readonly DescribedColumn[]> {
  const fields = await fieldsOf(client, text)
  const { rows } = await client.query<DescribedColumn>(
    `SELECT f.name, format_type(f.type, NULL) AS type, a.attnotnull AS "isMandatory"
     FROM jsonb_to_recordset($1) AS f (at int, name text, type oid, "table" oid, number int)
     LEFT JOIN pg_attribute a ON a.attrelid = f."table" AND a.attnum = f.number AND f.number > 0
     ORDER BY f.at`,
    [JSON.stringify(fields.map((field, at) => ({ at, ...field })))],
  )
  return rows
}

type Field = { readonly name: string; readonly type: number; readonly table: number; readonly number: number }

/** Members that the driver's types leave out. */
type Describing = Connection & {
  parse(query: { readonly text: string }): void
  describe(what: { readonly type: 'S' }): void
  sync(): void
}

async function fieldsOf(client: Client, text: string): Promise<readonly Field[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Field[]>()
  let fields: readonly Field[] = []
  const description = {
    submit: (connection: Connection) => {
      const describing = connection as Describing
      describing.parse({ text })
      describing.describe({ type: 'S' })
      describing.sync()
    },
    handleRowDescription: (described: { readonly fields: readonly FieldDef[] }) => {
      fields = described.fields.map((each) => {
        const { name, dataTypeID: type, tableID: table, columnID: number } = each
        return { name, type, table, number }
      })
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(fields),
  }
  client.query(description as unknown as Submittable)
  return promise
}
