import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Document, type DocumentStatus, contentBytesMax, contentPageItemsMax } from '#contract/documents.ts'
import { Fault } from '#contract/faults/fault.ts'
import { draft, applyPatch, withPageBound, wordCount } from '../../../service/documents/rules.ts'

const origin = {
  id: '0199f0a0-0000-7000-8000-000000000001',
  workspaceId: '0199f0a0-0000-7000-8000-000000000002',
  actor: { type: 'api_key', id: 'k1', name: 'Key' } as const,
  now: new Date('2026-01-02T03:04:05.678Z'),
}
const projectId = '0199f0a0-0000-7000-8000-000000000003'
const crmEntityId = '0199f0a0-0000-7000-8000-000000000004'
const checksumOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const checksumOfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

const documentThatIs = (status: DocumentStatus): Document => draft({ title: 'Guide', status }, origin)
const faultOf = (act: () => unknown): Fault | null => {
  try {
    act()
    return null
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
}

test('a new document is an empty draft of nothing', () => {
  expect(draft({ title: 'Guide' }, origin)).toMatchObject({
    status: 'draft',
    content: '',
    wordCount: 0,
    checksum: checksumOfNothing,
    version: 1,
    summary: null,
    folder: null,
    tags: [],
    projectId: null,
    crmEntityId: null,
  })
})

test('a draft is published, taken back or archived; what is archived becomes a draft', () => {
  const statuses = ['draft', 'published', 'archived'] as const
  const taken = statuses.flatMap((from) =>
    statuses
      .filter((to) => to !== from && faultOf(() => applyPatch(documentThatIs(from), { status: to })) === null)
      .map((to) => `${from} → ${to}`),
  )

  expect(taken).toEqual(['draft → published', 'published → draft', 'published → archived', 'archived → draft'])
})

test('a refused move says from where to where, and what is allowed', () => {
  expect(faultOf(() => applyPatch(documentThatIs('draft'), { status: 'archived' }))).toMatchObject({
    code: 'invalid_transition',
    members: { from: 'draft', to: 'archived', allowed: ['published'] },
  })
})

test('count and checksum follow the content, and nothing else', () => {
  const before = draft({ title: 'Guide', content: 'abc' }, origin)

  expect(before).toMatchObject({ wordCount: 1, checksum: checksumOfAbc })
  expect(applyPatch(before, { title: 'Other' })).toEqual({ ...before, title: 'Other' })
  expect(applyPatch(before, { content: '' })).toMatchObject({ wordCount: 0, checksum: checksumOfNothing })
})

test('content is bounded in bytes, not in characters', () => {
  const fits = 'é'.repeat(contentBytesMax / 2)

  expect(draft({ title: 'Guide', content: fits }, origin).content).toBe(fits)
  expect(faultOf(() => draft({ title: 'Guide', content: `${fits}a` }, origin))).toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ pointer: '/content', code: 'too_long' }] },
  })
})

test('a document is of a project or of a CRM entity, also when it comes to be both in two steps', () => {
  const both = { code: 'validation_failed', members: { errors: [{ pointer: '/crmEntityId' }] } }

  expect(faultOf(() => draft({ title: 'Guide', projectId, crmEntityId }, origin))).toMatchObject(both)
  expect(faultOf(() => applyPatch(draft({ title: 'Guide', projectId }, origin), { crmEntityId }))).toMatchObject(both)
  expect(
    faultOf(() => applyPatch(draft({ title: 'Guide', projectId }, origin), { crmEntityId, projectId: null })),
  ).toBeNull()
})

test.each([
  ['', 0],
  ['# One, two – three\n\n* four', 4],
  ['हिन्दी में', 2],
  ['...', 0],
])('words of %j: %i', (text, count) => {
  expect(wordCount(text)).toBe(count)
})

test('words add up over texts that are put one after the other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(wordCount(`${one}\n${other}`)).toBe(wordCount(one) + wordCount(other))
    }),
  )
})

test('a page with contents is short by itself, and cannot be asked to be longer', () => {
  expect(withPageBound({ limit: 200 })).toEqual({ limit: 200 })
  expect(withPageBound({ fields: ['title'], limit: 200 })).toEqual({ fields: ['title'], limit: 200 })
  expect(withPageBound({ fields: ['content'] })).toMatchObject({ limit: contentPageItemsMax })
  expect(withPageBound({ fields: ['content'], limit: 3 }).limit).toBe(3)
  expect(faultOf(() => withPageBound({ fields: ['content'], limit: contentPageItemsMax + 1 }))).toMatchObject({
    code: 'invalid_parameter',
    members: { errors: [{ parameter: 'limit', code: 'too_large' }] },
  })
})
