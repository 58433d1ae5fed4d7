// A workspace moved from one installation to another by jobs, as the bench does it with many more rows.
import { expect, test } from 'vitest'
import { differences } from '../../bench/scenarios/move/differences.ts'
import { fill, move } from '../../bench/scenarios/move/move.ts'
import { openPlace, textsOf } from '../../bench/scenarios/move/place.ts'
import { rowsToMove } from '../../bench/scenarios/move/rows.ts'
import { exportedIn, type Exported } from '../../bench/scenarios/move/translate.ts'
import { describeMode, startSystem } from '../support/system.ts'

describeMode('an export that is imported elsewhere', 'standalone', (mode) => {
  test('has the same fields, links, own ids, histories and authors there, and no row is refused', async () => {
    // Jobs of others would take their turns between.
    await using system = await startSystem(mode)
    const from = await openPlace(system.url, system.operatorToken)
    await fill(from, rowsToMove(60))
    await using other = await startSystem(mode)

    const moved = await move(from, await openPlace(other.url, other.operatorToken))

    expect(moved).toMatchObject({ rows: 60, refusals: [], differences: [] })
  })
})

const entity = {
  ...{
    object: 'crm_entity',
    kind: 'deal',
    id: 'd1',
    contactIds: ['c1'],
    ownerId: 'm1',
    externalIds: [],
    createdAt: 't',
  },
  ...{ createdBy: { name: 'Ada' }, updatedAt: 'u', imported: null, closedAt: null, amount: { amount: '1' } },
}
const arrived = {
  ...{ id: 'D1', contactIds: ['C1'], ownerId: 'M1', externalIds: [{ source: 'old', id: 'd1' }], updatedAt: 'now' },
  imported: { updatedAt: 'u', createdBy: { name: 'Ada', email: null } },
}
const oneOf = (deal: object, [m, c]: readonly [string, string], ids: readonly object[]) =>
  ({
    members: [{ id: m, email: 'ada@example.com' }],
    fields: [],
    entities: [deal, { object: 'crm_entity', kind: 'contact', id: c, externalIds: ids, createdBy: {}, imported: null }],
  }) as unknown as Exported
const before = oneOf(entity, ['m1', 'c1'], [])
const after = (changed: object) =>
  oneOf({ ...entity, ...arrived, ...changed }, ['M1', 'C1'], [{ source: 'old', id: 'c1' }])
const found = (changed: object) => differences(before, after(changed), 'old').filter((each) => each.startsWith('deal'))

test.each([
  ['nothing', {}, 0],
  ['a link', { contactIds: ['C2'] }, 1],
  ['an owner', { ownerId: null }, 1],
  ['an amount', { amount: { amount: '1.0' } }, 1],
  ['an own id', { externalIds: [...arrived.externalIds, { source: 'erp', id: '1' }] }, 1],
  ['the time of the last change', { imported: { ...arrived.imported, updatedAt: null } }, 1],
  ['an author', { imported: { ...arrived.imported, createdBy: { name: 'Ben', email: null } } }, 1],
  ['a new field', { further: 1 }, 1],
])('a comparison of two exports counts what differs: %s', (_what, changed, count) => {
  expect(found(changed)).toHaveLength(count)
})

test('an export without its end, or with fewer objects than it counts, is refused', () => {
  const end = { object: 'export_end', counts: { members: 0, 'custom-fields': 0, 'crm-entities': 1 } }

  expect(() => exportedIn([entity])).toThrow('no end')
  expect(() => exportedIn([end])).toThrow('counts 1 crm-entities, and has 0')
  expect(exportedIn([entity, end]).entities).toEqual([entity])
})

test('the rows of an import are split into calls that are not too large, without loss', () => {
  const rows = Array.from({ length: 900 }, (_, n) => ({ name: '"税"'.repeat(n) }))

  const texts = [...textsOf(rows)]

  expect(texts.length).toBeGreaterThan(1)
  expect(
    texts
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual(rows)
  for (const text of texts) expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(901_000)
})
