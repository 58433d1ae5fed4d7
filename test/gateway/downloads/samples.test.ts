// The samples in other languages, made of the curl commands of the guides.
import fc from 'fast-check'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { samplesOfCall, type Part } from '#contract/call-samples.ts'
import { callIn, samplesOf } from '../../../gateway/downloads/curl-command.ts'

const address = 'https://workspace.example/api/v1'
const auth = '-H "Authorization: Bearer $WORKSPACE_API_KEY"'

test.each<[string, string, unknown]>([
  [`curl -s "$API/me" ${auth}`, 'GET', null],
  [`curl -s -i -X DELETE "$API/tasks/WEB-1" ${auth}`, 'DELETE', null],
  [
    `curl -s "$API/tasks" ${auth} \\\n  -H 'Content-Type: application/json' -d '{"a":[1,null]}'`,
    'POST',
    { a: [1, null] },
  ],
  [`curl -s -X PUT $API/x ${auth} -d '{}'`, 'PUT', {}],
])('%s is read', (command, method, body) => {
  expect(callIn(command, address)).toMatchObject({
    method,
    body,
    headers: expect.arrayContaining([['Authorization', ['Bearer ', { variable: 'WORKSPACE_API_KEY' }]]]),
  })
})

test('what stands in a query is encoded, and a variable in an address or a header is kept', () => {
  const query = callIn(`curl -sG "$API/search" --data-urlencode "q=(030) 1&2" ${auth}`, address)
  const variable = callIn(`curl -s "$API/webhooks/$WEBHOOK_ID/test" ${auth}`, address)

  expect(query?.url).toEqual([`${address}/search?q=(030)%201%262`])
  expect(variable?.url).toEqual([`${address}/webhooks/`, { variable: 'WEBHOOK_ID' }, '/test'])
  expect(samplesOf(`curl -s "$API/me" ${auth}`, address)?.[0]?.code).toBe(`curl -s "${address}/me" ${auth}`)
})

test.each([
  'curl -s "$API/me" | jq .id',
  'curl -s "$API/me"; curl -s "$API/me"',
  'FILE=$(curl -s "$API/me")',
  'curl -s "$API/files/$(id)"',
  'curl -s "$API/me" -o file',
  'curl -s "$API/me" "$API/me"',
  `curl -s "$API/me" -d 'a=b'`,
  `curl -s "$API/me" -d 'null'`,
  'curl -s "$API/me" -d "{$X}"',
  'curl -s https://elsewhere.example/me',
  'curl -s "$API/me" -H Authorization',
  'curl',
  'wget "$API/me"',
  '',
])('%s is no single call, and stays as it is', (command) => {
  expect(samplesOf(command, address)).toBeNull()
})

test('a body and an address come out of the shell, of TypeScript and of Python as they went in', () => {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
  const property = fc.property(value, fc.webPath(), (body, path) => {
    const text = JSON.stringify(body)
    const samples = samplesOf(
      `curl -s ${quoted(address + path)} -H ${quoted('A: $WORKSPACE_API_KEY')} -d ${quoted(text)}`,
      address,
    )
    const ts = samples?.find(({ language }) => language === 'ts')?.code ?? ''

    const fetched: object[] = []
    const call = ts.split('\nconsole.log')[0]?.replace('await ', '') ?? ''
    runInNewContext(call, {
      fetch: (url: string, { body, headers }: { body: string; headers: object }) =>
        fetched.push({ url, body, headers: { ...headers } }),
    })
    expect(fetched).toEqual([{ url: address + path, body: text, headers: { A: '$WORKSPACE_API_KEY' } }])
  })
  fc.assert(property)
})

/** Pieces of text that follow each other are one; a header loses the space that it begins with. */
function joinedText(parts: readonly Part[]): readonly Part[] {
  const [first = '', second] = parts
  const start = (first as string).trimStart()
  if (typeof second === 'string') return start + second === '' ? [] : [start + second]
  return [start, second].filter((part): part is Part => part !== '' && part !== undefined)
}

test('a call that is written as a command is read as the same call, with its variables', () => {
  const part = fc.oneof(fc.string(), fc.constant({ variable: 'WORKSPACE_API_KEY' }))
  const text = fc
    .tuple(
      fc.string({ minLength: 1, unit: 'binary' }).filter((each) => !each.includes('\0')),
      part,
    )
    .map((parts) => joinedText(parts))
  const body = fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }))
  const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE')
  const property = fc.property(method, fc.webPath(), text, body, (verb, path, value, given) => {
    const call = { method: verb, url: [address + path], headers: [['X-A', value] as const], body: given }

    const [curl] = samplesOfCall(call)

    const read = callIn(curl?.code ?? '', address)
    expect({ ...read, body: JSON.stringify(read?.body) }).toEqual({ ...call, body: JSON.stringify(given) })
  })
  fc.assert(property)
})

test('nothing of a command is run by the samples of other languages: they are text in quotes', () => {
  const samples = samplesOf(`curl -s "$API/x" -H 'X-A: \`a\` \${b} "c" \\ {d}' ${auth}`, address)

  const [, ts, python, go] = samples?.map(({ code }) => code) ?? []
  expect(ts).toContain(`'X-A': '\`a\` \${b} "c" \\\\ {d}'`)
  expect(python).toContain(`"X-A": "\`a\` \${b} \\"c\\" \\\\ {d}"`)
  expect(go).toContain('request.Header.Set("X-A", "`a` ${b} \\"c\\" \\\\ {d}")')
})
