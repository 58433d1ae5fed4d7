import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Document, type DocumentStatus, contentBytesMax, contentPageItemsMax } from '#contract/documents.ts'
import { draft, applyPatch, withPageBound, wordCount } from '../../../service/documents/rules.ts'
import { codeOf, faultOf } from '../../support/faults.ts'

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

const guide = (more: object = {}): Document => draft({ title: 'Guide', ...more }, origin)

test('a new document is an empty draft of nothing', () => {
  expect(guide()).toMatchObject({
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

test.each<[DocumentStatus, readonly DocumentStatus[]]>([
  ['draft', ['published']],
  ['published', ['draft', 'archived']],
  ['archived', ['draft']],
])('what is %s may become %j, and another move is refused with these', (from, allowed) => {
  for (const to of ['draft', 'published', 'archived'] as const) {
    const refusal = faultOf(() => applyPatch(guide({ status: from }), { status: to }))
    if (to === from || allowed.includes(to)) expect(refusal).toBeNull()
    else expect(refusal).toMatchObject({ code: 'invalid_transition', members: { from, to, allowed } })
  }
})

test('count and checksum follow the content, and nothing else', () => {
  const before = guide({ content: 'abc' })

  expect(before).toMatchObject({ wordCount: 1, checksum: checksumOfAbc })
  expect(applyPatch(before, { title: 'Other' })).toEqual({ ...before, title: 'Other' })
  expect(applyPatch(before, { content: '' })).toMatchObject({ wordCount: 0, checksum: checksumOfNothing })
})

test('content is bounded in bytes, not in characters', () => {
  const content = 'é'.repeat(contentBytesMax / 2)

  expect(guide({ content }).content).toBe(content)
  expect(faultOf(() => guide({ content: `${content}a` }))).toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ pointer: '/content', code: 'too_long' }] },
  })
})

test('a document is of a project or of a CRM entity, also when it comes to be both in two steps', () => {
  const both = { code: 'validation_failed', members: { errors: [{ pointer: '/crmEntityId' }] } }

  expect(faultOf(() => guide({ projectId, crmEntityId }))).toMatchObject(both)
  expect(faultOf(() => applyPatch(guide({ projectId }), { crmEntityId }))).toMatchObject(both)
  expect(codeOf(() => applyPatch(guide({ projectId }), { crmEntityId, projectId: null }))).toBeNull()
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
  const fields = ['content' as const]

  for (const without of [{ limit: 200 }, { fields: ['title' as const], limit: 200 }])
    expect(withPageBound(without)).toEqual(without)
  expect(withPageBound({ fields })).toMatchObject({ limit: contentPageItemsMax })
  expect(withPageBound({ fields, limit: 3 }).limit).toBe(3)
  expect(faultOf(() => withPageBound({ fields, limit: contentPageItemsMax + 1 }))).toMatchObject({
    code: 'invalid_parameter',
    members: { errors: [{ parameter: 'limit', code: 'too_large' }] },
  })
})
