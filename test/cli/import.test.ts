// `import` and `export` of the package against the product, and the reading of files that programs of others write.
import fc from 'fast-check'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { csvLine } from '#contract/csv-lines.ts'
import { statePath, type ImportState } from '../../cli/import-state.ts'
import { mappingOf } from '../../cli/mapping.ts'
import { openRows, type FileRow } from '../../cli/rows-file.ts'
import { eventually } from '../support/eventually.ts'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { start, workspace, type Ended } from './packaged.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wia-rows-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let folder = scratch
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'case-'))
})

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function rowsIn(
  content: string | Uint8Array,
  name = 'rows.csv',
): Promise<{ columns: readonly string[]; rows: FileRow[] }> {
  const { columns, rows } = await openRows(written(name, content), undefined)
  return { columns, rows: await Array.fromAsync(rows) }
}
const cellsIn = async (content: string | Uint8Array) =>
  (await rowsIn(content)).rows.map(({ line, cells }) => [line, ...cells])

describe('a CSV file', () => {
  test.each<[string, string | Uint8Array]>([
    ['plain', 'a,b\n1,2\n'],
    ['with a byte order mark and CRLF', '\uFEFFa,b\r\n1,2\r\n'],
    ['with semicolons, and no end of its last line', 'a;b\n1;2'],
    ['with tabs', 'a\tb\n1\t2\n'],
    ['with quotes', '"a","b"\n"1","2"\n'],
    ['with line ends of an old Mac', 'a,b\r1,2\r'],
  ])('%s', async (_what, content) => {
    expect(await cellsIn(content)).toEqual([[2, '1', '2']])
  })

  test('begins with the instruction of Excel, which counts as a line', async () => {
    expect(await cellsIn('sep=;\r\na;b\r\n1,5;2\r\n')).toEqual([[3, '1,5', '2']])
    expect(await cellsIn('"sep=|"\na|b\n1|2\n')).toEqual([[3, '1', '2']])
  })

  test('has line breaks in quotes and empty lines, and each row knows where it begins', async () => {
    expect(await cellsIn('a,b\n"1\n\r\n2",x\n\n\r\n3,"say ""no"""\n')).toEqual([
      [2, '1\n\r\n2', 'x'],
      [7, '3', 'say "no"'],
    ])
  })

  test('has a cell of a megabyte', async () => {
    const large = 'x'.repeat(1_000_000)

    expect(await cellsIn(`a,b\n${large},2\n`)).toEqual([[2, large, '2']])
  })

  test.each<[string, string | Uint8Array, RegExp]>([
    ['in UTF-16', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'), /is UTF-16\. Save it as "CSV UTF-8"/],
    ['in UTF-16 without a mark', Buffer.from('a,b\n1,2\n', 'utf16le'), /is UTF-16/],
    ['in Windows-1252', Buffer.from('a,b\nK\u00f6ln,2\n', 'latin1'), /is not UTF-8\. Convert it/],
    ['that is packed', Buffer.from([0x1f, 0x8b, 8, 0]), /is packed: run `gunzip/],
    ['with two columns of one name', 'a, a\n1,2\n', /has two columns "a"/],
    ['with a column without a name', 'a,,c\n1,2,3\n', /Column 2 has no name/],
    ['without anything', '', /has no line with the names of the columns/],
    ['with a quote that does not end', 'a,b\n"1,2\n', /is no CSV/],
  ])('%s is refused in words', async (_what, content, said) => {
    await expect(rowsIn(content)).rejects.toThrow(said)
  })

  test('is read as it was written, whatever stands in the cells', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r\n', ' ', 'ä', '=', '😀') })
    const record = fc.tuple(cell, cell).filter(([a, b]) => `${a}${b}`.trim() !== '')
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 8 }), async (records) => {
        const { rows } = await rowsIn(`one,two\n${records.map(csvLine).join('')}`)

        let line = 2
        const expected = records.map((cells) => {
          const at = line
          line += csvLine(cells).match(/\r\n|\n/g)?.length ?? 0
          return [at, ...cells]
        })
        expect(rows.map((row) => [row.line, ...row.cells])).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a mapping', () => {
  const columns = ['Company', 'No', 'Size', 'name']

  test('names the field of each column; what it does not mention is called as its field', () => {
    const maps = ['Company=domains', '{"No":{"field":"emails","separator":"|"}}', 'Size=customFields.size']

    expect(mappingOf('crm-entities', columns, maps, { size: 'number' })).toEqual({
      Company: 'domains',
      No: { field: 'emails', separator: '|' },
      Size: { field: 'customFields.size', as: 'number' },
      name: 'name',
    })
  })

  test.each<[string[], RegExp]>([
    [['Compny=name'], /has no column "Compny"\. It has "Company"/],
    [['Company=nmae'], /crm-entities have no field "nmae"/],
    [
      ['Company='],
      /crm-entities have no field "No"\. Map the column: --map 'No=<field>', or leave it out: --map 'No='/,
    ],
    [['Company'], /--map takes Column=field/],
    [['Company=name:date'], /a type is one of string, number, boolean/],
    [['Company=customFields.tags', 'No=', 'Size='], /takes several values/],
    [['Company=', 'No=', 'Size=', 'name='], /No column is mapped/],
  ])('%j is refused in words', (maps, said) => {
    expect(() => mappingOf('crm-entities', columns, maps, { tags: 'multi_select' })).toThrow(said)
  })
})

describeOnce('importing and exporting', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const env = (secret = tenant.secret) => ({ WORKSPACE_API_URL: system.url, WORKSPACE_API_KEY: secret })
  const call = (...words: string[]): Promise<Ended> => workspace(words, { env: env(), cwd: folder })
  const companies = async (source: string) =>
    must(await tenant.api('GET', `/api/v1/crm-entities?externalSource=${source}&sort=name&limit=200`)).data
  const arguments_ = (file: string, source: string): string[] => [
    'import',
    file,
    '--to',
    'crm-entities',
    '--set',
    'kind=company',
    '--set',
    `externalSource=${source}`,
  ]

  test('a dry run says which rows would be refused and why, and keeps nothing', async () => {
    const file = written(
      'companies.csv',
      'externalId;name;employeeCount\r\n1;One;5\r\n\r\n2;;5\r\n3;Three;many\r\n4;Four\r\n',
    )

    const tried = await call(...arguments_(file, 'dry'), '--dry-run')

    expect(tried).toMatchObject({ code: 1, stderr: '' })
    expect(tried.stdout).toMatch(
      /^line 4: validation_failed: .*name.*\nline 5: validation_failed: .*employeeCount.*\nline 6: validation_failed: The line has 2 values, and the first line 3 columns\.\n4 rows: 1 would be taken, 3 refused\n$/,
    )
    expect(await companies('dry')).toEqual([])
    expect(globSync('*', { cwd: folder })).toEqual(['companies.csv'])
  })

  test('rows become objects; refused ones are written down, corrected, and imported in turn; a second run does nothing', async () => {
    must(
      await tenant.api('POST', '/api/v1/custom-fields', {
        target: 'company',
        key: 'size',
        label: 'Size',
        type: 'number',
      }),
    )
    const file = written('in.csv', 'No,Company,Domains,Size\n1,"One, Inc.",one.example;one.test,7\n2,,two.example,8\n')
    const words = [
      ...arguments_(file, 'erp'),
      '--map',
      'No=externalId',
      '--map',
      'Company=name',
      '--map',
      'Domains=domains',
      '--map',
      'Size=customFields.size',
    ]

    const first = await call(...words)
    const again = await call(...words)
    const refused = readFileSync(`${file}.refused.csv`, 'utf8')
    writeFileSync(`${file}.refused.csv`, refused.replace(',2,,', ',2,Two,'))
    const corrected = await call(...words.map((word) => (word === file ? `${file}.refused.csv` : word)))

    expect(first).toEqual({ code: 1, stdout: `2 rows: 1 taken, 1 refused: ${file}.refused.csv\n`, stderr: '' })
    expect(refused).toMatch(
      /^refusedLine,refusedCode,refusedReason,No,Company,Domains,Size\n3,validation_failed,.*name.*,2,,two\.example,8\n$/,
    )
    expect(again).toMatchObject({ code: 1, stdout: expect.stringMatching(/was imported at .*: 1 taken, 1 refused: /) })
    expect(corrected).toMatchObject({ code: 0, stdout: '1 rows: 1 taken, 0 refused\n' })
    expect(
      (await companies('erp')).map((each: { name: string; domains: string[]; customFields: object }) => [
        each.name,
        each.domains,
        each.customFields,
      ]),
    ).toEqual([
      ['One, Inc.', ['one.example', 'one.test'], { size: 7 }],
      ['Two', ['two.example'], { size: 8 }],
    ])
  })

  test('lines are those of the file, whatever line breaks are in cells, and columns keep their order', async () => {
    const file = written(
      'breaks.csv',
      'name,No,"left\r\nout",2024\r\nOne,1,,"a\r\n\r\nb"\r\n,2,"\r\n",\r\nThree,3,,c\r\n,4,,\r\n',
    )
    const maps = ['No=externalId', 'left\r\nout=', '2024=description'].flatMap((map) => ['--map', map])

    const ended = await call(...arguments_(file, 'breaks'), ...maps)

    expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/^4 rows: 2 taken, 2 refused: /) })
    expect(readFileSync(`${file}.refused.csv`, 'utf8').match(/^\d+,validation_failed,/gm)).toEqual([
      '6,validation_failed,',
      '9,validation_failed,',
    ])
    const found = await companies('breaks')
    expect(
      found.map((each: { externalId: string; description: string }) => [each.externalId, each.description]),
    ).toEqual([
      ['1', 'a\r\n\r\nb'],
      ['3', 'c'],
    ])
  })

  test('a file of refused rows that may have been edited is kept, by --restart and where an import goes on', async () => {
    const file = written('kept.csv', 'externalId,name\n1,One\n2,\n3,\n')
    const refused = `${file}.refused.csv`
    const kept = (number: number): string => refused.replace('.csv.refused', `.csv.refused.${number}`)
    const state = (): ImportState => JSON.parse(readFileSync(statePath(file), 'utf8'))
    const goOn = async () => {
      writeFileSync(statePath(file), JSON.stringify({ ...state(), completedAt: null }))
      return call(...arguments_(file, 'kept'))
    }
    await call(...arguments_(file, 'kept'))
    const before = readFileSync(refused, 'utf8')

    const unchanged = await goOn()
    const isAsBefore = readFileSync(refused, 'utf8') === before
    writeFileSync(refused, 'edited')
    const restarted = await call(...arguments_(file, 'kept'), '--restart')
    const again = readFileSync(refused, 'utf8')
    writeFileSync(refused, `${again}more`)
    const longer = await goOn()
    writeFileSync(refused, 'shorter')
    const shorter = await goOn()

    expect([unchanged.stderr, isAsBefore]).toEqual(['Going on after 3 rows.\n', true])
    expect(restarted).toMatchObject({ code: 1, stderr: `${refused} is kept as ${kept(1)}.\n` })
    expect([readFileSync(kept(1), 'utf8'), again]).toEqual(['edited', before])
    expect(longer.stderr).toContain(`${refused} is kept as ${kept(2)}.\n`)
    expect(readFileSync(kept(2), 'utf8')).toBe(`${before}more`)
    expect(shorter.stderr).toContain(`${refused} is kept as ${kept(3)}.\n`)
    expect([readFileSync(kept(3), 'utf8'), existsSync(kept(4)), readFileSync(refused, 'utf8')]).toEqual([
      'shorter',
      false,
      '',
    ])
  })

  test('an import that is killed goes on from where it was, and makes nothing twice', async () => {
    // Three parts, of which each is as large as a call may be.
    const description = 'cut '.repeat(1_500)
    const nameOf = (n: number): string => (n === 400 ? '' : `Killed ${n}`)
    const rows = Array.from({ length: 450 }, (_each, n) =>
      JSON.stringify({ kind: 'company', name: nameOf(n), description }),
    )
    const file = written('many.ndjson', `${rows.join('\n')}\n`)
    const words = ['import', file, '--to', 'crm-entities']
    const state = (): ImportState => JSON.parse(readFileSync(statePath(file), 'utf8'))

    const first = await start(words, { env: env() })
    onTestFinished(() => void first.child.kill('SIGKILL'))
    await eventually(() => existsSync(statePath(file)) && state().jobId !== null, 'a job')
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start(words, { env: env() })
    onTestFinished(() => void second.child.kill('SIGKILL'))
    await eventually(() => state().rowsDone > 0, 'a part that is done')
    second.child.kill('SIGINT')
    const interrupted = await second.ended
    const third = await call(...words)

    expect(interrupted).toMatchObject({ code: 130, stderr: expect.stringMatching(/Interrupted after \d+ rows/) })
    expect(third).toMatchObject({ code: 1, stdout: `450 rows: 449 taken, 1 refused: ${file}.refused.ndjson\n` })
    expect(third.stderr).toMatch(/^Going on after \d+ rows\.\n$/)
    const { page } = must(await tenant.api('GET', '/api/v1/crm-entities?q=Killed&includeTotal=true&limit=1'))
    expect(page.total).toBe(449)
    expect(JSON.parse(readFileSync(`${file}.refused.ndjson`, 'utf8'))).toMatchObject({
      line: 401,
      code: 'validation_failed',
    })
  })

  test('a file that has changed in what was imported before is refused, and so are other options', async () => {
    const file = written('changed.csv', 'externalId,name\n1,One\n2,Two\n')
    await call(...arguments_(file, 'changed'))
    const state = JSON.parse(readFileSync(statePath(file), 'utf8'))
    writeFileSync(statePath(file), JSON.stringify({ ...state, completedAt: null }))

    const others = await call(...arguments_(file, 'else'))
    writeFileSync(file, 'externalId,name\n1,Other\n2,Two\n3,Three\n')
    const changed = await call(...arguments_(file, 'changed'))
    writeFileSync(file, 'externalId,name\n1,One\n2,Two\n3,Three\n')
    const longer = await call(...arguments_(file, 'changed'))

    expect(others).toMatchObject({ code: 2, stderr: expect.stringContaining('with other options') })
    expect(changed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has changed in rows that were imported'),
    })
    expect(longer).toMatchObject({ code: 0, stdout: '3 rows: 3 taken, 0 refused\n' })
  })

  test('a row that no call may have is refused alone, by its line', async () => {
    const file = written('large.csv', `externalId,name,description\n1,One,${'x'.repeat(1_000_000)}\n2,Two,small\n`)

    const ended = await call(...arguments_(file, 'large'), '--json')

    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 2, taken: 1, refused: 1 })
    expect(readFileSync(`${file}.refused.csv`, 'utf8').slice(0, 200)).toMatch(/\n2,row_too_large,/)
  })

  test('a key that may not start jobs is told which scope it lacks', async () => {
    const { secret } = await tenant.key(['crm-entities:write'])
    const file = written('no.csv', 'name\nOne\n')

    const ended = await workspace(arguments_(file, 'no'), { env: env(secret) })

    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/insufficient_scope[^]*jobs:write/) })
  })

  test('an export has every page, as CSV that an import takes again and as JSON lines', async () => {
    const { id } = must(await tenant.api('POST', '/api/v1/projects', { name: 'Exported', key: 'EXP' }))
    const items = Array.from({ length: 100 }, (_each, n) => ({
      action: 'create',
      data: { projectId: id, title: n === 0 ? '=1+1, "quoted"' : `Task ${n}`, labels: n === 0 ? ['a', 'b'] : [] },
    }))
    for (let round = 0; round < 3; round++) must(await tenant.api('POST', '/api/v1/tasks/batch', { items }))
    const out = join(folder, 'tasks.csv')
    const words = ['export', 'tasks', '--project-id', 'EXP', '--sort', 'createdAt']

    const csv = await call(...words, '--out', out, '--fields', 'title,labels,estimateMinutes,createdBy')
    const again = await call(...words, '--out', out)
    const forced = await call(...words, '--out', out, '--force', '--fields', 'title', '--escape-formulas')
    const lines = await call(...words)

    expect(csv).toEqual({ code: 0, stdout: '', stderr: `300 objects: ${out}\n` })
    expect(again).toMatchObject({ code: 2, stderr: `${out} is there already. --force replaces it.\n` })
    expect(forced.code).toBe(0)
    const { rows } = await openRows(out, 'csv')
    const [first, second] = await Array.fromAsync(rows)
    expect([first?.cells[1], second?.cells[1]]).toEqual([`'=1+1, "quoted"`, 'Task 1'])
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toHaveLength(300)
    expect(globSync('*.partial', { cwd: folder })).toEqual([])
  })

  test('an export that is refused or interrupted leaves what was there as it was', async () => {
    const out = written('kept.csv', 'before')

    const refused = await call('export', 'tasks', '--out', out, '--force', '--status', 'nonsense')
    const unknown = await call('export', 'nothing', '--out', out)

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid_parameter') })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('<collection> is one of') })
    expect(readFileSync(out, 'utf8')).toBe('before')
    expect(globSync('*', { cwd: folder })).toEqual(['kept.csv'])
  })
})
