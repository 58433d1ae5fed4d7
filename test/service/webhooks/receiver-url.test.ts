import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { webhookUrlLengthMax } from '#contract/webhook-schema.ts'
import { ranges } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-addresses.ts'
import { formats } from '../../../service/validation/string-formats.ts'
import { receiverUrl, type AllowedTargets } from '../../../service/webhooks/receiver-url.ts'

const strict: AllowedTargets = { ranges: [], http: false }
const lax: AllowedTargets = { ranges: ranges(['127.0.0.0/8', '10.1.0.0/16']), http: true }

/** As a registration would store it; null where it is refused. */
function stored(url: string, allowed = strict): string | null {
  if (!formats['iri']?.(url)) return null
  try {
    return receiverUrl(url, allowed)
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return null
    throw error
  }
}

test.each([
  ['https://example.com/hook', 'https://example.com/hook'],
  ['https://sub.example.com:8443/a?b=c', 'https://sub.example.com:8443/a?b=c'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ['https://münchen.de/', 'https://xn--mnchen-3ya.de/'],
  ['https://MÜNCHEN.de:443/straße?größe=ä', 'https://xn--mnchen-3ya.de/stra%C3%9Fe?gr%C3%B6%C3%9Fe=%C3%A4'],
  ['https://例え.jp', 'https://xn--r8jz45g.jp/'],
  ['https://example.com./', 'https://example.com./'],
])('%s is taken, and stored as it is called: %s', (url, called) => {
  expect(stored(url)).toBe(called)
})

test('what is no public address over https is refused, however it is written', () => {
  const urls = `http://example.com/ ftp://example.com/ example.com https://user:password@example.com/
    https://example.com/#part https://xn--a/ https://localhost/ https://printer/ https://printer./ https://printer../
    https://x.lan/ https://X.LAN/ https://x.corp/ https://x.corp./ https://x.home/ https://db.internal/
    https://nas.local./ https://nas.home.arpa/ https://x.intranet/ https://x.private/ https://x.test/
    https://x.example/ https://x.invalid/ https://x.onion/ https://127.0.0.1/ https://2130706433/ https://0177.0.0.1/
    https://127.1/ https://１２７.０.０.１/ https://[::1]/ https://[::ffff:10.0.0.1]/
    https://169.254.169.254/latest/meta-data/ https://168.63.129.16/`.split(/\s+/)

  expect(urls).toHaveLength(33)
  expect([...urls, 'https://exa\tmple.com/', 'https://example.com/a b'].filter((url) => stored(url))).toEqual([])
})

test('ports of other services are refused, wherever they are and whatever the operator allows', () => {
  const ports = [0, 21, 22, 25, 53, 110, 445, 993, 1433, 3306, 5432, 5672, 6379, 6667, 9200, 11_211, 27_017]

  expect(ports.filter((port) => stored(`https://example.com:${port}/`))).toEqual([])
  expect(ports.filter((port) => stored(`http://127.0.0.1:${port}/`, lax))).toEqual([])
})

test('addresses that the operator allows are accepted, and no others', () => {
  const allowed = ['http://127.0.0.1:9000/', 'http://10.1.2.3/', 'http://localhost:9000/', 'http://printer/']

  expect([...allowed, 'http://10.2.0.1/'].filter((url) => stored(url, lax))).toEqual(allowed)
})

test('a URL that is too long in its normalized form is refused', () => {
  const path = 'ä'.repeat(webhookUrlLengthMax / 6)

  expect(stored(`https://example.com/${path.slice(10)}`)).not.toBeNull()
  expect(stored(`https://example.com/${path}`)).toBeNull()
})

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc.constantFrom('münchen', 'LAN', 'corp', 'test', '例', ''),
)
const address = fc.record({
  scheme: fc.constantFrom('https', 'http', 'HTTPS', 'ws'),
  host: fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
  ),
  port: fc.option(fc.integer({ min: 0, max: 70_000 })),
  path: fc.webPath(),
})

test('every accepted URL is normalized: ASCII, public, on a port for HTTP, and unchanged when it is normalized again', () => {
  let count = 0
  fc.assert(
    fc.property(address, ({ scheme, host, port, path }) => {
      const taken = stored(`${scheme}://${host}${port === null ? '' : `:${port}`}${path}`)
      if (taken === null) return
      count += 1
      const url = new URL(taken)
      expect(taken).toMatch(/^https:\/\/[\x21-\x7e]+$/)
      expect(url.hostname).not.toMatch(/^[^.:]+\.?$|(^|\.)(lan|corp|test)\.?$/)
      expect(isWebPort(url.port)).toBe(true)
      expect(stored(taken)).toBe(taken)
    }),
    { numRuns: 2_000 },
  )
  expect(count).toBeGreaterThan(100)
})
