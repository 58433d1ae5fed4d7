import { expect, test } from 'vitest'
import { lineWriter, logger, maskedText, withoutSecrets, throttledLog } from '#runtime/log.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'

const { token, prefix } = makeToken('wsk')
const plain =
  '{"id":"0198c0de-0000-7000-8000-000000000001","url":"http://service:8081/internal","event":"projects.updated"}'

test.each([
  ['a token keeps its readable start', `{"msg":"refused ${token}"}`, `{"msg":"refused ${prefix}_[redacted]"}`],
  ['a signing secret is masked', '{"msg":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}', '{"msg":"whsec_[redacted]"}'],
  ['so is the password in an address', 'at postgres://app:hunter2@db:5432/a', 'at postgres://app:[redacted]@db:5432/a'],
  ['identifiers and ordinary addresses are left alone', plain, plain],
])('%s', (_what, line, masked) => {
  expect(withoutSecrets(line)).toBe(masked)
})

test('fields that hold secrets are masked at any depth, whatever is in them', () => {
  const headers = { Authorization: 'Basic "x"', cookie: 'a=b', 'set-cookie': ['a', 'b'] }
  const line = withoutSecrets(JSON.stringify({ req: { headers }, token: 'short', ms: 3 }))

  const masked = { Authorization: '[redacted]', cookie: '[redacted]', 'set-cookie': '[redacted]' }
  expect(JSON.parse(line)).toEqual({ req: { headers: masked }, token: '[redacted]', ms: 3 })
})

test('a line that is put together has the form of any other, and there is none below the level', () => {
  const lines: string[] = []
  const log = logger('info', 'sample', { write: (line) => void lines.push(line) })
  const fields = { method: 'GET', ms: 1.5, keyId: null, traceId: undefined }

  lineWriter(log, 'request')(fields)
  log.info(fields, 'request')

  const [own, ofPino] = lines.map((line) => ({ ...JSON.parse(line), time: 0 }) as object)
  expect(own).toEqual(ofPino)
  expect(Object.keys(own ?? {})).toEqual(Object.keys(ofPino ?? {}))
  lineWriter(logger('warn', 'sample', { write: (line) => void lines.push(line) }), 'request')(fields)
  expect(lines).toHaveLength(2)
})

test('a caller’s word is masked like a line', () => {
  expect(maskedText(token)).toBe(`${prefix}_[redacted]`)
  expect(maskedText('https://user:hunter2@host/')).toBe('https://user:[redacted]@host/')
  expect(maskedText('0198c0de-0000-7000-8000-000000000001')).toBe('0198c0de-0000-7000-8000-000000000001')
})

test('the first of a cause is logged at once, the rest once in a while with their number, and no cause hides another', () => {
  let now = 0
  const said: string[] = []
  const throttled = throttledLog(1_000, () => now)
  const happens = (cause: string, count: number) => throttled(cause, count, (all) => said.push(`${cause} ${all}`))

  happens('a', 2)
  happens('a', 3)
  happens('b', 1)
  now = 999
  happens('a', 4)
  now = 1_000
  happens('a', 1)

  expect(said).toEqual(['a 2', 'b 1', 'a 8'])
})
