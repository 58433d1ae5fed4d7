// The rows of a file as they are read, whatever it was packed and written with.
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JobRequest } from '#contract/jobs.ts'
import { rowsIn } from '../../../service/jobs/read-rows.ts'

const csv: JobRequest = { resource: 'crm-entities', format: 'csv' }
const json: JobRequest = { resource: 'crm-entities', format: 'ndjson' }

const read = (bytes: Buffer, request: JobRequest, bounds?: Parameters<typeof rowsIn>[2]) =>
  Array.fromAsync(rowsIn(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), request, bounds))

const cell = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const delimiters = [',', ';', '\t'] as const

test('cells come out as they went in, with each separator, line end and packing, and their lines are counted', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...delimiters),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (rows, delimiter, end, isPacked) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = [['name', 'description'], ...rows].map((row) => row.map(quoted).join(delimiter))
        const text = Buffer.from(lines.join(end))

        const found = await read(isPacked ? gzipSync(text) : text, csv)

        expect(found.map(({ data }) => data)).toEqual(rows.map(([name, description]) => ({ name, description })))
      },
    ),
  ))

test('each row knows the line at which it begins, whatever line ends stand in cells and between records', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('', '\n', '\r\n', '\r', '\r\n\n', '\n\r\n'), fc.nat({ max: 2 })), {
        maxLength: 8,
      }),
      fc.constantFrom('\n', '\r\n'),
      async (records, end) => {
        const [lines, texts]: [number[], string[]] = [[], []]
        let line = 2
        for (const [at, [within, emptyLines]] of records.entries()) {
          line += emptyLines
          lines.push(line)
          texts.push(`${end.repeat(emptyLines)}"a${within}b","${at}"${end}`)
          line += 1 + (within.match(/\r\n|\r|\n/g)?.length ?? 0)
        }

        const rows = await read(Buffer.from(`name,description${end}${texts.join('')}`), csv)

        expect(rows.map((row) => row.line)).toEqual(lines)
      },
    ),
  ))

test.each([
  ['utf-8 with a mark', Buffer.from('\uFEFF{"name":"Ł"}'), {}],
  ['utf-16le with a mark', Buffer.from('\uFEFF{"name":"Ł"}', 'utf16le'), {}],
  ['utf-16be with a mark', Buffer.from('\uFEFF{"name":"Ł"}', 'utf16le').swap16(), {}],
  ['iso-8859-15, as it is named', Buffer.from('{"name":"\u00e9"}', 'latin1'), { charset: 'iso-8859-15' as const }],
])('%s is read', async (_what, bytes, more) => {
  const [row] = await read(bytes, { ...json, ...more })

  expect(row?.data?.['name']).toMatch(/^[Łé]$/)
})

test('lines of JSON are told apart, and each that is none is refused alone', async () => {
  const rows = await read(Buffer.from('{"name":"a"}\r\n\n{"name":"a","name":"b"}\n[1]\nno\n{"name":"c"}'), json)

  expect(rows.map(({ line, data, refused }) => [line, data?.['name'] ?? refused?.code])).toEqual([
    [1, 'a'],
    [3, 'invalid_json'],
    [4, 'validation_failed'],
    [5, 'invalid_json'],
    [6, 'c'],
  ])
})

test('what is not in its charset, is damaged, unpacks to too much or has too many rows is refused as a whole', async () => {
  const many = Buffer.from('{"name":"a"}\n'.repeat(1_000))
  const refused = async (bytes: Buffer, bounds = { bytes: 1_000_000, rows: 1_000_000 }) =>
    read(bytes, json, bounds).then(
      () => null,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    )

  expect(await refused(Buffer.from('{"name":"\u00e9"}', 'latin1'))).toContain(
    'validation_failed: The file is not in utf-8',
  )
  expect(await refused(gzipSync(many).subarray(0, 30))).toContain('validation_failed: The file cannot be unpacked')
  expect(await refused(gzipSync(many), { bytes: 5_000, rows: 1_000_000 })).toContain(
    'limit_reached: A file can have at most 5000',
  )
  expect(await refused(many, { bytes: 1_000_000, rows: 10 })).toContain('limit_reached: A job can have at most 10 rows')
})

test('columns that are called as what every object has are fields like others, and reach no other object', async () => {
  const [row] = await read(Buffer.from('constructor.prototype,toString\na,b'), csv)

  expect(JSON.stringify(row?.data)).toBe('{"constructor":{"prototype":"a"},"toString":"b"}')
  expect(await read(Buffer.from('__proto__.x\na'), csv).catch((error: Error) => error.message)).toContain(
    'not the name',
  )
})
