// Domains and email addresses in any script: which are taken, and which are the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparedDomain, comparedEmail, isDomain, isEmailAddress } from '../../../service/text/addresses.ts'

const alphabets = ['abcxyz09', 'äöüßéñ', 'абвгд', 'αβγσς', '例え日本語', 'अआइक', 'אבגד', 'ابتث', 'กขค']
const labels = fc
  .constantFrom(...alphabets)
  .chain((letters) => fc.string({ unit: fc.constantFrom(...Array.from(letters)), minLength: 1, maxLength: 12 }))
const domains = fc.array(labels, { minLength: 1, maxLength: 3 }).map((parts) => [...parts, 'example'].join('.'))

test('a domain is the same in its script, in punycode, and in capitals of either', () => {
  const property = fc.property(domains, (domain) => {
    fc.pre(isDomain(domain))
    const punycode = comparedDomain(domain)
    expect(punycode).toMatch(/^[a-z0-9.-]+$/)
    for (const same of [punycode, punycode.toUpperCase()]) expect(comparedDomain(same)).toBe(punycode)
    expect(comparedEmail(`Ada@${domain}`)).toBe(`ada@${punycode}`)
    expect([isDomain(punycode), isEmailAddress(`ada@${domain}`)]).toEqual([true, true])
  })
  fc.assert(property)
  expect(comparedDomain('MÜNCHEN.Example')).toBe('xn--mnchen-3ya.example')
  expect(comparedDomain('faß.example')).not.toBe(comparedDomain('fass.example'))
})

const label63 = 'ü'.repeat(50)

test.each([
  [
    'taken',
    ['example.com', 'MÜNCHEN.example', 'xn--mnchen-3ya.example', 'пример.рф', '例え.テスト', 'مثال.إختبار', 'a-b.ü.de'],
  ],
  // Punycode would leave out the soft hyphen, mend the wide letter and the full stop, and decode the `%`.
  [
    'refused',
    ['mün\u00adchen.de', 'ｍünchen.de', '例え。テスト', 'ü%41.de', 'ü.de/x', 'a@ü.de', 'ü de.com', 'ü.de.', 'ü..de'],
  ],
  ['refused', ['ü', 'localhost', '-ü.de', 'ü-.de', '1.2.3.4', 'ü.4', 'a_b.com', '', `${`${label63}.`.repeat(5)}de`]],
])('of domains these are %s: %j', (what, texts) => {
  expect(texts.filter((text) => isDomain(text) !== (what === 'taken'))).toEqual([])
})

test.each([
  [
    'taken',
    ['ada@example.com', 'Ada.L+x@MÜNCHEN.example', '用户@例子.广告', 'jörg@xn--mnchen-3ya.example', "o'neil@a.de"],
  ],
  [
    'refused',
    [
      'ada',
      '@a.de',
      'ada@',
      'a b@c.de',
      'a..b@c.de',
      '.a@c.de',
      'a@b@c.de',
      'a@localhost',
      'a@1.2.3.4',
      'a\u200b@c.de',
    ],
  ],
])('of email addresses these are %s: %j', (what, texts) => {
  expect(texts.filter((text) => isEmailAddress(text) !== (what === 'taken'))).toEqual([])
})
